import { BeeuniError } from "../errors/error.ts";
import { durationMs } from "../manifest/rules/settings.ts";

/** A day: a daemon that should stay longer needs no such time. */
const MAX_MS = 24 * 60 * 60_000;

/**
 * The value of `--idle-timeout` in milliseconds, 100ms to 24h.
 *
 * @throws {BeeuniError} `usage`
 */
export function parseIdleTimeout(text: string): number {
  const ms = /^\d{1,9}(ms|s|m|h)$/.test(text) ? durationMs(text) : NaN;
  if (ms >= 100 && ms <= MAX_MS) return ms;
  throw new BeeuniError(
    "usage",
    `--idle-timeout must be a time from 100ms to 24h with its unit, not ${text}.`,
    {
      hint: "Write it like 90s, 30m or 2h.",
    },
  );
}
