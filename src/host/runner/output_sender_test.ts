import assert from "node:assert/strict";
import { countLines, MAX_SPILL_BYTES } from "./bound_output.ts";
import type { FromTool } from "./messages.ts";
import { OutputSender, PIECE_BYTES } from "./output_sender.ts";

/** Sends a text; each buffer comes back at once, when both are under way. */
function sent(text: string) {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const free: ArrayBuffer[] = [];
  let last: Extract<FromTool, { kind: "spill" }>["output"] | undefined;
  let isTooLarge = false;
  let atOnce = 0;
  const post = (message: FromTool, transfer?: ArrayBuffer) => {
    assert.ok(last === undefined, "nothing comes after the end");
    if (message.kind === "spill") last = message.output;
    else {
      assert.ok(message.kind === "spill_piece" && message.bytes.buffer === transfer && message.id === 7);
      pieces.push(message.bytes.slice());
      free.push(transfer);
      atOnce = Math.max(atOnce, free.length);
    }
  };
  const sender = new OutputSender(post, 7, text, { json: true }, () => isTooLarge = true);
  let goesOn = sender.start();
  while (goesOn) goesOn = sender.next(free.shift());
  return { pieces, last, isTooLarge, atOnce };
}

const TEXTS: [name: string, text: string][] = [
  ["a short one", "x\n".repeat(30_000)],
  ["exactly a piece", "x".repeat(PIECE_BYTES)],
  ["a unit more than a piece", "x".repeat(PIECE_BYTES + 1)],
  ["several pieces", "order;shipped\n".repeat(1_000_000)],
  ["three bytes a unit", "€".repeat(2 * PIECE_BYTES)],
  ["an emoji over the end of a piece, by units and by bytes", "x" + "🌍".repeat(PIECE_BYTES)],
  ["emoji and others", "a🌍ü€\n".repeat(1_500_000)],
  ["a lone surrogate at the end of a piece", "x".repeat(PIECE_BYTES - 1) + "\ud83c" + "y".repeat(10)],
  ["a lone surrogate at the end of all", "x".repeat(PIECE_BYTES) + "\ud83c"],
  ["lone surrogates alone", "\udf0d\ud83c".repeat(PIECE_BYTES)],
  ["a newline at the end of a piece", "x".repeat(PIECE_BYTES - 1) + "\n" + "y\n"],
  ["only newlines", "\n".repeat(PIECE_BYTES + 5)],
];
for (const [name, text] of TEXTS) {
  Deno.test(`OutputSender: ${name} arrives byte for byte, in pieces of which two are under way`, () => {
    const { pieces, last, isTooLarge, atOnce } = sent(text);
    assert.ok(last !== undefined && !isTooLarge);
    const whole = new TextEncoder().encode(text);
    const bytes = new Uint8Array(whole.length);
    let at = 0;
    for (const piece of [...pieces, last.bytes]) {
      assert.ok(piece.length <= PIECE_BYTES && piece.length > 0);
      bytes.set(piece, at);
      at += piece.length;
    }
    assert.equal(at, whole.length);
    assert.ok(bytes.every((byte, index) => byte === whole[index]));
    assert.deepEqual([last.lines, last.json, last.error], [countLines(whole), true, undefined]);
    assert.ok(atOnce <= 2);
  });
}

Deno.test("OutputSender: a text that is too large only as bytes is found out on the way", () => {
  const { pieces, last, isTooLarge } = sent("€".repeat(MAX_SPILL_BYTES / 3 + 1));
  assert.ok(isTooLarge && last === undefined);
  assert.equal(pieces.length, MAX_SPILL_BYTES / PIECE_BYTES);
});
