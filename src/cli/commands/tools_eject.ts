import { BEEUNI_TOOLS, type BeeuniToolName, isBeeuniTool } from "../../beeuni_tools/registry.ts";
import { findEngine } from "../../engine/engine.ts";
import { BeeuniError } from "../../errors/error.ts";
import { escapeControls } from "../../log/escape_controls.ts";
import { ejectComment } from "../../manifest/edit/eject_comment.ts";
import { editTool } from "../../manifest/edit/edit_tool.ts";
import { moduleTarget } from "../../manifest/edit/module_target.ts";
import { replaceFiles } from "../../manifest/edit/replace_files.ts";
import type { Manifest } from "../../manifest/model.ts";
import { below, plainRelative } from "../../manifest/paths.ts";
import { quote, shown } from "../../manifest/quote.ts";
import { readManifest } from "../../manifest/read.ts";
import { requireComplete } from "../../manifest/require_complete.ts";
import type { CommonOptions } from "../command.ts";
import { shellWord } from "../shell_word.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link toolsEject}. */
export interface ToolsEjectOptions extends CommonOptions {
  name: string;
  /** Replace a module that is there. */
  force?: boolean;
  /** Change nothing; show how the project's copy differs. */
  diff?: boolean;
}

const FOLDER = "tools";

/**
 * `beeuni tools eject <name>`: gives the project its own copy of a Beeuni tool (specification 1.8). It writes the
 * very bytes the sandbox runs to `tools/<name>.ts` and makes the manifest name that file, both or neither.
 *
 * @throws {BeeuniError} `usage` for a name that is no Beeuni tool, `file_exists` when the project has such a file or
 *   a module of its own for the tool, `edit_refused`, `unwritable`, `no_manifest`, `manifest_invalid`.
 */
export async function toolsEject(options: ToolsEjectOptions): Promise<CommandResult> {
  const { name, force = false, diff = false, project, json = false } = options;
  if (!isBeeuniTool(name)) {
    throw new BeeuniError(
      "usage",
      `${quote(name)} is not a Beeuni tool. Eject one of: ${BEEUNI_TOOLS.join(", ")}.`,
    );
  }
  if (diff && force) {
    throw new BeeuniError("usage", "--diff changes nothing, so it can't be used with --force.", {
      hint: "Use one of the two.",
    });
  }
  const manifest = readManifest(project === undefined ? {} : { project });
  requireComplete(manifest);
  if (diff) return (await import("../eject_diff.ts")).ejectDiff(manifest, name, json);
  const result = eject(manifest, name, force);
  return { stdout: json ? jsonDocument(result) : report(result), exitCode: 0 };
}

/** What was done, as `--json` prints it; paths are repo-relative. */
interface Ejected {
  name: BeeuniToolName;
  /** The module. */
  wrote: string;
  /** The manifest file that names it. */
  set: string;
  /** Other Beeuni tools that had to be listed. */
  listed: string[];
}

function eject(manifest: Manifest, name: BeeuniToolName, force: boolean): Ejected {
  const module = `${FOLDER}/${name}.ts`;
  const root = { path: manifest.root, real: Deno.realPathSync(manifest.root) };
  moduleTarget(root, module); // refuses a file behind a link that leaves the repository
  // What stands there may still be a link to another file of the project: it is replaced, not followed.
  const path = below(moduleTarget(root, FOLDER), `${name}.ts`);
  if (!force) refuseToReplace(manifest, name, module, path);
  const edit = editTool(manifest, { name, value: module, comment: ejectComment(name) });
  replaceFiles([
    {
      path,
      name: module,
      bytes: Deno.readFileSync(`${findEngine().tools}/${name}.ts`),
      ...(force && { expected: "any" }),
    },
    { path: edit.path, name: edit.file, bytes: edit.after, expected: edit.before },
  ]);
  return { name, wrote: module, set: edit.file, listed: edit.listed };
}

function refuseToReplace(manifest: Manifest, name: BeeuniToolName, module: string, path: string): void {
  if (isThere(path)) {
    throw new BeeuniError("file_exists", `${module} exists. Use --force to overwrite it.`);
  }
  const own = [...manifest.tools, ...manifest.broken].find((tool) => tool.name === name)?.source ?? "";
  // A `beeuni:` value that is wrong is no module, and a missing file at the very path is what eject writes.
  if (own === "" || own.startsWith("beeuni:") || plainRelative(own) === module) return;
  throw new BeeuniError(
    "file_exists",
    `${name} is already the project's own module: ${shown(own)}. Use --force to replace it.`,
  );
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The published words. */
function report({ name, wrote, set, listed }: Ejected): string {
  const title = `"Own the ${name} tool"`;
  const lines = [
    `  ✓  Ejected ${name}`,
    `  wrote   ${wrote} (the Beeuni source, now the project's to change)`,
    `  set     ${set}: tools.${name}: ${wrote}`,
    ...(listed.length === 0 ? [] : [
      `  listed  ${
        listed.map((tool) => `${tool}: beeuni:${tool}`).join(", ")
      } (so the other Beeuni tools stay)`,
    ]),
    "",
    "Next:",
    `  1. Edit ${wrote}. Keep the default export: { description, parameters, execute(args, context) }.`,
    "  2. beeuni validate",
    `  3. git add ${wrote} ${shellWord(set)} && git commit -m ${title}`,
    `  4. Open a change request: git push origin HEAD && beeuni cr open --title ${title}`,
    "Sessions load the copy after the change request merges.",
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join("");
}
