/** A command that a person or a service manager may interrupt. */
export interface Interruption extends Disposable {
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Exit code of an interrupted command (specification 5.1). */
export const INTERRUPTED = 130;

/**
 * Turns Ctrl-C and its like into an abort; dispose it when the command is over.
 *
 * @param again Called at every further one; by default the program ends at once.
 */
export function interruption(again: () => void = () => Deno.exit(INTERRUPTED)): Interruption {
  const controller = new AbortController();
  const listener = () => {
    if (controller.signal.aborted) again();
    else controller.abort();
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, listener);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) Deno.removeSignalListener(signal, listener);
    },
  };
}

/** Settles as `work` does, but rejects as soon as `signal` aborts, with what `error` makes. */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  error: () => Error,
): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const fail = () => aborted.reject(error());
  if (signal.aborted) fail();
  signal.addEventListener("abort", fail, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", fail);
  }
}
