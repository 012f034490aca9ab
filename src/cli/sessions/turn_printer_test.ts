import assert from "node:assert/strict";
import type { MessageRecord, SessionEvent, SessionRecord, ToolCallRecord } from "../../sessions/types.ts";
import { SessionMirror } from "./session_mirror.ts";
import { TurnPrinter } from "./turn_printer.ts";

const SESSION: SessionRecord = {
  id: "s",
  agent: "beeuni",
  harness: "experimental",
  created: "2026-12-01T00:00:00.000Z",
  updated: "2026-12-01T00:00:00.000Z",
  state: "running",
  title: "",
};

function message(id: string, text: string, more: Partial<MessageRecord> = {}): MessageRecord {
  return { id, role: "assistant", created: SESSION.created, text, tools: [], ...more };
}

function call(status: ToolCallRecord["status"], more: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return { call: "c1", tool: "lookup_order", status, args: {}, ms: 12.4, ...more };
}

function snapshot(messages: MessageRecord[], state: SessionRecord["state"] = "running"): SessionEvent {
  return structuredClone({ type: "snapshot", session: { ...SESSION, state }, messages, questions: [] });
}

function print(events: SessionEvent[], options: { terminal?: boolean; color?: boolean; log?: boolean } = {}) {
  let stdout = "";
  const shown: string[] = [];
  const progress = (what: string) => {
    shown.push(what);
    return { update() {}, [Symbol.dispose]() {} };
  };
  const output = { write: (text: string) => void (stdout += text), progress, color: options.color ?? false };
  const mirror = new SessionMirror();
  {
    using printer = new TurnPrinter(output, { terminal: false, ...options });
    // The mirror changes what it was given.
    for (const event of structuredClone(events)) {
      mirror.apply(event);
      printer.update(mirror.turn);
    }
  }
  return { stdout, shown, mirror };
}

const PROMPT = message("u", "Do it.", { role: "user" });
const TURN: SessionEvent[] = [
  snapshot([message("old", "An earlier answer."), PROMPT]),
  { type: "message", message: message("a", "") },
  { type: "text", message: "a", delta: "I look" },
  { type: "text", message: "a", delta: " it up." },
  { type: "message", message: message("a", "I look it up.") },
  { type: "tool", message: "a", call: call("running") },
  { type: "tool", message: "a", call: call("completed", { output: "x" }) },
  { type: "message", message: message("b", "") },
  { type: "text", message: "b", delta: "It is\nhere." },
  { type: "turn_end", state: "completed" },
];
const PRINTED = "I look it up.\n[lookup_order · completed · 12 ms]\nIt is\nhere.\n";

Deno.test("the answer is printed as it comes, with a line per tool call; not the prompt, not what was before", () => {
  const { stdout, shown, mirror } = print(TURN);
  assert.equal(stdout, PRINTED);
  assert.deepEqual(shown, ["the agent is at work", "lookup_order runs", "the agent is at work"]);
  assert.deepEqual(mirror.end, { state: "completed" });
  assert.equal(mirror.session?.state, "completed");
  assert.deepEqual(mirror.turn.map(({ id }) => id), ["u", "a", "b"]);
});

Deno.test("a new beginning after any event prints nothing twice and loses nothing", () => {
  for (let at = 1; at < TURN.length; at++) {
    const known = new SessionMirror();
    for (const event of structuredClone(TURN.slice(0, at))) known.apply(event);
    const again = snapshot(known.messages);
    assert.equal(
      print(structuredClone([...TURN.slice(0, at), again, ...TURN.slice(at)])).stdout,
      PRINTED,
      `${at}`,
    );
  }
  // All of it at once: the turn was over before anybody looked.
  const whole = new SessionMirror();
  for (const event of structuredClone(TURN)) whole.apply(event);
  assert.equal(print([snapshot(whole.messages, "completed")]).stdout, PRINTED);
});

Deno.test("a log that goes on has the prompts, role and time of each message, and the whole of each call", () => {
  const error: SessionEvent = {
    type: "message",
    message: message("b", "It is\nhere.", { error: "cut off." }),
  };
  assert.equal(
    print([...TURN, error], { log: true }).stdout,
    `user · 2026-12-01T00:00:00Z
Do it.

assistant · 2026-12-01T00:00:00Z
I look it up.
[lookup_order · completed · 12 ms]
  arguments: {}
  output: x

assistant · 2026-12-01T00:00:00Z
It is
here.
error: cut off.
`,
  );
});

Deno.test("calls side by side are one line each, when they are over", () => {
  const { stdout } = print([
    snapshot([PROMPT, message("a", "")]),
    { type: "tool", message: "a", call: call("running", { call: "1", tool: "one" }) },
    { type: "tool", message: "a", call: call("running", { call: "2", tool: "two" }) },
    { type: "tool", message: "a", call: call("refused", { call: "2", tool: "two", ms: 0.2 }) },
    { type: "tool", message: "a", call: call("error", { call: "1", tool: "one", ms: 3000 }) },
    { type: "tool", message: "a", call: call("error", { call: "1", tool: "one", ms: 3000 }) },
  ]);
  assert.equal(stdout, "[two · refused · 0 ms]\n[one · error · 3000 ms]\n");
});

Deno.test("words that became others in the end are printed as they are", () => {
  const { stdout } = print([
    snapshot([PROMPT, message("a", "I thi")]),
    { type: "message", message: message("a", "No.") },
  ]);
  assert.equal(stdout, "I thi\nNo.\n");
});

Deno.test("what the model says can't drive a terminal; a pipe gets it as it is", () => {
  const events = [
    snapshot([PROMPT, message("a", "a\x1b[2Jb\r\n\tc", { tools: [call("completed", { tool: "x\x07" })] })]),
  ];
  assert.equal(print(events, { terminal: true }).stdout, "a\\x1b[2Jb\n\tc\n[x\\x07 · completed · 12 ms]\n");
  assert.equal(print(events).stdout, "a\x1b[2Jb\r\n\tc\n[x\\x07 · completed · 12 ms]\n");
});

Deno.test("call lines have colour where that is allowed", () => {
  const tools = [call("completed"), call("aborted", { call: "2" })];
  const { stdout } = print([snapshot([PROMPT, message("a", "", { tools })])], { color: true });
  assert.equal(
    stdout,
    "\x1b[2m[lookup_order · completed · 12 ms]\x1b[0m\n\x1b[31m[lookup_order · aborted · 12 ms]\x1b[0m\n",
  );
});

Deno.test("the mirror knows what waits for an answer", () => {
  const mirror = new SessionMirror();
  const question = {
    id: "q",
    session: "s",
    kind: "permission",
    tool: "bash",
    text: "ls",
    created: "",
    deadline: "",
  } as const;
  mirror.apply(snapshot([PROMPT]));
  mirror.apply({ type: "question", question });
  mirror.apply({ type: "question", question: { ...question, id: "r" } });
  mirror.apply({ type: "answer", question: "q", answer: "once" });
  assert.deepEqual(mirror.questions.map(({ id }) => id), ["r"]);
  mirror.apply({ type: "turn_end", state: "failed", error: "x", code: "model_failed" });
  assert.deepEqual([mirror.questions, mirror.end], [[], {
    state: "failed",
    error: "x",
    code: "model_failed",
  }]);
  // The next prompt begins the next turn.
  mirror.apply({ type: "message", message: { ...PROMPT, id: "u2" } });
  assert.deepEqual([mirror.session?.state, mirror.end], ["running", undefined]);
});
