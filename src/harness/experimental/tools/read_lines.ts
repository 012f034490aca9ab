import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;

/** Longest line a model gets, in characters (UTF-16 units), as in OpenCode. */
export const MAX_LINE_LENGTH = 2_000;

/** What stands behind a line that was cut. */
export const LINE_CUT = `… (line cut after ${MAX_LINE_LENGTH} characters)`;

/** As many bytes of a line are kept as {@link MAX_LINE_LENGTH} characters can have. */
const KEPT_BYTES = MAX_LINE_LENGTH * 4;

/** How much of a file is read behind the wanted lines to count the others, in bytes. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/** Which lines of a file are wanted. */
export interface LineRange {
  /** First line, from 1. */
  first: number;
  /** Most lines. */
  count: number;
  /** Most bytes of their text, as {@link LineCost} counts them. */
  maxBytes: number;
  /** Bytes that a line takes in the output. */
  cost: (line: string, number: number) => number;
  signal: AbortSignal;
}

/** Lines of a file. */
export interface Lines {
  lines: string[];
  /** Whether they are fewer than wanted because of `maxBytes`. */
  full: boolean;
  /** Lines of the whole file; absent when it is too large to count them. */
  total?: number;
}

/**
 * Reads some lines of a file, in memory that depends neither on its size nor on the length of its lines. A line's end is
 * `\n` or `\r\n`; a final one starts no line. A byte order mark at the start is no part of the text.
 */
export async function readLines(file: FileHandle, range: LineRange): Promise<Lines> {
  const reading = new Reading(range);
  const buffer = new Uint8Array(CHUNK_BYTES);
  let at = 0;
  let counted = 0;
  for (;;) {
    range.signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return { ...reading.end(), total: reading.line };
    at += bytesRead;
    reading.take(buffer.subarray(0, bytesRead));
    if (!reading.done) continue;
    counted += bytesRead;
    if (counted > MAX_COUNTED_BYTES) return reading.end();
  }
}

/** The state of {@link readLines} between two pieces. */
class Reading {
  readonly #range: LineRange;
  readonly #kept = new Uint8Array(KEPT_BYTES);
  #keptLength = 0;
  /** Whether something of the line was seen already. */
  #begun = false;
  #cut = false;
  #bytes = 0;
  readonly #lines: string[] = [];
  #full = false;
  /** Lines that are over. */
  line = 0;

  constructor(range: LineRange) {
    this.#range = range;
  }

  /** Whether the lines that are wanted are all there. */
  get done(): boolean {
    return this.#full || this.line >= this.#range.first - 1 + this.#range.count;
  }

  take(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length;) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      if (!this.done && this.line >= this.#range.first - 1) this.#keep(chunk.subarray(start, end));
      this.#begun = newline === -1;
      if (newline === -1) return;
      this.#endLine();
      start = newline + 1;
    }
  }

  end(): Omit<Lines, "total"> {
    if (this.#begun) this.#endLine();
    return { lines: this.#lines, full: this.#full };
  }

  #keep(part: Uint8Array): void {
    const fits = part.subarray(0, KEPT_BYTES - this.#keptLength);
    this.#kept.set(fits, this.#keptLength);
    this.#keptLength += fits.length;
    this.#cut ||= fits.length < part.length;
  }

  #endLine(): void {
    this.#begun = false;
    const number = ++this.line;
    if (number < this.#range.first || this.#full) return;
    if (this.#lines.length >= this.#range.count) return;
    const line = this.#text(number);
    const cost = this.#range.cost(line, number);
    this.#keptLength = 0;
    this.#cut = false;
    // The first line is given whatever it takes: it is bounded, and nothing at all would help nobody.
    if (this.#bytes + cost > this.#range.maxBytes && this.#lines.length > 0) {
      this.#full = true;
      return;
    }
    this.#bytes += cost;
    this.#lines.push(line);
  }

  #text(number: number): string {
    const bytes = this.#kept.subarray(0, this.#keptLength);
    const text = new TextDecoder("utf-8", { ignoreBOM: number !== 1 }).decode(bytes);
    if (!this.#cut) {
      const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
      if (whole.length <= MAX_LINE_LENGTH) return whole;
    }
    return cutLine(text);
  }
}

/** A line that is too long, cut between two characters, with a note. */
export function cutLine(line: string): string {
  const code = line.charCodeAt(MAX_LINE_LENGTH - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? MAX_LINE_LENGTH - 1 : MAX_LINE_LENGTH;
  return line.slice(0, end) + LINE_CUT;
}
