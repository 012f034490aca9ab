import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * The commit that the checkout at `root` is on, read from Git's own files (no process is started).
 *
 * Knows a plain clone, a linked worktree (`.git` is a file) and packed refs.
 *
 * @returns 40 hex digits, or `undefined` without Git or before the first commit.
 */
export function commitOf(root: string): string | undefined {
  try {
    const folder = gitFolder(root);
    if (folder === undefined) return undefined;
    const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    if (ref === undefined) return commit(head);
    // A linked worktree has a HEAD of its own; the branches are in the folder that `commondir` names.
    const shared = readIfThere(join(folder, "commondir"));
    const common = shared === undefined ? folder : resolve(folder, shared.trim());
    const loose = readIfThere(join(common, ref));
    if (loose !== undefined) return commit(loose.trim());
    for (const line of readIfThere(join(common, "packed-refs"))?.split("\n") ?? []) {
      if (line.endsWith(` ${ref}`)) return commit(line.slice(0, -ref.length - 1));
    }
    return undefined;
  } catch {
    return undefined; // an unreadable repository is none
  }
}

/** `.git`, or the folder that a `.git` file points to. */
function gitFolder(root: string): string | undefined {
  const path = join(root, ".git");
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return path;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
  return target === undefined ? undefined : resolve(root, target);
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function commit(text: string): string | undefined {
  return /^[0-9a-f]{40}$/.test(text) ? text : undefined;
}
