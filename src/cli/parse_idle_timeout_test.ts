import assert from "node:assert/strict";
import { parseIdleTimeout } from "./parse_idle_timeout.ts";

Deno.test("parseIdleTimeout: a time with its unit, 100ms to 24h", () => {
  for (
    const [text, ms] of [["100ms", 100], ["90s", 90_000], ["30m", 1_800_000], ["24h", 86_400_000]] as const
  ) {
    assert.equal(parseIdleTimeout(text), ms);
  }
  for (
    const text of ["", "0", "30", "99ms", "25h", "1d", "-1s", "1.5h", "1 h", "1H", "999999999h", "1m30s"]
  ) {
    assert.throws(() => parseIdleTimeout(text), {
      code: "usage",
      message: `--idle-timeout must be a time from 100ms to 24h with its unit, not ${text}.`,
    });
  }
});
