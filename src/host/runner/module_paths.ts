import { append, stringIndexOf, stringLastIndexOf, stringSlice, stringStartsWith } from "./primordials.ts";

const decode = decodeURIComponent;

/** Absolute path of a `file:` URL without its query and fragment; `undefined` for any other URL. */
export function filePathOf(url: string): string | undefined {
  if (!stringStartsWith(url, "file:///")) return undefined;
  const path = cutAt(cutAt(stringSlice(url, "file://".length), "#"), "?");
  try {
    return decode(path);
  } catch {
    return undefined;
  }
}

function cutAt(text: string, mark: string): string {
  const at = stringIndexOf(text, mark);
  return at === -1 ? text : stringSlice(text, 0, at);
}

/** The folder of an absolute path; `/` for what lies at the top. */
export function folderOf(path: string): string {
  const slash = stringLastIndexOf(path, "/");
  return slash <= 0 ? "/" : stringSlice(path, 0, slash);
}

/** The absolute, normalised path that a relative (or absolute) specifier means, seen from a folder. */
export function joinPath(folder: string, specifier: string): string {
  let path = specifier[0] === "/" ? "" : folder === "/" ? "" : folder;
  for (let start = 0; start <= specifier.length;) {
    const slash = stringIndexOf(specifier, "/", start);
    const part = stringSlice(specifier, start, slash === -1 ? specifier.length : slash);
    if (part === "..") {
      path = stringSlice(path, 0, stringLastIndexOf(path, "/") === -1 ? 0 : stringLastIndexOf(path, "/"));
    } else if (part !== "" && part !== ".") path += `/${part}`;
    if (slash === -1) break;
    start = slash + 1;
  }
  return path === "" ? "/" : path;
}

/** Whether `path` is `folder` or lies in it; both absolute and normalised. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "/" || stringStartsWith(path, folder + "/");
}

/** Whether `path` is or lies in one of `folders`. */
export function isWithinAny(path: string, folders: readonly string[]): boolean {
  for (let index = 0; index < folders.length; index++) {
    if (isWithin(path, folders[index]!)) return true;
  }
  return false;
}

/** The path as messages name it: relative to the project root when it lies below, else absolute. */
export function pathInMessages(path: string, root: string): string {
  return path !== root && isWithin(path, root) ? stringSlice(path, root === "/" ? 1 : root.length + 1) : path;
}

/** Whether a specifier names a package: neither relative nor absolute, no `#internal` name and no URL. */
export function isBare(specifier: string): boolean {
  if (specifier === "" || specifier[0] === "." || specifier[0] === "/" || specifier[0] === "#") return false;
  return stringIndexOf(specifier, ":") === -1;
}

/** `@scope/name` of `@scope/name/sub`, `name` of `name/sub`. */
export function packageOf(specifier: string): string {
  const first = stringIndexOf(specifier, "/");
  if (first === -1) return specifier;
  if (specifier[0] !== "@") return stringSlice(specifier, 0, first);
  const second = stringIndexOf(specifier, "/", first + 1);
  return second === -1 ? specifier : stringSlice(specifier, 0, second);
}

/** Where a package was looked for, and by whom. */
export interface PackageSearch {
  specifier: string;
  /** Absolute path of the file that imports it. */
  importer: string;
  /** Project root. */
  root: string;
  /** `node_modules` folders of the tool, nearest first; those outside the root are searched after those inside. */
  nodeModules: readonly string[];
}

/** `Cannot find package 'zod' imported from tools/x.ts (looked in tools/node_modules, node_modules)` */
export function missingPackage({ specifier, importer, root, nodeModules }: PackageSearch): string {
  const folders: string[] = [];
  if (isWithin(importer, root)) {
    for (let folder = folderOf(importer);; folder = folderOf(folder)) {
      // Node skips a folder that is a `node_modules` itself.
      if (stringSlice(folder, stringLastIndexOf(folder, "/") + 1) !== "node_modules") {
        append(folders, pathInMessages(`${folder === "/" ? "" : folder}/node_modules`, root));
      }
      if (folder === root || folder === "/") break;
    }
  }
  for (let index = 0; index < nodeModules.length; index++) {
    if (!isWithin(nodeModules[index]!, root) || folders.length === 0) {
      append(folders, pathInMessages(nodeModules[index]!, root));
    }
  }
  let looked = "";
  for (let index = 0; index < folders.length; index++) looked += (index === 0 ? "" : ", ") + folders[index];
  const from = pathInMessages(importer, root);
  return `Cannot find package '${packageOf(specifier)}' imported from ${from}${
    looked && ` (looked in ${looked})`
  }`;
}
