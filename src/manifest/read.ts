import { BeeuniError } from "../errors/error.ts";
import { costsMoreThanAnEntry, entryErrors } from "./entry_errors.ts";
import { findManifest, type FindOptions, MANIFEST_NAME } from "./find_manifest.ts";
import { readManifestFiles } from "./imports.ts";
import { mergeSections, type Sections } from "./merge.ts";
import type { BrokenEntry, Issue, Manifest, ToolEntry } from "./model.ts";
import type { Problem } from "./parse/problem.ts";
import { below } from "./paths.ts";
import type { ProjectRoot } from "./project_path.ts";
import { shown } from "./quote.ts";
import { warnOfAgentPermission } from "./rules/agent_permission.ts";
import { warnOfAgentTools } from "./rules/agent_tools.ts";
import { readAgents, readDefaultAgent } from "./rules/agents.ts";
import { readSettings } from "./rules/settings.ts";
import { checkModules, selectTools, warnOfNoBeeuniTool } from "./rules/tools.ts";
import { warnOfUnknownKeys } from "./rules/unknown_keys.ts";
import { positionOf, type SourceFile } from "./source_file.ts";

/**
 * Reads `beeuni.yaml` and all it imports, and applies every rule (specification 1.1–1.6).
 *
 * What is wrong in the manifest is in `issues`, never thrown. A broken entry costs one entry: it is in `broken`, with
 * a tool whose `tool_settings` have an error, because without them its sandbox could be wider than meant.
 *
 * It reads files only: no module is imported.
 *
 * @throws {BeeuniError} `no_manifest`, or `unreadable` when the project folder can't be looked at.
 */
export function readManifest(options: FindOptions = {}): Manifest {
  const path = findManifest(options);
  const root: ProjectRoot = { path, real: realPath(path) };
  const files = readManifestFiles(root);
  const sections = mergeSections(files);
  const selection = selectTools(files, sections);
  checkModules(root, files, sections);
  const settings = readSettings(files, sections, selection.toolsKey);
  const agents = readAgents(files, sections);
  const incomplete = files.some(({ problems }) => problems.some(costsMoreThanAnEntry));
  const common = {
    root: path,
    file: below(path, MANIFEST_NAME),
    files: files.map((file) => file.path),
    toolsKey: selection.toolsKey,
  };
  if (incomplete) {
    return {
      ...common,
      tools: [],
      removed: [],
      broken: [],
      settings: new Map(),
      agents: new Map(),
      agentsDeclared: true,
      incomplete: true,
      issues: issuesOf(files),
    };
  }

  const defaultAgent = readDefaultAgent(files, agents);
  files.forEach(warnOfUnknownKeys);
  warnOfNoBeeuniTool(files, sections);
  warnOfAgentTools(sections, selection.removed);
  warnOfAgentPermission(sections);
  const broken = brokenTools(files, sections, selection.entries);
  const brokenNames = new Set(broken.map(({ name }) => name));
  return {
    ...common,
    tools: selection.entries.filter(({ name }) => !brokenNames.has(name)),
    removed: selection.removed,
    broken,
    settings,
    agents: agents.agents,
    agentsDeclared: agents.declared,
    ...(defaultAgent !== undefined && { defaultAgent }),
    issues: issuesOf(files),
  };
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (cause) {
    throw new BeeuniError("unreadable", `${path} can't be read.`, { cause });
  }
}

/** The tools that have an error of their own or in their settings, in listing order. */
function brokenTools(
  files: readonly SourceFile[],
  sections: Sections,
  entries: readonly ToolEntry[],
): BrokenEntry[] {
  const own = entryErrors(files, "tools");
  const settings = entryErrors(files, "tool_settings");
  return entries.flatMap(({ name, source }) => {
    const messages = [
      ...(own.get(name) ?? []).map(({ message }) => message),
      ...(settings.get(name) ?? []).map((problem) => `${pathOf(problem)}: ${problem.message}`),
    ];
    if (messages.length === 0) return [];
    const written = sections.tools.get(name)?.entry.value;
    const text = written?.kind === "scalar" && typeof written.data === "string" ? written.data : source;
    return [{ name, source: text, error: messages.join(" ") }];
  });
}

/** All problems as issues: errors first, then by file and place. */
function issuesOf(files: readonly SourceFile[]): Issue[] {
  const issues = files.flatMap((file) =>
    [...file.problems].sort((a, b) => a.offset - b.offset).map((problem): Issue => ({
      severity: problem.severity ?? "error",
      code: problem.code,
      path: pathOf(problem),
      message: problem.message,
      ...positionOf(file, problem.offset),
    }))
  );
  return [
    ...issues.filter(({ severity }) => severity === "error"),
    ...issues.filter(({ severity }) => severity === "warning"),
  ];
}

/** The dotted path of a problem, on one line whatever the names are. */
function pathOf({ segments }: Problem): string {
  return segments.map(shown).join(".");
}
