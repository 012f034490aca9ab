/**
 * Runs `work` to its end, but no longer than `settleMs` after `signal` aborted: what does not heed the signal is left to
 * itself, and what it throws later is nobody's.
 *
 * @throws what `work` throws; the signal's reason when it did not end in time.
 */
export async function boundedRun(
  work: () => Promise<void>,
  signal: AbortSignal,
  settleMs: number,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => timer = setTimeout(() => late.reject(signal.reason), settleMs);
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  // Also what throws before its first await is a rejection.
  const running = Promise.resolve().then(work);
  try {
    await Promise.race([running, late.promise]);
  } finally {
    running.catch(() => {});
    clearTimeout(timer);
    signal.removeEventListener("abort", start);
  }
}
