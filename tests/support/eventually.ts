/** Options of {@link eventually}. */
export interface EventuallyOptions {
  /** How long to try, in milliseconds; default 5,000. */
  within?: number;
  /** Pause between two tries, in milliseconds; default 50. */
  every?: number;
}

/**
 * Runs `attempt` until it stops throwing, and answers what it gave.
 *
 * @throws What the last attempt threw, once the time is over.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const { within = 5_000, every = 50 } = options;
  const end = performance.now() + within;
  while (true) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

/** Settles after `ms` milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
