import type { Declared } from "../merge.ts";
import { plainRelative } from "../paths.ts";
import { inspectPath, type ProjectRoot } from "../project_path.ts";
import { quote } from "../quote.ts";

/**
 * Checks that the module an entry of `tools` names is a file of the project (specification 1.3); what is wrong becomes
 * a problem of the entry's file.
 *
 * @param declared An entry whose value is the path of a module.
 */
export function checkModule(root: ProjectRoot, { file, entry }: Declared): void {
  const { value, name } = entry;
  const path = value.kind === "scalar" ? value.text : "";
  const report = (code: "module_missing" | "module_kind" | "module_symlink", what: string): void => {
    file.problems.push({
      code,
      message: `${quote(path)} ${what}`,
      offset: value.start,
      segments: ["tools", name],
    });
  };
  switch (inspectPath(root, plainRelative(path)).kind) {
    case "file":
      return;
    case "missing":
      return report("module_missing", "does not exist in the project files.");
    case "outside":
      return report("module_symlink", "is reached through a symlink that leaves the repository.");
    case "directory":
      return report("module_kind", "is a directory: name the module's file.");
    case "unreadable":
      return report("module_kind", "can't be read: permission denied.");
    default:
      return report("module_kind", "is not a regular file.");
  }
}
