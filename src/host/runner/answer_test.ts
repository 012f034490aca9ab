import assert from "node:assert/strict";
import { answerError, answerOutput } from "./answer.ts";
import type { FromTool } from "./messages.ts";

function record() {
  const posted: { message: FromTool; transfer: ArrayBuffer | undefined }[] = [];
  const post = (message: FromTool, transfer?: ArrayBuffer) => void posted.push({ message, transfer });
  return { posted, post };
}

Deno.test("answerOutput: what is within the bounds is a frame", () => {
  const { posted, post } = record();
  answerOutput(post, 7, 'a\n"ü"', false);
  assert.deepEqual(posted, [{
    message: { kind: "result", id: 7, json: '{"output":"a\\n\\"ü\\""}' },
    transfer: undefined,
  }]);
});

Deno.test("answerOutput: the bytes of what is over them are handed over without a copy", () => {
  const { posted, post } = record();
  answerOutput(post, 7, "€\n".repeat(20_000), true);
  const [first] = posted;
  assert.ok(first !== undefined && first.message.kind === "spill");
  const { bytes, lines, json, error } = first.message.output;
  assert.deepEqual([bytes.length, lines, json, error], [80_000, 20_000, true, undefined]);
  assert.equal(bytes.buffer, first.transfer);
});

Deno.test("answerError: code, message, and the detail when there is one", () => {
  const { posted, post } = record();
  answerError(post, 7, { code: "tool_failed", message: 'a "b"' });
  answerError(post, 8, { code: "output_too_large", message: "", detail: "stack\n" });
  assert.deepEqual(posted.map(({ message }) => message.kind === "error" && JSON.parse(message.json)), [
    { code: "tool_failed", message: 'a "b"' },
    { code: "output_too_large", message: "", detail: "stack\n" },
  ]);
});

Deno.test("answerError: a long message is kept as outputs are", () => {
  const { posted, post } = record();
  const sender = answerError(post, 7, { code: "tool_failed", message: "x".repeat(5_000_000), detail: "d" });
  assert.equal(sender, undefined);
  const [piece, last] = posted.map(({ message }) => message);
  assert.ok(piece?.kind === "spill_piece" && last?.kind === "spill");
  assert.deepEqual(last.output.error, { code: "tool_failed", detail: "d" });
  assert.equal(piece.bytes.length + last.output.bytes.length, 5_000_000);
});
