/**
 * The commit that the checkout at `root` is on, read from Git's own files (no process is started).
 *
 * Knows a plain clone, a linked worktree (`.git` is a file) and packed refs.
 *
 * @returns 40 hex digits, or `undefined` without Git or before the first commit.
 */
export function commitOf(root: string): string | undefined {
  const folder = gitFolder(root);
  const head = textOf(`${folder}/HEAD`)?.trim();
  if (head === undefined) return undefined;
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return commit(head);
  // A linked worktree has a HEAD of its own; the branches are in the folder that `commondir` names.
  const shared = textOf(`${folder}/commondir`)?.trim();
  const common = shared === undefined ? folder : absolute(shared, folder);
  const loose = textOf(`${common}/${ref}`);
  if (loose !== undefined) return commit(loose.trim());
  for (const line of textOf(`${common}/packed-refs`)?.split("\n") ?? []) {
    if (line.endsWith(` ${ref}`)) return commit(line.slice(0, -ref.length - 1));
  }
  return undefined;
}

/** `.git`, or the folder that a `.git` file points to. */
function gitFolder(root: string): string {
  const target = /^gitdir: (.+)$/m.exec(textOf(`${root}/.git`) ?? "")?.[1];
  return target === undefined ? `${root}/.git` : absolute(target, root);
}

function absolute(path: string, base: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

/** The text of a file, or `undefined` when there is none: an unreadable repository is none. */
function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function commit(text: string): string | undefined {
  return /^[0-9a-f]{40}$/.test(text) ? text : undefined;
}
