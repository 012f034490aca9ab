import { below, isInside } from "./paths.ts";

/** The folder with `beeuni.yaml`. */
export interface ProjectRoot {
  /** As it was found; it may be reached through links. */
  path: string;
  /** Without links. */
  real: string;
}

/** What stands at a repo-relative path. */
export type PathKind =
  | { kind: "file" | "directory"; real: string }
  /** Neither a file nor a folder: a socket, a device. */
  | { kind: "other" }
  /** Nothing, or a link to nothing. */
  | { kind: "missing" }
  /** Its real path is not below the root: a link, or a folder on the way, leads out. */
  | { kind: "outside" }
  | { kind: "unreadable" };

/** Looks at a repo-relative path; links are followed, but not out of the project. */
export function inspectPath(root: ProjectRoot, relative: string): PathKind {
  try {
    const real = Deno.realPathSync(below(root.path, relative));
    if (!isInside(root.real, real)) return { kind: "outside" };
    const { isFile, isDirectory } = Deno.statSync(real);
    if (isFile) return { kind: "file", real };
    return isDirectory ? { kind: "directory", real } : { kind: "other" };
  } catch (error) {
    const denied = error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable;
    return { kind: denied ? "unreadable" : "missing" };
  }
}
