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
 * @throws {Error} When it is not there, in several places, or when what comes of it is too long.
 */
export function replaceText(text: string, { oldString, newString, replaceAll }: Replacement): ReplacedText {
  const end = lineEndOf(text);
  const [wanted, put] = [withLineEnd(oldString, end), withLineEnd(newString, end)];
  const count = countOf(text, wanted);
  if (count === 0) {
    const [only, another] = looseMatches(text, wanted);
    if (only === undefined) throw new Error(NOT_FOUND);
    if (another !== undefined) throw new Error(SEVERAL);
    // Never `String.replace`: `$&` in the new text is text.
    return { text: text.slice(0, only[0]) + put + text.slice(only[1]), count: 1 };
  }
  if (count > 1 && !replaceAll) throw new Error(SEVERAL);
  const length = text.length + count * (put.length - wanted.length);
  if (length > Math.max(MAX_LENGTH, text.length)) {
    throw new Error(
      `The ${count} places would make the text ${length} characters long; ${MAX_LENGTH} is the most. Replace fewer of them, ` +
        "or put in less.",
    );
  }
  return { text: text.split(wanted).join(put), count };
}

/** The longest text that comes of it, in UTF-16 units: a few letters in every place could fill the daemon's memory. */
const MAX_LENGTH = 32 * 1024 * 1024;

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

/** How often `wanted` is in `text`, without overlaps; never for an empty one. */
function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

/**
 * The first two places in `text` whose whole lines are those of `wanted` but for the blanks around each; without their
 * last line end. No line is looked at more than twice (Knuth, Morris, Pratt), however often the lines repeat.
 */
function looseMatches(text: string, wanted: string): Range[] {
  const wantedLines = wanted.split("\n").map((line) => line.trim());
  // A final line end, there or not, makes no difference.
  if (wantedLines.length > 1 && wantedLines.at(-1) === "") wantedLines.pop();
  if (wantedLines.every((line) => line === "")) return [];
  const lines = text.split("\n");
  const fallback = fallbacksOf(wantedLines);
  const found: Range[] = [];
  let matched = 0;
  let lineStart = 0;
  /** Where each line begins. */
  const starts: number[] = [];
  for (const line of lines) {
    const trimmed = line.trim();
    while (matched > 0 && wantedLines[matched] !== trimmed) matched = fallback[matched - 1]!;
    if (wantedLines[matched] === trimmed) matched++;
    starts.push(lineStart);
    if (matched === wantedLines.length) {
      const end = lineStart + line.length - (line.endsWith("\r") ? 1 : 0);
      const withEnd = wanted.endsWith("\n") ? lineEndAfter(text, end) : end;
      found.push([starts[starts.length - matched]!, withEnd]);
      if (found.length === 2) return found;
      matched = fallback[matched - 1]!;
    }
    lineStart += line.length + 1;
  }
  return found;
}

/** For each beginning of `lines`, how long the longest shorter beginning is that it ends with. */
function fallbacksOf(lines: readonly string[]): number[] {
  const fallback = [0];
  let length = 0;
  for (let at = 1; at < lines.length; at++) {
    while (length > 0 && lines[length] !== lines[at]) length = fallback[length - 1]!;
    if (lines[length] === lines[at]) length++;
    fallback.push(length);
  }
  return fallback;
}

function lineEndAfter(text: string, at: number): number {
  return text.startsWith("\r\n", at) ? at + 2 : text.startsWith("\n", at) ? at + 1 : at;
}
