/** Lines that somebody types; one that nobody waits for is dropped, so that it answers no later question. */
export class InputLines {
  readonly #source: () => ReadableStream<Uint8Array>;
  #waiting: ((line: string | undefined) => void) | undefined;
  #reading = false;
  #ended = false;

  /** @param source Opened when the first line is wanted. */
  constructor(source: () => ReadableStream<Uint8Array> = () => Deno.stdin.readable) {
    this.#source = source;
  }

  /** The next line; `undefined` when there are no more, or when `signal` aborts. One wait at a time. */
  next(signal: AbortSignal): Promise<string | undefined> {
    if (this.#ended || signal.aborted) return Promise.resolve(undefined);
    if (!this.#reading) void this.#read();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiting = resolve;
    const give = () => resolve(undefined);
    signal.addEventListener("abort", give, { once: true });
    return promise.finally(() => {
      signal.removeEventListener("abort", give);
      if (this.#waiting === resolve) this.#waiting = undefined;
    });
  }

  async #read(): Promise<void> {
    this.#reading = true;
    let rest = "";
    try {
      for await (const text of this.#source().pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#give(line);
      }
    } catch {
      // A terminal that went away has no more lines.
    }
    this.#ended = true;
    this.#give(undefined);
  }

  #give(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line);
  }
}
