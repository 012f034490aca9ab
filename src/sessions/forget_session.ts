import type { Logger } from "../log/logger.ts";
import type { Harness, SessionRecord } from "./types.ts";

/** How long a harness may take to forget a session, in milliseconds. */
const FORGET_MS = 5_000;

/** What {@link forgetSession} works with. */
export interface ForgetSessionOptions {
  session: SessionRecord;
  /** What the harness kept with it. */
  saved: string | undefined;
  harness: () => Promise<Harness>;
  mask: (text: string) => string;
  logger: Logger;
}

/** Has a harness forget a session; one that can't, or takes too long, does not keep it from being removed. */
export async function forgetSession(
  { session, saved, harness, mask, logger }: ForgetSessionOptions,
): Promise<void> {
  // No turn has begun: there is nothing to forget.
  if (session.title === "" && saved === undefined) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, FORGET_MS);
  const forgotten = Promise.resolve().then(async () => {
    await (await harness()).forget(session, saved);
  }).catch((error) => {
    const reason = mask(String(error));
    logger.warn("a harness could not forget a session", { session: session.id, reason });
  });
  await Promise.race([forgotten, late.promise]);
  clearTimeout(timer);
}
