import { Gitignore } from "./gitignore.ts";

/** Options of {@link walk}. */
export interface WalkOptions {
  /** Folder to walk, an absolute real path. */
  start: string;
  /** The checkout, whose `.gitignore` files count from the top; `start` lies in it, or none counts above `start`. */
  root: string;
  /** Whether names that begin with a dot are visited; `.git` never is. */
  hidden: boolean;
}

/** The rules of a folder, and where it is. */
interface Scope {
  folder: string;
  rules: Gitignore;
}

/** Largest `.gitignore` that is read, in bytes. */
const MAX_RULES_BYTES = 1024 * 1024;

/**
 * The files below a folder, sorted by name, folder by folder, as ripgrep would visit them: what `.gitignore` and `.ignore`
 * files name is left out, links are not followed, and neither is anything that is no regular file.
 *
 * @returns Paths relative to `start`.
 */
export function* walk({ start, root, hidden }: WalkOptions): Generator<string> {
  const scopes = scopesAbove(start, root);
  yield* visit(start, "", scopes, hidden);
}

/** The rules of the folders from `root` down to the one above `start`. */
function scopesAbove(start: string, root: string): Scope[] {
  if (start === root || !start.startsWith(`${root}/`)) return [];
  const scopes: Scope[] = [];
  let folder = root;
  for (const part of start.slice(root.length + 1).split("/")) {
    scopes.push(...scopesOf(folder));
    folder += `/${part}`;
  }
  return scopes;
}

function scopesOf(folder: string): Scope[] {
  return [".gitignore", ".ignore"].flatMap((name) => {
    try {
      const path = `${folder}/${name}`;
      const info = Deno.lstatSync(path);
      if (!info.isFile || info.size > MAX_RULES_BYTES) return [];
      return [{ folder, rules: new Gitignore(Deno.readTextFileSync(path)) }];
    } catch {
      return [];
    }
  });
}

function* visit(start: string, inner: string, above: readonly Scope[], hidden: boolean): Generator<string> {
  const folder = inner === "" ? start : `${start}/${inner}`;
  const scopes = [...above, ...scopesOf(folder)];
  for (const { name, isFile, isDirectory } of list(folder)) {
    if (!isFile && !isDirectory) continue;
    if (name === ".git" || (!hidden && name.startsWith("."))) continue;
    if (isIgnored(`${folder}/${name}`, isDirectory, scopes)) continue;
    const path = inner === "" ? name : `${inner}/${name}`;
    if (isFile) yield path;
    else yield* visit(start, path, scopes, hidden);
  }
}

function list(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    // It may not be looked into, or went away meanwhile.
    return [];
  }
}

/** The nearest file with a rule about the path decides. */
function isIgnored(path: string, isFolder: boolean, scopes: readonly Scope[]): boolean {
  for (let at = scopes.length - 1; at >= 0; at--) {
    const { folder, rules } = scopes[at]!;
    const decided = rules.decides(path.slice(folder.length + 1), isFolder);
    if (decided !== undefined) return decided;
  }
  return false;
}
