import type { ScriptList, Word } from "./ast.ts";
import { type Atom, expandBraces } from "./braces.ts";
import { expandGlob, hasGlob } from "./glob.ts";
import type { ShellObject } from "./script.ts";

/** What a word is expanded with. */
export interface Expansion {
  /** Absolute working directory. */
  cwd: string;
  /** Home folder, for `~`. */
  home: string;
  values: readonly (string | ShellObject)[];
  variable(name: string): string;
  /** Runs `$(…)` and gives its output. */
  output(script: ScriptList): Promise<string>;
}

/** A word whose `*` matches nothing: the command is not run. */
export class NoMatch extends Error {}

/** An atom that stands for something found at run time, until it is replaced by that. */
interface Piece extends Atom {
  fill?: { kind: "variable"; text: string } | { kind: "command"; script: ScriptList; quoted: boolean };
}

/**
 * Expands a word into the arguments it means: braces, `~`, variables, `$(…)`, `*`.
 *
 * As in Bun's shell, a variable is one argument whatever is in it (none when it is empty and stands alone), while the
 * output of an unquoted `$(…)` is split at white space.
 *
 * @throws {NoMatch} for a pattern that matches nothing; {Error} for an object where only text can stand.
 */
export async function expandWord(word: Word, expansion: Expansion): Promise<string[]> {
  const words: string[] = [];
  for (const pieces of expandBraces(piecesOf(word, expansion))) {
    for (const field of await fieldsOf(withHome(pieces, expansion.home), expansion)) {
      const text = field.map((atom) => atom.char).join("");
      if (!hasGlob(field)) {
        words.push(text);
        continue;
      }
      const found = await expandGlob(field, expansion.cwd);
      if (found.length === 0) throw new NoMatch(`no matches found: ${text}`);
      words.push(...found);
    }
  }
  return words;
}

/** Expands a word into one text, without splitting, braces and `*`: the value of an assignment. */
export async function expandText(word: Word, expansion: Expansion): Promise<string> {
  const fields = await fieldsOf(withHome(piecesOf(word, expansion), expansion.home), expansion);
  return fields.map((field) => field.map((atom) => atom.char).join("")).join(" ");
}

/** The object a word consists of; `undefined` when it is text. */
export function objectOf(word: Word, { values }: Expansion): ShellObject | undefined {
  const [first] = word;
  const value = word.length === 1 && first?.kind === "value" ? values[first.index] : undefined;
  return typeof value === "string" ? undefined : value;
}

function piecesOf(word: Word, { values, variable }: Expansion): Piece[] {
  return word.flatMap((part): Piece[] => {
    if (part.kind === "text") {
      // an empty quoted part is a piece as well: "" is an argument
      if (part.text === "") return [{ char: "", quoted: true }];
      return [...part.text].map((char) => ({ char, quoted: part.quoted }));
    }
    if (part.kind === "value") {
      const value = values[part.index];
      if (typeof value !== "string") {
        throw new Error("Bun.$: data can only stand after < or >: pass a file, or text");
      }
      return value === "" ? [{ char: "", quoted: true }] : [...value].map((char) => ({ char, quoted: true }));
    }
    if (part.kind === "variable") {
      return [{ char: "", quoted: false, fill: { kind: "variable", text: variable(part.name) } }];
    }
    return [{ char: "", quoted: part.quoted, fill: part }];
  });
}

function withHome(pieces: Piece[], home: string): Piece[] {
  const [first, second] = pieces;
  const isHome = first?.char === "~" && !first.quoted && first.fill === undefined &&
    (second === undefined || second.char === "/");
  return isHome ? [...[...home].map((char) => ({ char, quoted: true })), ...pieces.slice(1)] : pieces;
}

/** Fills in what is found at run time; each result is the atoms of one argument. */
async function fieldsOf(pieces: Piece[], expansion: Expansion): Promise<Atom[][]> {
  const fields: Atom[][] = [];
  // undefined: no argument has begun
  let field: Atom[] | undefined;
  const add = (text: string) => {
    (field ??= []).push(...[...text].map((char) => ({ char, quoted: true })));
  };
  for (const { char, quoted, fill } of pieces) {
    if (fill === undefined) {
      (field ??= []).push({ char, quoted });
    } else if (fill.kind === "variable") {
      if (fill.text !== "") add(fill.text);
    } else {
      const output = (await expansion.output(fill.script)).replace(/\n+$/, "");
      if (fill.quoted) {
        add(output);
        continue;
      }
      const words = output.split(/[ \t\n]+/);
      words.forEach((word, index) => {
        if (index > 0 && field !== undefined) {
          fields.push(field);
          field = undefined;
        }
        if (word !== "") add(word);
      });
    }
  }
  if (field !== undefined) fields.push(field);
  return fields;
}
