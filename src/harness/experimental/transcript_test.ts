import assert from "node:assert/strict";
import type { Message } from "@earendil-works/pi-ai";
import type { MessageRecord, ToolCallRecord } from "../../sessions/types.ts";
import { readTranscript, writeTranscript } from "./transcript.ts";

function record(
  id: string,
  role: MessageRecord["role"],
  text: string,
  tools: ToolCallRecord[] = [],
): MessageRecord {
  return { id, role, created: "2026-12-01T00:00:00.000Z", text, tools };
}

function call(id: string, end: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return { call: id, tool: "echo", status: "completed", args: { a: 1 }, ms: 1, ...end };
}

/** What a model is sent, as short texts. */
function shown(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const parts = typeof message.content === "string" ? [] : message.content;
    const text = typeof message.content === "string"
      ? message.content
      : parts.map((part) => part.type === "toolCall" ? `<${part.id}>` : "text" in part ? part.text : "").join(
        "",
      );
    return message.role === "toolResult"
      ? `${message.isError ? "error" : "result"} ${message.toolCallId}: ${text}`
      : `${message.role}: ${text}`;
  });
}

const HISTORY = [
  record("m1", "user", "first"),
  record("m2", "assistant", "look", [
    call("c1", { output: "one" }),
    call("c2", { status: "error", error: "no" }),
    call("c3", { status: "aborted", error: "stopped" }),
    call("s1", { tool: "helper/echo", output: "not of this talk" }),
  ]),
  record("m3", "assistant", "said"),
];

const ALL = [
  "user: first",
  "assistant: look<c1><c2><c3>",
  "result c1: one",
  "error c2: no",
  "error c3: stopped",
];

Deno.test("readTranscript: without a saved one it is made of the history", () => {
  for (
    const saved of [undefined, "", "no JSON", "null", "[]", '{"form":9,"messages":[],"always":[],"upTo":""}']
  ) {
    const read = readTranscript(saved, HISTORY);
    assert.deepEqual(shown(read.messages), [...ALL, "assistant: said"], `saved: ${saved}`);
    assert.equal(read.upTo, "m3");
  }
  assert.deepEqual(readTranscript(undefined, []), { messages: [], always: [], upTo: "" });
});

Deno.test("readTranscript: what was reported after the last save is added", () => {
  const { messages } = readTranscript(undefined, HISTORY.slice(0, 2));
  const saved = writeTranscript({ messages, always: ["bash ls"], upTo: "m2" });
  const later = [
    ...HISTORY,
    record("m4", "user", "second"),
    record("m5", "assistant", ""),
    record("m6", "assistant", "hal"),
  ];
  const read = readTranscript(saved, later);
  assert.deepEqual(shown(read.messages), [...ALL, "assistant: said", "user: second", "assistant: hal"]);
  assert.deepEqual(read.always, ["bash ls"]);
  assert.deepEqual(shown(readTranscript(saved, HISTORY.slice(0, 2)).messages), ALL);
});

Deno.test("readTranscript: a saved one of another history is not used", () => {
  const saved = writeTranscript({
    messages: [{ role: "user", content: "x", timestamp: 0 }],
    always: [],
    upTo: "m9",
  });
  assert.deepEqual(shown(readTranscript(saved, HISTORY).messages)[0], "user: first");
});

Deno.test("readTranscript: every call has a result, its own where it was stored", () => {
  const { messages } = readTranscript(undefined, HISTORY.slice(0, 2));
  // The daemon ended in the midst of the calls: the saved transcript has none or some of the results.
  const interrupted = [
    record("m1", "user", "first"),
    record("m2", "assistant", "look", [
      call("c1", { output: "one" }),
      call("c2", { status: "aborted" }),
      call("c3", { status: "completed", output: "" }),
    ]),
  ];
  const cut = "error c2: The call was interrupted before it ended; whether it had an effect is not known.";
  for (const kept of [2, 3]) {
    const saved = writeTranscript({ messages: messages.slice(0, kept), always: [], upTo: "m2" });
    const next = readTranscript(saved, [...interrupted, record("m3", "user", "on")]);
    assert.deepEqual(shown(next.messages), [
      "user: first",
      "assistant: look<c1><c2><c3>",
      "result c1: one",
      cut,
      "result c3: ",
      "user: on",
    ]);
  }
});

Deno.test("readTranscript: arguments that were no object are none", () => {
  const read = readTranscript(undefined, [
    record("m1", "assistant", "", [call("c1", { args: "{", error: "x", status: "error" })]),
  ]);
  const [message] = read.messages;
  assert.equal(message?.role, "assistant");
  assert.deepEqual(message?.role === "assistant" && message.content, [
    { type: "toolCall", id: "c1", name: "echo", arguments: {} },
  ]);
});
