import assert from "node:assert/strict";
import type { MessageRecord } from "../../sessions/types.ts";
import { logMessage } from "./session_log.ts";

const PLAIN = { terminal: false, color: false };
const MESSAGE: MessageRecord = {
  id: "m",
  role: "assistant",
  created: "2026-12-01T10:00:00.123Z",
  text: "I look it up.\n",
  tools: [
    {
      call: "1",
      tool: "lookup_order",
      status: "completed",
      args: { id: "A-1042" },
      output: "shipped",
      ms: 12.4,
    },
    { call: "2", tool: "weather_now", status: "error", args: "{", error: "no\nservice", ms: 3 },
    {
      call: "3",
      tool: "export",
      status: "completed",
      args: {},
      output: "a\nb\n",
      ms: 1,
      file: "/spill/3.txt",
    },
    { call: "4", tool: "slow", status: "running", args: {}, ms: 2000 },
  ],
};

Deno.test("a message of the log: role and time, text, each call with its arguments and what came of it", () => {
  assert.equal(
    logMessage({ ...MESSAGE, error: "the model stopped." }, PLAIN),
    `assistant · 2026-12-01T10:00:00Z
I look it up.
[lookup_order · completed · 12 ms]
  arguments: {"id":"A-1042"}
  output: shipped
[weather_now · error · 3 ms]
  arguments: "{"
  error:
    no
    service
[export · completed · 1 ms]
  arguments: {}
  output:
    a
    b
  whole output: /spill/3.txt
[slow · running · 2000 ms]
  arguments: {}
error: the model stopped.

`,
  );
});

Deno.test("a prompt, and an answer without a word", () => {
  const empty = { ...MESSAGE, text: "", tools: [] };
  assert.equal(
    logMessage({ ...empty, role: "user", text: "Do it." }, PLAIN),
    "user · 2026-12-01T10:00:00Z\nDo it.\n\n",
  );
  assert.equal(logMessage(empty, PLAIN), "assistant · 2026-12-01T10:00:00Z\n(no text)\n\n");
});

Deno.test("nothing in a log drives the terminal; a pipe gets it as it is", () => {
  const message: MessageRecord = {
    ...MESSAGE,
    text: "a\x1b[2J",
    tools: [{ call: "1", tool: "t\n", status: "error", args: { a: "\x1b" }, error: "x\x07", ms: 0 }],
  };
  assert.equal(
    logMessage(message, { terminal: true, color: false }),
    'assistant · 2026-12-01T10:00:00Z\na\\x1b[2J\n[t\\n · error · 0 ms]\n  arguments: {"a":"\\u001b"}\n  error: x\\x07\n\n',
  );
  assert.ok(logMessage(message, PLAIN).includes("a\x1b[2J\n"));
  assert.ok(
    logMessage(message, { terminal: true, color: true }).startsWith(
      "\x1b[1massistant · 2026-12-01T10:00:00Z\x1b[0m\n",
    ),
  );
});
