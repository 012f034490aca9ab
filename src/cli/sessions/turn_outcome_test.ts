import assert from "node:assert/strict";
import { turnOutcome } from "./turn_outcome.ts";

Deno.test("exit codes of a turn: 0 ended well, 1 failed or stopped, 124 on --timeout, 130 on Ctrl-C", () => {
  const cases: [
    Omit<Parameters<typeof turnOutcome>[0], "session">,
    number,
    string | undefined,
    string | undefined,
  ][] = [
    [{ end: { state: "completed" } }, 0, undefined, undefined],
    [{ end: { state: "completed" }, stopped: "timeout", timeout: "1s" }, 0, undefined, undefined],
    [
      { end: { state: "failed", error: "the model scripted/model can't be reached.", code: "model_failed" } },
      1,
      "the model scripted/model can't be reached.",
      "model_failed",
    ],
    [{ end: { state: "failed" } }, 1, "the turn failed.", "harness_failed"],
    [{ end: { state: "stopped" } }, 1, "the turn was stopped.", "aborted"],
    [
      { end: { state: "interrupted" } },
      1,
      "the daemon ended in the midst of the turn.",
      "daemon_not_running",
    ],
    [{ end: undefined }, 1, "the daemon ended in the midst of the turn.", "daemon_not_running"],
    [
      { end: { state: "stopped" }, stopped: "timeout", timeout: "2s" },
      124,
      "the turn did not end within 2s and was stopped.",
      "timed_out",
    ],
    [{ end: { state: "stopped" }, stopped: "interrupt" }, 130, "the turn was stopped.", "aborted"],
    [{ end: undefined, stopped: "interrupt" }, 130, "the turn was stopped.", "aborted"],
  ];
  for (const [turn, exitCode, error, code] of cases) {
    const outcome = turnOutcome({ session: "ses_1", ...turn });
    assert.deepEqual(
      [outcome.exitCode, outcome.error, outcome.code],
      [exitCode, error, code],
      JSON.stringify(turn),
    );
  }
  assert.equal(
    turnOutcome({ session: "ses_1", end: { state: "interrupted" } }).hint,
    "Session ses_1 goes on with its next prompt: `beeuni sessions prompt ses_1 --prompt …`.",
  );
});
