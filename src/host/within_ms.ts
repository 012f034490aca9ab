import { longTimeout } from "./long_timeout.ts";

/** Waits until one of the promises settles, at most `ms` milliseconds. */
export async function withinMs(ms: number, ...promises: Promise<void>[]): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = longTimeout(late.resolve, ms);
  await Promise.race([...promises, late.promise]);
  cancel();
}
