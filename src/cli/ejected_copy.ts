import { moduleHash, releaseOf } from "../beeuni_tools/released.ts";
import { ejectComments } from "../manifest/edit/eject_comment.ts";
import type { ToolEntry } from "../manifest/model.ts";
import { below } from "../manifest/paths.ts";

/** What `beeuni tools ls --json` adds to a tool whose line says that it was ejected. */
export interface EjectedCopy {
  /** `beeuni:<name>` */
  ejected_from: string;
  /** Whether an unchanged copy is older than the built-in of this version; `null` when the project changed it. */
  outdated: boolean | null;
}

/**
 * Where the copies among the project's own modules come from, by the name of the tool.
 *
 * @param root The project root.
 * @param manifestFiles The texts of manifest files.
 * @param tools Tools that can be used: their modules are there.
 */
export function ejectedCopies(
  root: string,
  manifestFiles: readonly string[],
  tools: readonly ToolEntry[],
): Map<string, EjectedCopy> {
  const comments = new Map(manifestFiles.flatMap((text) => [...ejectComments(text)]));
  const copies = new Map<string, EjectedCopy>();
  for (const { name, kind, source } of tools) {
    const from = comments.get(name);
    if (from === undefined || kind === "beeuni") continue;
    const release = releaseOf(from, moduleHash(Deno.readFileSync(below(root, source))));
    copies.set(name, { ejected_from: `beeuni:${from}`, outdated: release?.outdated ?? null });
  }
  return copies;
}
