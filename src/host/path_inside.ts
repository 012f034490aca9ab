/**
 * Whether `path` is `folder` or lies in it, by spelling: both absolute and normalised, without a final slash.
 *
 * Deno compares the paths of its permissions the same way, so this answers what a list of roots covers.
 */
export function isInside(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(folder + "/");
}

/** Whether `path` is or lies in one of `folders`. */
export function isInsideAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder));
}

/** `paths` without duplicates and without those that lie in another one; sorted. */
export function outermost(paths: Iterable<string>): string[] {
  const kept: string[] = [];
  const seen = new Set<string>();
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    if (hasAncestor(path, seen)) continue;
    seen.add(path);
    kept.push(path);
  }
  return kept.sort();
}

/** Walks up the folders of `path`: the cost is its depth, however many folders are known. */
function hasAncestor(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has("/")) return true;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return folders.has(path);
}
