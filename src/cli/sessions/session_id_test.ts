import assert from "node:assert/strict";
import { resolveSessionId } from "./session_id.ts";

const KNOWN = ["ses_01abcd", "ses_02abcd", "ses_99zzzz"];

Deno.test("an id, or the beginning of one alone, is the session that is meant", () => {
  for (
    const [given, id] of [["ses_01abcd", "ses_01abcd"], ["ses_9", "ses_99zzzz"], [
      "ses_02",
      "ses_02abcd",
    ]] as const
  ) {
    assert.equal(resolveSessionId(given, KNOWN), id);
  }
});

Deno.test("any other word is an error with the nearest id", () => {
  const cases: [string, readonly string[], string, string][] = [
    ["ses_01abcx", KNOWN, "there is no session ses_01abcx.", "Did you mean ses_01abcd?"],
    ["zzz", KNOWN, "there is no session zzz.", "`beeuni sessions ls` lists the sessions."],
    ["", KNOWN, "there is no session .", "`beeuni sessions ls` lists the sessions."],
    ["se", ["ses_1"], "there is no session se.", "`beeuni sessions ls` lists the sessions."],
    [
      "ses_0",
      KNOWN,
      "several sessions begin with ses_0: ses_01abcd, ses_02abcd.",
      "Give one of them whole.",
    ],
    [
      "many",
      Array.from({ length: 1000 }, (_, index) => `many_${index}`),
      "several sessions begin with many: many_0, many_1, many_2, many_3, many_4 and 995 more.",
      "Give one of them whole.",
    ],
    ["x", [], "the project has no sessions yet.", "Start one with `beeuni sessions new --prompt …`."],
  ];
  for (const [given, known, message, hint] of cases) {
    assert.throws(() => resolveSessionId(given, known), { code: "session_not_found", message, hint });
  }
});
