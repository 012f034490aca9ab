/** How much is read at once, in bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** Longest line that is searched to its end, in bytes; of a longer one, the beginning is. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Longest text of a match that is given, in UTF-16 units. */
const MAX_TEXT = 2_000;

const NEWLINE = 0x0a;

/** One for all files: the search goes through them one after the other, and making one of this size each took longer. */
const buffer = new Uint8Array(MAX_LINE_BYTES + CHUNK_BYTES);

/**
 * The lines of a file that a pattern fits, in memory that does not grow with the file. A file with a NUL in its first
 * piece is binary and has none.
 *
 * @returns Number (from 1) and text of each; a text over 2,000 characters is cut.
 */
export function* matchLines(path: string, pattern: RegExp): Generator<{ line: number; text: string }> {
  using file = Deno.openSync(path);
  if (!file.statSync().isFile) return;
  const decoder = new TextDecoder();
  /** Bytes of a line that is not over yet, at the start of the buffer. */
  let kept = 0;
  let skipping = false;
  let line = 0;
  for (let piece = 0;; piece++) {
    const read = file.readSync(buffer.subarray(kept, kept + CHUNK_BYTES)) ?? 0;
    const filled = kept + read;
    if (piece === 0 && buffer.subarray(0, filled).includes(0)) return;
    let start = 0;
    if (skipping) {
      const end = buffer.subarray(0, filled).indexOf(NEWLINE);
      if (end === -1 && read > 0) {
        kept = 0;
        continue;
      }
      skipping = false;
      start = end === -1 ? filled : end + 1;
    }
    const last = read === 0 ? filled : buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1;
    if (last > start) {
      // One text for all whole lines of the piece: far cheaper than one for each.
      const text = decoder.decode(buffer.subarray(start, last));
      for (const one of text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n")) {
        line++;
        const whole = one.endsWith("\r") ? one.slice(0, -1) : one;
        if (pattern.test(whole)) yield { line, text: cut(whole) };
      }
      start = last;
    }
    if (read === 0) return;
    kept = filled - start;
    buffer.copyWithin(0, start, filled);
    if (kept < MAX_LINE_BYTES) continue;
    line++;
    const long = decoder.decode(buffer.subarray(0, kept));
    if (pattern.test(long)) yield { line, text: cut(long) };
    kept = 0;
    skipping = true;
  }
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const code = text.charCodeAt(MAX_TEXT - 1);
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? MAX_TEXT - 1 : MAX_TEXT)}…`;
}
