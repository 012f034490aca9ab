import assert from "node:assert/strict";
import type { TurnReport } from "../../sessions/types.ts";
import type { OpenCodeMessage, OpenCodePart } from "./opencode_event.ts";
import { TurnRecord } from "./turn_record.ts";

const MESSAGE: OpenCodeMessage = {
  id: "msg_1",
  sessionID: "ses_1",
  role: "assistant",
  agent: "beeuni",
  summary: false,
  completed: false,
};

function textPart(text: string): OpenCodePart {
  return { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text };
}

/** A record and what it reported: the deltas, and the text that a message ended with. */
function recording() {
  const deltas: string[] = [];
  const ended: string[] = [];
  const report: TurnReport = {
    beginMessage: () => "m1",
    addText: (_message, delta) => void deltas.push(delta),
    endMessage: (_message, { text }) => void ended.push(text),
    beginCall: () => {},
    endCall: () => {},
    ask: () => Promise.resolve(null),
    save: () => {},
  };
  const record = new TurnRecord({
    session: "ses_1",
    report,
    after: "",
    calls: [],
    isHosted: () => false,
    mask: (text) => text,
  });
  return { record, deltas, ended };
}

Deno.test("TurnRecord: what was read after a gap does not take back what events have told meanwhile", () => {
  for (const stale of ["", "do", "done"]) {
    const { record, deltas, ended } = recording();
    record.take({ type: "message", message: MESSAGE });
    record.take({ type: "part", part: textPart("") });
    record.take({ type: "delta", session: "ses_1", message: "msg_1", part: "prt_1", delta: "do" });
    record.take({ type: "part", part: textPart("done") });
    record.message({ ...MESSAGE });
    record.part(textPart(stale), true);
    record.take({ type: "message", message: { ...MESSAGE, completed: true } });
    record.end(undefined);
    assert.deepEqual({ deltas, ended }, { deltas: ["do", "ne"], ended: ["done"] }, JSON.stringify(stale));
  }
});

Deno.test("TurnRecord: what was read after a gap tells what events did not", () => {
  const { record, deltas, ended } = recording();
  record.message({ ...MESSAGE });
  record.part(textPart("do"), true);
  record.take({ type: "delta", session: "ses_1", message: "msg_1", part: "prt_1", delta: "ne" });
  record.take({ type: "message", message: { ...MESSAGE, completed: true } });
  record.end(undefined);
  assert.deepEqual({ deltas, ended }, { deltas: ["do", "ne"], ended: ["done"] });
});

Deno.test("TurnRecord: OpenCode's last word on a text counts, also when it is shorter", () => {
  const { record, ended } = recording();
  record.take({ type: "message", message: MESSAGE });
  record.take({ type: "part", part: textPart("done \n") });
  record.take({ type: "part", part: textPart("done") });
  record.take({ type: "message", message: { ...MESSAGE, completed: true } });
  record.end(undefined);
  assert.deepEqual(ended, ["done"]);
});

Deno.test("TurnRecord: a message is over when the next begins or the turn ends, not when it is called complete", () => {
  const { record, deltas, ended } = recording();
  // A busy OpenCode sends its first word on a message late, with what it has become by then.
  record.take({ type: "message", message: { ...MESSAGE, completed: true } });
  record.take({ type: "part", part: textPart("") });
  record.take({ type: "delta", session: "ses_1", message: "msg_1", part: "prt_1", delta: "done" });
  record.take({ type: "part", part: textPart("done") });
  record.take({ type: "message", message: { ...MESSAGE, completed: true } });
  assert.deepEqual(ended, []);
  record.take({ type: "message", message: { ...MESSAGE, id: "msg_2", completed: true } });
  assert.deepEqual({ deltas, ended }, { deltas: ["done"], ended: ["done"] });
  record.end(undefined);
  assert.deepEqual(ended, ["done", ""]);
});
