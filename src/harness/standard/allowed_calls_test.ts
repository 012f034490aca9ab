import assert from "node:assert/strict";
import { AllowedCalls } from "./allowed_calls.ts";

Deno.test("an allowed call is that of one session, one id and these arguments", () => {
  const allowed = new AllowedCalls();
  allowed.add("ses_1", "call_1", { to: "ada", cc: ["x"] });
  allowed.add("ses_1", "call_2", undefined);
  const rows: [session: string, call: string, args: unknown, expected: boolean][] = [
    ["ses_1", "call_1", { to: "ada", cc: ["x"] }, true],
    ["ses_1", "call_1", { to: "eve", cc: ["x"] }, false],
    ["ses_1", "call_1", { to: "ada" }, false],
    ["ses_1", "call_1", undefined, false],
    ["ses_1", "call_3", { to: "ada", cc: ["x"] }, false],
    ["ses_2", "call_1", { to: "ada", cc: ["x"] }, false],
    ["ses_1", "call_2", {}, true],
    ["ses_1", "call_2", undefined, true],
  ];
  for (const [session, call, args, expected] of rows) {
    assert.equal(allowed.has(session, call, args), expected, JSON.stringify([session, call, args]));
  }
});
