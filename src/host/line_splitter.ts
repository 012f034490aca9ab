/** Cuts a stream of bytes into lines. */
export class LineSplitter {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  /** @param limit Longest line in bytes; what is longer comes in pieces of at least this length. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Takes a chunk and gives the lines that it completes, without their newline.
   *
   * @param chunk Is not kept: what belongs to an unfinished line is copied.
   * @param onLine `complete` is false for a piece of a line that is over the limit.
   */
  push(chunk: Uint8Array, onLine: (line: Uint8Array, complete: boolean) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = chunk.subarray(start, end);
      onLine(this.#length === 0 ? line : this.#take(line), true);
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#parts.push(chunk.slice(start));
    this.#length += chunk.length - start;
    if (this.#length >= this.#limit) onLine(this.#take(new Uint8Array()), false);
  }

  /** What is left of a last line without a newline. */
  end(): Uint8Array {
    return this.#take(new Uint8Array());
  }

  #take(last: Uint8Array): Uint8Array {
    const line = new Uint8Array(this.#length + last.length);
    let at = 0;
    for (const part of this.#parts) {
      line.set(part, at);
      at += part.length;
    }
    line.set(last, at);
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
