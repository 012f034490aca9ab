import { IMPORTED_KEYS, ROOT_KEYS } from "./keys.ts";
import { MANIFEST_NAME } from "./find_manifest.ts";
import type { IssueCode } from "./issue_codes.ts";
import type { Located } from "./parse/located.ts";
import { below, plainRelative } from "./paths.ts";
import { inspectPath, type PathKind, type ProjectRoot } from "./project_path.ts";
import { quote } from "./quote.ts";
import { readSourceFile, type SourceFile } from "./source_file.ts";

/** Files deep that imports may lead, and files in all, the root file among them. */
export const MAX_IMPORT_DEPTH = 8;
export const MAX_FILES = 200;

/**
 * Reads the root file and all it imports (specification 1.2): an importing file comes before its imports, these in
 * order; each file is read once.
 *
 * What is wrong with an import is a problem of the file that imports.
 */
export function readManifestFiles(root: ProjectRoot): SourceFile[] {
  const files: SourceFile[] = [];
  const read = new Set<string>();
  let full = false;

  /** @param chain The files that led here, by real path and by name; the last is this one. */
  function visit(absolute: string, path: string, chain: readonly { real: string; path: string }[]): void {
    const file = readSourceFile(absolute, path);
    files.push(file);
    if (chain.length > 1) refuseRootKeys(file);
    const list = file.root?.entries.get("imports")?.value;
    if (list?.kind !== "list") return;
    const refused = new Set(
      file.problems.filter(({ segments }) => segments[0] === "imports").map(({ segments }) => segments[1]),
    );
    list.items.forEach((item, index) => {
      const report = (code: IssueCode, message: string): void => {
        file.problems.push({ code, message, offset: item.start, segments: ["imports", String(index)] });
      };
      if (refused.has(String(index))) return;
      for (const target of targetsOf(root, item, report)) {
        const step = chain.findIndex(({ real }) => real === target.real);
        if (step !== -1) {
          const names = [...chain.slice(step).map(({ path }) => path), target.path].join(" → ");
          report("import_cycle", `makes a cycle: ${names}. Remove one of these imports.`);
        } else if (read.has(target.real)) {
          continue;
        } else if (chain.length > MAX_IMPORT_DEPTH) {
          report(
            "import_depth",
            `${quote(target.path)} is more than ${MAX_IMPORT_DEPTH} imports away from ${MANIFEST_NAME}.`,
          );
        } else if (files.length >= MAX_FILES) {
          if (!full) {
            report(
              "import_count",
              `A manifest may have at most ${MAX_FILES} files: ${quote(target.path)} is one too many.`,
            );
          }
          full = true;
        } else {
          read.add(target.real);
          visit(target.real, target.path, [...chain, target]);
        }
      }
    });
  }

  const rootFile = below(root.path, MANIFEST_NAME);
  const real = Deno.realPathSync(rootFile);
  read.add(real);
  visit(rootFile, MANIFEST_NAME, [{ real, path: MANIFEST_NAME }]);
  return files;
}

/** The files an entry of `imports` names: itself, or every YAML file below it, sorted by path. */
function targetsOf(
  root: ProjectRoot,
  item: Located,
  report: (code: IssueCode, message: string) => void,
): { real: string; path: string }[] {
  const path = plainRelative(item.kind === "scalar" ? item.text : "");
  const found = inspectPath(root, path);
  if (found.kind === "file" && isYaml(path)) return [{ real: found.real, path }];
  if (found.kind !== "directory") {
    const refusal = refuse(found, path);
    report(refusal.code, refusal.message);
    return [];
  }
  const targets: { real: string; path: string }[] = [];
  let names: string[];
  try {
    names = yamlFilesBelow(below(root.path, path), path);
  } catch {
    report("file_unreadable", `${quote(path)} has a folder that can't be read.`);
    return [];
  }
  for (const name of names) {
    const inner = inspectPath(root, name);
    if (inner.kind === "file") targets.push({ real: inner.real, path: name });
    else if (inner.kind !== "directory") {
      const refusal = refuse(inner, name);
      report(refusal.code, refusal.message);
    }
  }
  return targets;
}

function isYaml(path: string): boolean {
  return path.endsWith(".yaml") || path.endsWith(".yml");
}

/** Repo-relative paths, by code units; links to folders are not followed, so a circle of links is no trouble. */
function yamlFilesBelow(absolute: string, path: string): string[] {
  const found: string[] = [];
  for (const entry of Deno.readDirSync(absolute)) {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory) found.push(...yamlFilesBelow(`${absolute}/${entry.name}`, inner));
    else if (isYaml(entry.name)) found.push(inner);
  }
  return found.sort();
}

function refuse(found: PathKind, path: string): { code: IssueCode; message: string } {
  switch (found.kind) {
    case "missing":
      return { code: "file_missing", message: `${quote(path)} does not exist in the project files.` };
    case "outside":
      return {
        code: "file_symlink",
        message: `${quote(path)} is reached through a symlink that leaves the repository.`,
      };
    case "unreadable":
      return { code: "file_unreadable", message: `${quote(path)} can't be read: permission denied.` };
    default:
      return { code: "file_kind", message: `${quote(path)} is neither a .yaml or .yml file nor a folder.` };
  }
}

/** Marks the keys of an imported file that only the root file may have. */
function refuseRootKeys(file: SourceFile): void {
  for (const { name, keyStart } of file.root?.entries.values() ?? []) {
    if (!(ROOT_KEYS as readonly string[]).includes(name) || IMPORTED_KEYS.includes(name)) continue;
    const message = `${quote(name)} can't stand in the imported file ${
      quote(file.path)
    }: move it to ${MANIFEST_NAME}.`;
    file.problems.push({ code: "import_key", message, offset: keyStart, segments: [name] });
  }
}
