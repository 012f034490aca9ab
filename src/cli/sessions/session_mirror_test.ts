import assert from "node:assert/strict";
import type { SessionEvent } from "../../sessions/types.ts";
import { SessionMirror } from "./session_mirror.ts";
import { turnOutcome } from "./turn_outcome.ts";

const SESSION = {
  id: "ses_1",
  agent: "beeuni",
  harness: "experimental",
  created: "",
  updated: "",
  title: "go",
} as const;
const FAILURE = { error: "no model.", code: "no_model", hint: "Name one." };
const ERROR = { id: "m2", role: "assistant", created: "", text: "", error: "no model.", tools: [] } as const;

Deno.test("a turn that failed is told alike to who followed it and to who joins when it is over", () => {
  const running: SessionEvent = {
    type: "snapshot",
    session: { ...SESSION, state: "running" },
    messages: [],
    questions: [],
  };
  const over: SessionEvent = {
    type: "snapshot",
    session: { ...SESSION, state: "failed" },
    messages: [{ ...ERROR, tools: [] }],
    questions: [],
    failure: FAILURE,
  };
  const followed = new SessionMirror();
  followed.apply(running);
  followed.apply({ type: "turn_end", state: "failed", ...FAILURE });
  const joined = new SessionMirror();
  joined.apply(over);
  for (const { end } of [followed, joined]) {
    assert.deepEqual(turnOutcome({ session: "ses_1", end }), { exitCode: 1, ...FAILURE });
  }
  // A daemon that was started anew since knows the words alone.
  const later = new SessionMirror();
  const { failure: _, ...forgotten } = over;
  later.apply(forgotten);
  assert.equal(turnOutcome({ session: "ses_1", end: later.end }).error, "no model.");
});
