import {
  mathMax,
  mathMin,
  monotonicNow,
  stringCharCodeAt,
  stringLastIndexOf,
  stringSlice,
  stringToWellFormed,
} from "./primordials.ts";
import { longestMaskForm, maskSecrets } from "./secret_mask.ts";

/** Where a tool wrote. */
export type LogStream = "stdout" | "stderr" | "console";

/** How much one budget lets through, in UTF-16 units and in pieces. */
export interface LogLimits {
  units: number;
  pieces: number;
  /** After so many milliseconds the budget is renewed; `Infinity`: never. */
  windowMs: number;
}

/** What one call may log. */
export const CALL_LOG: LogLimits = { units: 256 * 1024, pieces: 2_000, windowMs: Infinity };
/** What is logged outside calls: at import, or by what an earlier call left running. */
export const IDLE_LOG: LogLimits = { units: 64 * 1024, pieces: 500, windowMs: 10_000 };

/** Longest piece in UTF-16 units: a longer text is cut into several. */
const MAX_PIECE = 32 * 1024;
/** How much of a line without an end is kept back. */
const MAX_PARTIAL = 8 * 1024;

/**
 * Turns what a tool prints into log pieces: whole lines where it prints lines, and no more than the limits, with one
 * note where the rest is left out. Printing on is cheap after that, so that a flood harms nobody.
 */
export class ToolLog {
  #units = 0;
  #pieces = 0;
  #since = monotonicNow();
  #isCut = false;
  /** Beginnings of lines, by stream. */
  readonly #partial = { stdout: "", stderr: "", console: "" };

  constructor(
    readonly limits: LogLimits,
    private readonly send: (stream: LogStream, text: string) => void,
  ) {}

  /** Whether what is printed now is left out. */
  get isCut(): boolean {
    if (this.#isCut && monotonicNow() - this.#since > this.limits.windowMs) {
      this.#isCut = false;
      this.#units = this.#pieces = 0;
      this.#since = monotonicNow();
    }
    return this.#isCut;
  }

  /** Prints `text`; the end of a line that has not come yet is kept until it does, or until {@link flush}. */
  write(stream: LogStream, text: string): void {
    if (this.isCut) return;
    const whole = this.#partial[stream] + text;
    const end = stringLastIndexOf(whole, "\n") + 1;
    const rest = whole.length - end;
    if (rest > MAX_PARTIAL && rest > MAX_PARTIAL + longestMaskForm()) {
      return this.#sendBeginning(stream, whole);
    }
    this.#partial[stream] = stringSlice(whole, end);
    this.#send(stream, stringSlice(whole, 0, end));
  }

  /** Prints a line before its end has come, but for what may be the beginning of a secret. */
  #sendBeginning(stream: LogStream, text: string): void {
    const masked = maskSecrets(text);
    let end = mathMax(masked.length - mathMax(longestMaskForm() - 1, 0), 0);
    if (end > 0 && end < masked.length && isLeadSurrogate(stringCharCodeAt(masked, end - 1))) end--;
    this.#partial[stream] = stringSlice(masked, end);
    this.#send(stream, stringSlice(masked, 0, end));
  }

  /** Prints what is kept. */
  flush(): void {
    this.#flush("stdout");
    this.#flush("stderr");
    this.#flush("console");
  }

  #flush(stream: LogStream): void {
    const text = this.#partial[stream];
    if (text === "") return;
    this.#partial[stream] = "";
    if (!this.isCut) this.#send(stream, text);
  }

  #send(stream: LogStream, printed: string): void {
    // The daemon masks each piece alone, so what is cut into pieces is masked as a whole.
    const left = this.limits.units - this.#units;
    const isOnePiece = printed.length <= mathMin(MAX_PIECE, left);
    const { text, isWhole } = isOnePiece ? { text: printed, isWhole: true } : maskBeginning(printed, left);
    for (let start = 0; start < text.length && !this.#isCut;) {
      const room = mathMin(MAX_PIECE, this.limits.units - this.#units);
      let end = mathMin(start + room, text.length);
      if (end < text.length && isLeadSurrogate(stringCharCodeAt(text, end - 1))) {
        end = mathMax(end - 1, start + 1);
      }
      this.#units += end - start;
      this.#pieces++;
      this.send(stream, stringToWellFormed(stringSlice(text, start, end)));
      start = end;
      if (this.#units >= this.limits.units || this.#pieces >= this.limits.pieces) this.#cut();
    }
    if (!isWhole && !this.#isCut) this.#cut();
  }

  #cut(): void {
    this.#isCut = true;
    this.send("console", "[the rest of what the tool prints here is left out of the log]\n");
  }
}

/** `text` masked: of one that is far longer than what may still be printed, a little more than that. */
function maskBeginning(text: string, units: number): { text: string; isWhole: boolean } {
  const longest = longestMaskForm();
  // As much again, as a mask is shorter than a secret.
  const enough = 2 * (units + longest);
  if (text.length <= enough) return { text: maskSecrets(text), isWhole: true };
  const masked = maskSecrets(stringSlice(text, 0, enough));
  // A secret that goes on behind the cut is not masked, so the end of the text may hold a half.
  return { text: stringSlice(masked, 0, mathMax(masked.length - longest, 0)), isWhole: false };
}

function isLeadSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
