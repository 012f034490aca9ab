import { BEEUNI_TOOLS, isBeeuniTool } from "../../beeuni_tools/registry.ts";
import { entryErrors } from "../entry_errors.ts";
import { isHarnessTool } from "../harness_tools.ts";
import type { Declared, Sections } from "../merge.ts";
import type { ToolEntry } from "../model.ts";
import { plainRelative } from "../paths.ts";
import type { ProjectRoot } from "../project_path.ts";
import { positionOf, type SourceFile } from "../source_file.ts";
import { checkModule } from "./modules.ts";

/** What the `tools` of all files come to. */
export interface Selection {
  /** Whether a `tools` key stands anywhere. */
  toolsKey: boolean;
  /** What each declared or implied tool would be, in listing order, whether it can be used or not. */
  entries: ToolEntry[];
  /** Beeuni tools that are not listed though a `tools` key exists, in registry order. */
  removed: string[];
}

/**
 * Which tools a session gets (specification 1.3): without a `tools` key all five Beeuni tools, with one those it lists;
 * a project's own tools in both cases. Beeuni tools come first, in registry order, then the others in file order.
 */
export function selectTools(files: readonly SourceFile[], sections: Sections): Selection {
  const toolsKey = files.some(({ root }) => root?.entries.has("tools"));
  if (!toolsKey) {
    const entries = BEEUNI_TOOLS.map((name): ToolEntry => ({
      name,
      kind: "beeuni",
      source: `beeuni:${name}`,
    }));
    return { toolsKey, entries, removed: [] };
  }
  const listed = BEEUNI_TOOLS.flatMap((name) => sections.tools.get(name) ?? []);
  const own = [...sections.tools.values()].filter(({ entry }) => !isBeeuniTool(entry.name));
  return {
    toolsKey,
    entries: [...listed, ...own].map(toolEntry),
    removed: BEEUNI_TOOLS.filter((name) => !sections.tools.has(name)),
  };
}

function toolEntry({ file, entry }: Declared): ToolEntry {
  const { name, value, keyStart } = entry;
  const text = value.kind === "scalar" && typeof value.data === "string" ? value.data : "";
  const position = positionOf(file, keyStart);
  if (text === `beeuni:${name}` && isBeeuniTool(name)) {
    return { name, kind: "beeuni", source: text, position };
  }
  const kind = isBeeuniTool(name) ? "beeuni (overridden)" : "project";
  return { name, kind, source: text.startsWith("beeuni:") ? text : plainRelative(text), position };
}

/** Checks the module of every entry that has no error yet. */
export function checkModules(root: ProjectRoot, files: readonly SourceFile[], sections: Sections): void {
  const errors = entryErrors(files, "tools");
  for (const declared of sections.tools.values()) {
    const { name, value } = declared.entry;
    if (!errors.has(name) && value.data !== `beeuni:${name}`) checkModule(root, declared);
  }
}

/** Warns of a `tools` key that lists no Beeuni tool: often a project that adds its first tool and drops the five. */
export function warnOfNoBeeuniTool(files: readonly SourceFile[], sections: Sections): void {
  const file = files.find(({ root }) => root?.entries.has("tools"));
  const key = file?.root?.entries.get("tools");
  if (file === undefined || key === undefined) return;
  if (BEEUNI_TOOLS.some((name) => sections.tools.has(name))) return;
  file.problems.push({
    code: "no_beeuni_tool",
    severity: "warning",
    message: `Sessions of this project get no Beeuni tool (${BEEUNI_TOOLS.join(", ")}). ` +
      "Add `<name>: beeuni:<name>` to keep one.",
    offset: key.keyStart,
    segments: ["tools"],
  });
}

/** Whether `name` is a tool that exists in this project: the harness's, one of the five, or a declared one. */
export function isKnownTool(name: string, sections: Sections): boolean {
  return isHarnessTool(name) || isBeeuniTool(name) || sections.tools.has(name);
}
