import assert from "node:assert/strict";
import { sessionTitle } from "./session_title.ts";

Deno.test("sessionTitle: the beginning of the prompt as one plain line", () => {
  const rows: [string, string][] = [
    ["Fix the bug", "Fix the bug"],
    ["\n\n  Fix\r\n\tthe\u2028bug  \n", "Fix the bug"],
    ["\x1b[31mred\x07", "[31mred"],
    ["", ""],
    [" \n ", ""],
    ["a".repeat(80), "a".repeat(80)],
    ["a".repeat(81), `${"a".repeat(79)}…`],
    ["\u{1f41d}".repeat(100), `${"\u{1f41d}".repeat(79)}…`],
    [`${"a".repeat(78)} bcd`, `${"a".repeat(78)}…`],
    ["x\u202ey\u200bz", "x y z"],
    ["a\ud800b", "a\ufffdb"],
  ];
  for (const [prompt, title] of rows) assert.equal(sessionTitle(prompt), title, JSON.stringify(prompt));
  assert.equal(sessionTitle("word ".repeat(1_000_000)).length <= 80, true);
});
