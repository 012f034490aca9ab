/** A character of a word, or (when `char` is longer or empty) an expansion that is inserted whole. */
export interface Atom {
  char: string;
  /** Whether the character has no meaning of its own. */
  quoted: boolean;
}

/** Most words that one word with braces may become. */
const MOST_WORDS = 10_000;

/**
 * Brace expansion: `a{b,c}d` gives `abd` and `acd`. Braces without a comma between stay as they are.
 *
 * @throws {Error} when more than 10,000 words would come of it.
 */
export function expandBraces<A extends Atom>(atoms: readonly A[]): A[][] {
  const group = firstGroup(atoms);
  if (group === undefined) return [[...atoms]];
  const before = atoms.slice(0, group.start);
  const after = expandBraces(atoms.slice(group.end + 1));
  const inside = group.alternatives.flatMap((alternative) => expandBraces(alternative));
  if (inside.length * after.length > MOST_WORDS) {
    throw new Error(`Bun.$: braces that give more than ${MOST_WORDS} words are not supported`);
  }
  return inside.flatMap((middle) => after.map((rest) => [...before, ...middle, ...rest]));
}

/** `$.braces`: brace expansion of a text. */
export function braces(pattern: string): string[] {
  const atoms: Atom[] = [];
  const chars = [...pattern];
  for (let index = 0; index < chars.length; index++) {
    const escaped = chars[index] === "\\" && index + 1 < chars.length;
    atoms.push({ char: escaped ? chars[++index]! : chars[index]!, quoted: escaped });
  }
  return expandBraces(atoms).map((word) => word.map((atom) => atom.char).join(""));
}

/** The first `{…,…}` with its alternatives; an open brace without an end or a comma is passed over. */
function firstGroup<A extends Atom>(
  atoms: readonly A[],
): { start: number; end: number; alternatives: A[][] } | undefined {
  for (let start = 0; start < atoms.length; start++) {
    if (!isChar(atoms[start], "{")) continue;
    const alternatives: A[][] = [[]];
    let level = 0;
    for (let index = start + 1; index < atoms.length; index++) {
      const atom = atoms[index]!;
      if (level === 0 && isChar(atom, "}")) {
        if (alternatives.length > 1) return { start, end: index, alternatives };
        break;
      }
      if (level === 0 && isChar(atom, ",")) {
        alternatives.push([]);
        continue;
      }
      if (isChar(atom, "{")) level++;
      if (isChar(atom, "}")) level--;
      alternatives.at(-1)!.push(atom);
    }
  }
  return undefined;
}

function isChar(atom: Atom | undefined, char: string): boolean {
  return atom?.char === char && !atom.quoted;
}
