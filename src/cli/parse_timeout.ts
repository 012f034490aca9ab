import { BeeuniError } from "../errors/error.ts";
import { TIMEOUT_RANGE } from "../manifest/patterns.ts";
import { durationMs } from "../manifest/rules/settings.ts";

/**
 * The value of `--timeout` in milliseconds; the same words as `tool_settings.<tool>.timeout` (specification 1.4).
 *
 * @throws {BeeuniError} `usage`
 */
export function parseTimeout(text: string): number {
  if (new RegExp(TIMEOUT_RANGE, "u").test(text)) return durationMs(text);
  throw new BeeuniError("usage", `--timeout must be a time from 100ms to 1h with its unit, not ${text}.`, {
    hint: "Write it like 500ms, 30s, 5m or 1h.",
  });
}
