/** What a runner may print at once, and per second after that, in bytes. */
const BURST = 4 * 1024 * 1024;
const PER_SECOND = 1024 * 1024;

/** Bounds what tools print into the log: a gigabyte of `console.log` must not fill a disk or stall the daemon. */
export class OutputBudget {
  #left = BURST;
  #at: number;
  #dropped = 0;

  constructor(now = performance.now()) {
    this.#at = now;
  }

  /**
   * Whether a piece of output may be logged.
   *
   * @param bytes Its size.
   * @param now Milliseconds of a steady clock.
   */
  take(bytes: number, now = performance.now()): boolean {
    this.#left = Math.min(BURST, this.#left + (now - this.#at) * PER_SECOND / 1000);
    this.#at = now;
    if (bytes > this.#left) {
      this.#dropped += bytes;
      return false;
    }
    this.#left -= bytes;
    return true;
  }

  /** Bytes refused since the last time this was asked. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}
