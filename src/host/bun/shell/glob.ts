import type { Atom } from "./braces.ts";

/** Most folder entries one pattern may look at. */
const MOST_ENTRIES = 100_000;

/**
 * The paths that match a word with unquoted `*` (any characters of a name) and `**` (any folders), sorted.
 *
 * Names that start with a dot match only a pattern that does; links to folders are not followed by `**`. Folders the
 * tool may not read throw Deno's error.
 *
 * @param cwd Absolute folder that a relative pattern is taken against.
 */
export async function expandGlob(atoms: readonly Atom[], cwd: string): Promise<string[]> {
  const walk = new Walk(cwd);
  const segments = split(atoms);
  const absolute = segments[0]!.length === 0 && segments.length > 1;
  await walk.match(absolute ? segments.slice(1) : segments, absolute ? "/" : "");
  return walk.found.sort();
}

/** Whether a word has an unquoted `*`. */
export function hasGlob(atoms: readonly Atom[]): boolean {
  return atoms.some((atom) => atom.char === "*" && !atom.quoted);
}

function split(atoms: readonly Atom[]): Atom[][] {
  const segments: Atom[][] = [[]];
  for (const atom of atoms) {
    if (atom.char === "/") segments.push([]);
    else segments.at(-1)!.push(atom);
  }
  return segments;
}

class Walk {
  readonly found: string[] = [];
  #entries = 0;

  constructor(readonly cwd: string) {}

  /** Matches the rest of a pattern below `base`, which ends in `/` or is empty. */
  async match(segments: readonly Atom[][], base: string): Promise<void> {
    const [segment, ...rest] = segments;
    if (segment === undefined) return;
    const isAnyFolders = segment.length === 2 && hasGlob([segment[0]!]) && hasGlob([segment[1]!]);
    if (isAnyFolders && rest.length > 0) {
      await this.match(rest, base);
      for (const entry of this.#list(base)) {
        if (entry.isDirectory && !entry.name.startsWith(".")) {
          await this.match(segments, `${base}${entry.name}/`);
        }
      }
      return;
    }
    if (!hasGlob(segment)) {
      const path = base + segment.map((atom) => atom.char).join("");
      if (rest.length > 0) return await this.match(rest, `${path}/`);
      if (this.#exists(path)) this.found.push(path);
      return;
    }
    const pattern = new RegExp(
      `^${
        segment.map((atom) => atom.char === "*" && !atom.quoted ? "[^]*" : RegExp.escape(atom.char)).join("")
      }$`,
    );
    const hidden = segment[0]?.char === ".";
    for (const entry of this.#list(base)) {
      if ((entry.name.startsWith(".") && !hidden) || !pattern.test(entry.name)) continue;
      if (rest.length === 0) this.found.push(base + entry.name);
      else if (entry.isDirectory || entry.isSymlink) await this.match(rest, `${base}${entry.name}/`);
    }
  }

  #list(base: string): Deno.DirEntry[] {
    try {
      const entries = [...Deno.readDirSync(this.#absolute(base))];
      this.#entries += entries.length;
      if (this.#entries > MOST_ENTRIES) {
        throw new Error(`Bun.$: a pattern may look at ${MOST_ENTRIES} files at most`);
      }
      return entries;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
      throw error;
    }
  }

  #exists(path: string): boolean {
    try {
      Deno.lstatSync(this.#absolute(path));
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
      throw error;
    }
  }

  #absolute(path: string): string {
    return path.startsWith("/") ? path : `${this.cwd}/${path}`;
  }
}
