import {
  countLines,
  cutOutput,
  isWithinBounds,
  MAX_OUTPUT_BYTES,
  MAX_SPILL_BYTES,
  outputNote,
} from "../../../host/runner/bound_output.ts";
import { sentenceOf } from "../../../host/runner/sentence.ts";
import { openSpillFile } from "../../../host/runner/spill_file.ts";
import type { HarnessToolResult } from "../harness_tool.ts";

const NEWLINE = 0x0a;

/**
 * Takes output as it comes, in memory that does not grow with it: the beginning is kept, and once it is more than a model
 * gets (specification 2.5) all of it goes to a file in the session's spill folder.
 */
export class OutputCollector implements Disposable {
  readonly #folder: string;
  readonly #tool: string;
  readonly #maxBytes: number;
  /** The beginning: one byte more than the bound, which tells that there is more. */
  readonly #head = new Uint8Array(MAX_OUTPUT_BYTES + 1);
  #headLength = 0;
  #bytes = 0;
  #newlines = 0;
  #endsInNewline = true;
  #file: Deno.FsFile | undefined;
  /** Where the whole output is, or why it is not. */
  #place: string | { lost: string } | undefined;

  /** @param maxBytes What the file may grow to; default the 256 MiB of a hosted tool's. */
  constructor(options: { folder: string; tool: string; maxBytes?: number }) {
    this.#folder = options.folder;
    this.#tool = options.tool;
    this.#maxBytes = options.maxBytes ?? MAX_SPILL_BYTES;
  }

  /** Takes a piece; false when that is more than a file may hold, and the rest was dropped. */
  async push(chunk: Uint8Array): Promise<boolean> {
    const left = this.#maxBytes - this.#bytes;
    const piece = chunk.length > left ? chunk.subarray(0, left) : chunk;
    if (piece.length > 0) await this.#keep(piece);
    return piece.length === chunk.length;
  }

  async #keep(piece: Uint8Array): Promise<void> {
    const before = this.#headLength;
    const fits = piece.subarray(0, this.#head.length - before);
    this.#head.set(fits, before);
    this.#headLength += fits.length;
    this.#bytes += piece.length;
    this.#endsInNewline = piece[piece.length - 1] === NEWLINE;
    this.#newlines += countLines(piece) - (this.#endsInNewline ? 0 : 1);
    if (this.#place === undefined) {
      if (this.#bytes <= MAX_OUTPUT_BYTES) return;
      this.#open();
      await this.#write(this.#head.subarray(0, before));
    }
    await this.#write(piece);
  }

  #open(): void {
    try {
      const { path, file } = openSpillFile({ folder: this.#folder, tool: this.#tool, json: false });
      this.#file = file;
      this.#place = path;
    } catch (error) {
      this.#place = { lost: sentenceOf(error, "the file") };
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#file === undefined) return;
    try {
      for (let written = 0; written < bytes.length;) {
        written += await this.#file.write(bytes.subarray(written));
      }
    } catch (error) {
      this[Symbol.dispose]();
      if (typeof this.#place === "string") await Deno.remove(this.#place).catch(() => {});
      const message = error instanceof Error ? error.message : String(error);
      this.#place = { lost: message.replace(/ \(os error \d+\).*$/s, "") };
    }
  }

  /**
   * What the model gets: all of it, or its beginning with the note, within the bounds of 2.5.
   *
   * @param status What else there is to say, one line, such as the exit code; `""` for nothing.
   * @param whenEmpty What stands for no output at all.
   */
  async finish(status: string, whenEmpty: string): Promise<HarnessToolResult> {
    const head = new TextDecoder().decode(this.#head.subarray(0, this.#headLength));
    const text = [head.length === 0 ? whenEmpty : head, status].filter((part) => part !== "").join(
      head.endsWith("\n") ? "\n" : "\n\n",
    );
    const bytes = new TextEncoder().encode(text);
    if (this.#place === undefined && isWithinBounds(bytes.length, countLines(bytes))) return { output: text };
    if (this.#place === undefined) {
      // Short as it came, too long as text: many short lines, or bytes that are no UTF-8 and became longer.
      this.#open();
      await this.#write(this.#head.subarray(0, this.#headLength));
    }
    this[Symbol.dispose]();
    const file = this.#place ?? { lost: "there is no file" };
    const lines = this.#newlines + (this.#endsInNewline ? 0 : 1);
    const note = outputNote({ bytes: this.#bytes, lines, json: false, file });
    // The status stands in the note's line: every line of the bound is spoken for.
    const output = cutOutput(new TextEncoder().encode(head), status === "" ? note : `${note} ${status}`);
    return typeof file === "string" ? { output, file } : { output };
  }

  /** Closes the file; what was written stays. */
  [Symbol.dispose](): void {
    this.#file?.close();
    this.#file = undefined;
  }
}
