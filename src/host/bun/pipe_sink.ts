import { type BinaryLike, toBytes } from "./bytes.ts";

/** The `stdin` of a running program: Bun's incremental writer over a pipe. */
export class PipeSink {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #unflushed = 0;
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
    // a program may end before it has read everything
    this.#writer.closed.catch(() => {});
  }

  /**
   * Sends a piece of the input.
   *
   * @returns Its bytes; 0 after `end()`.
   */
  write(chunk: string | BinaryLike): number {
    if (this.#ended) return 0;
    // a copy: the caller may use its buffer again before the bytes are sent
    const bytes = toBytes(chunk).slice();
    this.#unflushed += bytes.length;
    this.#last = this.#writer.write(bytes).catch(() => {});
    return bytes.length;
  }

  /** Waits until what was written is in the pipe; gives its bytes. */
  async flush(): Promise<number> {
    const bytes = this.#unflushed;
    this.#unflushed = 0;
    await this.#last;
    return bytes;
  }

  /** Closes the program's input; gives the bytes that were not flushed before. */
  async end(): Promise<number> {
    if (this.#ended) return 0;
    this.#ended = true;
    const bytes = await this.flush();
    await this.#writer.close().catch(() => {});
    return bytes;
  }

  /** Has no effect: options come with the program. */
  start(): void {}

  /** Has no effect: a worker does not wait for sinks. */
  ref(): void {}

  /** Has no effect: a worker does not wait for sinks. */
  unref(): void {}
}
