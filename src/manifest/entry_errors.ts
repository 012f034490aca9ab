import type { MergedSection } from "./keys.ts";
import type { Problem } from "./parse/problem.ts";
import type { SourceFile } from "./source_file.ts";

/** The errors of each entry of a section, over all files; an entry without errors is not in it. */
export function entryErrors(files: readonly SourceFile[], section: MergedSection): Map<string, Problem[]> {
  const errors = new Map<string, Problem[]>();
  for (const { problems } of files) {
    for (const problem of problems) {
      const [top, name] = problem.segments;
      if (problem.severity === "warning" || top !== section || name === undefined) continue;
      const known = errors.get(name);
      if (known === undefined) errors.set(name, [problem]);
      else known.push(problem);
    }
  }
  return errors;
}

/**
 * Whether a problem leaves part of the manifest unknown: a whole file, a whole section, or an import. A problem of one
 * entry does not.
 */
export function costsMoreThanAnEntry(problem: Problem): boolean {
  if (problem.severity === "warning") return false;
  const [top, ...rest] = problem.segments;
  if (top === undefined || top === "imports") return true;
  return rest.length === 0 &&
    (top === "tools" || top === "tool_settings" || top === "agents" || top === "<<");
}
