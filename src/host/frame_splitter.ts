/** A peer sent a line that is longer than allowed. */
export class FrameTooLongError extends Error {
  override readonly name = "FrameTooLongError";

  /** @param limit Allowed length in bytes. */
  constructor(readonly limit: number) {
    super(`a frame is longer than ${limit} bytes`);
  }
}

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, in time that grows with the bytes alone, however they are cut into chunks.
 *
 * A line is handed out without its newline. It shares memory with the chunk it came in, so it is valid until the
 * caller fills that buffer again: who keeps a line copies it.
 */
export class FrameSplitter {
  /** Chunks of a line whose end has not come yet. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  /** @param maxBytes Longest line, without its newline; `Infinity` for a peer that is trusted. */
  constructor(private readonly maxBytes: number) {}

  /** Bytes of a line whose end has not come yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * The lines that `chunk` completes, in order.
   *
   * @throws {FrameTooLongError} A line is longer than `maxBytes`; the lines before it have been handed out. The
   *   splitter can't be used afterwards.
   */
  *push(chunk: Uint8Array): Generator<Uint8Array, void> {
    let start = 0;
    while (true) {
      const end = chunk.indexOf(NEWLINE, start);
      const length = (end === -1 ? chunk.length : end) - start;
      if (this.#pendingBytes + length > this.maxBytes) throw new FrameTooLongError(this.maxBytes);
      if (end === -1) break;
      const line = chunk.subarray(start, end);
      start = end + 1;
      yield this.#pendingBytes === 0 ? line : this.#complete(line);
    }
    if (start === chunk.length) return;
    // Copied: the caller may read into the same buffer again.
    this.#pending.push(chunk.slice(start));
    this.#pendingBytes += chunk.length - start;
  }

  #complete(last: Uint8Array): Uint8Array {
    const line = new Uint8Array(this.#pendingBytes + last.length);
    let offset = 0;
    for (const part of this.#pending) {
      line.set(part, offset);
      offset += part.length;
    }
    line.set(last, offset);
    this.#pending = [];
    this.#pendingBytes = 0;
    return line;
  }
}
