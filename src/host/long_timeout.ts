/** Longest delay of one timer: from 2^31 ms on it fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Calls `callback` after `ms` milliseconds, however many these are; never for `Infinity`.
 *
 * @returns A function that cancels it.
 */
export function longTimeout(callback: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const arm = (left: number) => {
    timer = setTimeout(
      () => left > MAX_DELAY_MS ? arm(left - MAX_DELAY_MS) : callback(),
      Math.min(left, MAX_DELAY_MS),
    );
  };
  arm(ms);
  return () => clearTimeout(timer);
}
