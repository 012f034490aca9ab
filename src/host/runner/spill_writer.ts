import type { RunnerFrame } from "../protocol.ts";
import { cutOutput, MAX_OUTPUT_BYTES, outputNote } from "./bound_output.ts";
import type { SpilledOutput } from "./messages.ts";
import { sentenceOf } from "./sentence.ts";
import { SpillFile } from "./spill_file.ts";

type Result = Extract<RunnerFrame, { kind: "result" }>["body"];
type Failure = Extract<RunnerFrame, { kind: "error" }>["body"];

/**
 * Keeps an output in a file as its pieces come, and gives the frame that answers its call: the beginning with a note
 * (specification 2.5), also when there is no file because it could not be written.
 */
export class SpillWriter {
  readonly #file: SpillFile | undefined;
  #lost: string | undefined;
  /** The beginning. */
  readonly #head = new Uint8Array(MAX_OUTPUT_BYTES);
  #bytes = 0;

  /** @param folder The session's spill folder. @param tool Name of the tool. */
  constructor(folder: string, tool: string) {
    try {
      this.#file = new SpillFile({ folder, tool });
    } catch (failure) {
      this.#lost = sentenceOf(failure, "the file");
    }
  }

  /** Takes a piece; never throws. */
  write(bytes: Uint8Array): void {
    const room = this.#head.length - Math.min(this.#bytes, this.#head.length);
    if (room > 0) this.#head.set(bytes.subarray(0, room), this.#bytes);
    this.#bytes += bytes.length;
    this.#trying((file) => file.write(bytes));
  }

  /** Takes the end of it. @returns the frame. */
  finish({ bytes: last, lines, json, error }: SpilledOutput): { frame: "result" | "error"; json: string } {
    this.write(last);
    const bytes = this.#bytes;
    const file = this.#trying((file) => file.keep(json)) ?? { lost: this.#lost ?? "there is no file" };
    const head = this.#head.subarray(0, bytes);
    const text = cutOutput(head, outputNote({ bytes, lines, json, file }));
    if (error !== undefined) {
      const body: Failure = { ...error, message: text };
      return { frame: "error", json: JSON.stringify(body) };
    }
    const body: Result = { output: text, truncated: true, bytes, lines };
    if (typeof file === "string") body.file = file;
    return { frame: "result", json: JSON.stringify(body) };
  }

  /** Removes what was written: the end will not come. */
  drop(): void {
    this.#trying((file) => file.remove());
  }

  #trying<T>(work: (file: SpillFile) => T): T | undefined {
    if (this.#file === undefined || this.#lost !== undefined) return undefined;
    try {
      return work(this.#file);
    } catch (failure) {
      this.#lost = sentenceOf(failure, "the file");
      return undefined;
    }
  }
}
