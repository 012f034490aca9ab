import assert from "node:assert/strict";
import { CALL_LOG, type LogLimits, ToolLog } from "./tool_log.ts";

const NOTE = "console:[the rest of what the tool prints here is left out of the log]\n";

function record(limits: LogLimits = CALL_LOG) {
  const pieces: string[] = [];
  return { pieces, log: new ToolLog(limits, (stream, text) => pieces.push(`${stream}:${text}`)) };
}

Deno.test("ToolLog: lines come whole, however they are written", () => {
  const { pieces, log } = record();
  log.write("stdout", "a");
  log.write("stdout", "b\nc");
  log.write("stderr", "x\ny\n");
  assert.deepEqual(pieces, ["stdout:ab\n", "stderr:x\ny\n"]);
  log.flush();
  log.flush();
  assert.deepEqual(pieces.slice(2), ["stdout:c"]);
});

Deno.test("ToolLog: a line that does not end is not kept for ever", () => {
  const { pieces, log } = record();
  log.write("stdout", "x".repeat(8_192));
  assert.deepEqual(pieces, []);
  log.write("stdout", "x");
  assert.equal(pieces.join("").length, "stdout:".length + 8_193);
});

Deno.test("ToolLog: a long text comes in pieces that cut no character", () => {
  const { pieces, log } = record();
  const text = "x" + "🌍".repeat(40_000) + "\n";
  log.write("console", text);
  assert.ok(pieces.length > 1);
  assert.ok(pieces.every((piece) => piece.isWellFormed() && piece.length <= 32 * 1024 + "console:".length));
  assert.equal(pieces.map((piece) => piece.slice("console:".length)).join(""), text);
});

Deno.test("ToolLog: a flood is cut with one note", () => {
  const { pieces, log } = record({ units: 1_000, pieces: 100, windowMs: Infinity });
  for (let line = 0; line < 10_000; line++) log.write("console", "0123456789\n");
  log.flush();
  assert.equal(pieces.at(-1), NOTE);
  assert.equal(pieces.filter((piece) => piece === NOTE).length, 1);
  assert.equal(pieces.slice(0, -1).map((piece) => piece.slice("console:".length)).join("").length, 1_000);
});

Deno.test("ToolLog: many small pieces are cut too", () => {
  const { pieces, log } = record({ units: 1_000, pieces: 5, windowMs: Infinity });
  for (let line = 0; line < 10; line++) log.write("stdout", "\n");
  assert.deepEqual(pieces, ["stdout:\n", "stdout:\n", "stdout:\n", "stdout:\n", "stdout:\n", NOTE]);
});

Deno.test("ToolLog: outside calls the log goes on after a while", async () => {
  const { pieces, log } = record({ units: 10, pieces: 5, windowMs: 20 });
  log.write("stdout", "0123456789more\n");
  log.write("stdout", "lost\n");
  await new Promise((resolve) => setTimeout(resolve, 30));
  log.write("stdout", "again\n");
  assert.deepEqual(pieces, ["stdout:0123456789", NOTE, "stdout:again\n"]);
});
