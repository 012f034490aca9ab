/** Lets a number of things go on at once; the others wait in the order they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param count How many at once. */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a place and gives it; it is free again when what is returned is disposed of.
   *
   * @throws The signal's reason, when it is aborted first.
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let taken = true;
    return {
      [Symbol.dispose]: () => {
        if (taken) this.#release();
        taken = false;
      },
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const given = () => turn.resolve();
    const stop = () => {
      const at = this.#waiting.indexOf(given);
      // Who is not in the queue any more has a place already: the one that waited for it gives it back.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      turn.reject(signal.reason);
    };
    this.#waiting.push(given);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** The place goes to who waits longest. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
