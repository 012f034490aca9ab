/** What is to be replaced in a text. */
export interface Replacement {
  oldString: string;
  newString: string;
  /** Every place; otherwise there must be exactly one. */
  replaceAll: boolean;
}

/** What came of it. */
export interface ReplacedText {
  text: string;
  /** How many places were replaced. */
  count: number;
}

/**
 * `text` with `oldString` replaced, letter for letter.
 *
 * Line ends are those of the text: an `oldString` with `\n` finds `\r\n` in a file that has these, and what is put in gets
 * them too. If it is not there letter for letter, lines that differ only in the blanks around them are taken, when exactly
 * one place has them.
 *
 * @throws {Error} When it is not there, or in several places.
 */
export function replaceText(text: string, { oldString, newString, replaceAll }: Replacement): ReplacedText {
  const end = lineEndOf(text);
  const [wanted, put] = [withLineEnd(oldString, end), withLineEnd(newString, end)];
  const places = placesOf(text, wanted);
  if (places.length === 0) {
    const loose = looseMatches(text, wanted);
    if (loose.length === 0) throw new Error(NOT_FOUND);
    if (loose.length > 1) throw new Error(SEVERAL);
    return { text: splice(text, loose, put), count: 1 };
  }
  if (places.length > 1 && !replaceAll) throw new Error(SEVERAL);
  const ranges = places.map((start): Range => [start, start + wanted.length]);
  return { text: splice(text, ranges, put), count: places.length };
}

const NOT_FOUND =
  "Could not find oldString in the file. It must be there letter for letter, with the same blanks, " +
  "indentation and line ends: read the place again and copy it.";
const SEVERAL =
  "Found multiple matches for oldString. Give more lines around it, so that only one place fits, or set " +
  "replaceAll.";

type Range = readonly [start: number, end: number];

/** The line end of every line of `text`; `undefined` when it has both kinds, or one line. */
function lineEndOf(text: string): "\n" | "\r\n" | undefined {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  if (all === 0 || (crlf > 0 && crlf < all)) return undefined;
  return crlf === 0 ? "\n" : "\r\n";
}

/** `part` with this line end. */
function withLineEnd(part: string, end: "\n" | "\r\n" | undefined): string {
  if (end === undefined) return part;
  const plain = part.replaceAll("\r\n", "\n");
  return end === "\n" ? plain : plain.replaceAll("\n", end);
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    places.push(at);
  }
  return places;
}

/** Whole lines of `text` that are those of `wanted` but for the blanks around each; without their last line end. */
function looseMatches(text: string, wanted: string): Range[] {
  const lines = text.split("\n");
  const wantedLines = wanted.split("\n").map((line) => line.trim());
  // A final line end, there or not, makes no difference.
  if (wantedLines.length > 1 && wantedLines.at(-1) === "") wantedLines.pop();
  if (wantedLines.every((line) => line === "")) return [];
  const trimmed = lines.map((line) => line.trim());
  const found: Range[] = [];
  let start = 0;
  for (let at = 0; at + wantedLines.length <= lines.length; at++) {
    if (wantedLines.every((line, index) => line === trimmed[at + index])) {
      const block = lines.slice(at, at + wantedLines.length).join("\n");
      const end = start + block.length - (block.endsWith("\r") ? 1 : 0);
      const withEnd = wanted.endsWith("\n") ? lineEndAfter(text, end) : end;
      found.push([start, withEnd]);
    }
    start += lines[at]!.length + 1;
  }
  return found;
}

function lineEndAfter(text: string, at: number): number {
  return text.startsWith("\r\n", at) ? at + 2 : text.startsWith("\n", at) ? at + 1 : at;
}

/** Never `String.replace`: `$&` in the new text is text. */
function splice(text: string, ranges: readonly Range[], put: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(from, start), put);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
