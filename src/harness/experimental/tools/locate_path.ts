import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isInsideAny } from "../../../host/path_inside.ts";
import { codeOf, reason } from "./file_error.ts";

/** Where a call may reach. */
export interface Reach {
  /** The checkout, as it is named. */
  root: string;
  /** What relative paths start from. */
  directory: string;
  /** The session's folder for long outputs; absent where only the checkout counts. */
  spillFolder?: string;
}

/** A path of a call that was found to be within reach. */
export interface LocatedPath {
  /** Absolute path with every link resolved; what does not exist yet is as it was written. */
  real: string;
  /** Absolute path as the model knows it, for messages. */
  shown: string;
}

/**
 * Where a path of a call really is.
 *
 * It must lie in the checkout (or in the session's spill folder) both as it is written and when every link on the way
 * is resolved. What lies outside is refused alike whether it exists or not, so nothing is told about it.
 *
 * @throws {Error} A sentence that says what is allowed.
 */
export async function locatePath(path: string, reach: Reach): Promise<LocatedPath> {
  if (path.trim() === "") {
    throw new Error("The path is empty. Give the path of a file or a folder of the project.");
  }
  if (path.includes("\0")) throw new Error("The path has a NUL character in it. Leave it out.");
  const shown = resolve(reach.directory, path);
  const roots = [reach.root, await realPlace(reach.root)];
  const spill = reach.spillFolder;
  if (spill !== undefined) roots.push(spill, await realPlace(spill));
  if (!isInsideAny(shown, roots)) throw outside(path, reach);
  const real = await realPlace(shown);
  const realRoots = roots.filter((_, at) => at % 2 === 1);
  if (!isInsideAny(real, realRoots)) throw outside(path, reach);
  return { real, shown };
}

/**
 * {@link locatePath} for a file that is to be written: in the checkout only, and not what git itself runs or obeys. The
 * rest is the agent's to change, as on the standard harness; an agent's permission rules narrow it.
 *
 * @throws {Error} A sentence that says what is allowed.
 */
export async function locateWritable(
  path: string,
  reach: Pick<Reach, "root" | "directory">,
): Promise<LocatedPath> {
  const { root, directory } = reach;
  const located = await locatePath(path, { root, directory });
  const inner = relative(await realPlace(root), located.real);
  if (inner === "") throw new Error(`${located.shown} is the project's folder, not a file.`);
  // A nested repository is obeyed like the outermost one.
  if (inner.split("/").includes(".git")) {
    throw new Error(`${path} can't be written: .git is protected, because git runs and obeys what is in it.`);
  }
  return located;
}

/** How many links that lead nowhere are followed by hand, one after the other. */
const MAX_LINKS = 40;

/**
 * The real path of the deepest part of `path` that exists, and the rest as it is written.
 *
 * A link that leads nowhere has no real path: it is followed by hand, so that nothing made "through" it can come to lie
 * outside, and nobody learns from the answer whether something outside exists.
 *
 * @throws {Error} When links go round in circles, or a folder may not be looked into.
 */
async function realPlace(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = links > MAX_LINKS ? "ELOOP" : codeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      throw new Error(`${path} can't be reached: ${reason(code)}.`);
    }
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await realPlace(parent, links);
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) return await realPlace(resolve(realParent, target), links + 1);
  return join(realParent, basename(path));
}

function outside(path: string, { root, spillFolder }: Reach): Error {
  const also = spillFolder === undefined ? "" : ` and this session's long outputs in ${spillFolder}`;
  return new Error(`${path} is outside the project. Only files in ${root}${also} can be used.`);
}
