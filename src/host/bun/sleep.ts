import { argumentError } from "./argument_error.ts";

/** The longest delay a timer keeps: with more it would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * `Bun.sleep`: resolves after a time, or at a point in time.
 *
 * @param time Milliseconds, or a Date. A negative number, NaN and a Date in the past resolve at once.
 * @throws {TypeError} for anything else.
 */
export function sleep(time: number | Date): Promise<void> {
  if (typeof time !== "number" && !(time instanceof Date)) {
    throw new TypeError("sleep expects a number (milliseconds)");
  }
  const until = typeof time === "number" ? Date.now() + time : time.getTime();
  return new Promise((resolve) => {
    const wait = () => {
      const left = typeof time === "number" && time < LONGEST_TIMER_MS ? time : until - Date.now();
      if (left > LONGEST_TIMER_MS) setTimeout(wait, LONGEST_TIMER_MS);
      else setTimeout(resolve, left > 0 ? left : 0);
    };
    wait();
  });
}

/**
 * `Bun.sleepSync`: blocks this worker (no other) for a time in milliseconds.
 *
 * @throws {TypeError} for a negative number or no number.
 */
export function sleepSync(ms: number): void {
  if (typeof ms !== "number") throw argumentError("milliseconds must be a number");
  if (ms < 0) throw argumentError(`argument to sleepSync must not be negative, got ${ms}`);
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
