/** Longest delay of one timer: from 2^31 ms on it fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface Deadline {
  /** Milliseconds of the steady clock. */
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Many deadlines that are hardly ever reached, on one timer.
 *
 * A timer that is set and cleared for each call costs more than all the rest of its bookkeeping. Here setting and
 * cancelling is an entry in a set: the timer goes off at the earliest deadline there was, finds that it was cancelled,
 * and is set anew for those that are left.
 */
export class Deadlines {
  readonly #live = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer goes off. */
  #wakesAt = Infinity;

  /**
   * Calls `callback` after `ms` milliseconds, however many these are; never for `Infinity`.
   *
   * @returns A function that cancels it.
   */
  set(callback: () => void, ms: number): () => void {
    const deadline = { at: performance.now() + ms, callback };
    this.#live.add(deadline);
    if (deadline.at < this.#wakesAt) this.#wakeAt(deadline.at);
    else if (this.#live.size === 1) this.#keepAlive(true);
    return () => {
      // With nothing to wait for, the timer must not keep the process alive.
      if (this.#live.delete(deadline) && this.#live.size === 0) this.#keepAlive(false);
    };
  }

  #wakeAt(at: number): void {
    clearTimeout(this.#timer);
    const delay = Math.min(Math.max(at - performance.now(), 0), MAX_DELAY_MS);
    this.#wakesAt = at;
    this.#timer = setTimeout(() => this.#wake(), delay);
  }

  #wake(): void {
    this.#timer = undefined;
    this.#wakesAt = Infinity;
    // Timers count whole milliseconds.
    const now = performance.now() + 1;
    const due: Deadline[] = [];
    let next = Infinity;
    for (const deadline of this.#live) {
      if (deadline.at <= now) due.push(deadline);
      else next = Math.min(next, deadline.at);
    }
    if (next < Infinity) this.#wakeAt(next);
    for (const deadline of due) {
      // Another one's callback may have cancelled it.
      if (this.#live.delete(deadline)) deadline.callback();
    }
  }

  #keepAlive(keep: boolean): void {
    if (this.#timer === undefined) return;
    if (keep) Deno.refTimer(this.#timer);
    else Deno.unrefTimer(this.#timer);
  }
}
