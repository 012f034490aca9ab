import { BeeuniError } from "../../errors/error.ts";

/** What the model is told about a call that was stopped. */
export const CALL_ABORTED = "The call was aborted.";

/**
 * What `promise` gives, or a rejection as soon as `signal` is aborted, whatever the promise does.
 *
 * @throws {BeeuniError} `aborted`.
 */
export async function raced<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // What it says after the abort is of no use to anybody.
  promise.catch(() => {});
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new BeeuniError("aborted", CALL_ABORTED));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
