import assert from "node:assert/strict";
import { parseTimeout } from "./parse_timeout.ts";

Deno.test("a time has a unit and lies between 100 ms and an hour", () => {
  const good: [string, number][] = [["100ms", 100], ["30s", 30_000], ["5m", 300_000], ["1h", 3_600_000], [
    "3600s",
    3_600_000,
  ]];
  for (const [text, ms] of good) assert.equal(parseTimeout(text), ms);
  for (
    const text of ["", "30", "99ms", "0s", "1.5s", "2h", "61m", "3601s", "-1s", "1d", "30 s", "30S", "30s "]
  ) {
    assert.throws(() => parseTimeout(text), { code: "usage" }, text);
  }
});
