import { builtin } from "../builtin.ts";

/**
 * Whether `rm` must leave a path alone whatever its options: the root, the working directory, and every folder around
 * that.
 *
 * @param path Absolute, without `.`, `..` and links on the way: what is checked must be what is removed.
 * @param cwd Absolute working directory, likewise.
 */
export function mustStay(path: string, cwd: string): boolean {
  const folder = path.endsWith("/") ? path : `${path}/`;
  return `${cwd}/`.startsWith(folder);
}

/**
 * The path that a removal of `path` means, resolved so that nothing is left for the system to resolve otherwise.
 *
 * `..` is taken from the path as it is written; links in the folders on the way are followed, one at the end is not, so
 * that the link is removed and not what it points to.
 *
 * @param path As given to `rm`, taken against `cwd`.
 * @throws {Error} Deno's, when a folder on the way is missing or may not be read.
 */
export function removalTarget(path: string, cwd: string): string {
  const { basename, dirname, join, resolve } = builtin("node:path");
  const written = resolve(cwd, path);
  return written === "/" ? written : join(Deno.realPathSync(dirname(written)), basename(written));
}
