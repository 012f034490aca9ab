// `node:path` costs a third of a hello world's start, and `beeuni tools ls` needs no more than this of it.

/** `path` made absolute against `cwd`, without `.`, `..` and empty parts; links are not followed. */
export function absolutePath(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The folder that holds the absolute path; `/` for `/`. */
export function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** The absolute path of `relative` (repo-relative, `""` = the root itself) under `root`. */
export function below(root: string, relative: string): string {
  if (relative === "") return root;
  return root === "/" ? `/${relative}` : `${root}/${relative}`;
}

/** Whether the absolute path is `root` or lies below it; both without links. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}

/** A repo-relative path as everybody else names it: without `.` and empty parts. */
export function plainRelative(path: string): string {
  return path.split("/").filter((part) => part !== "" && part !== ".").join("/");
}
