import assert from "node:assert/strict";
import fc from "fast-check";
import { fuzz } from "../../tests/support/fuzz.ts";
import { FrameSplitter, FrameTooLongError } from "./frame_splitter.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Feeds `text` in pieces of `size` bytes through one buffer that is filled again and again, as a reader does. */
function split(bytes: Uint8Array, size: number, maxBytes = Infinity): string[] {
  const splitter = new FrameSplitter(maxBytes);
  const buffer = new Uint8Array(size);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    for (const line of splitter.push(buffer.subarray(0, piece.length))) lines.push(decoder.decode(line));
  }
  return lines;
}

Deno.test("FrameSplitter: lines are the same however the bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 40 }), (texts, size) => {
      const lines = texts.map((text) => text.replaceAll("\n", "¶"));
      const bytes = encoder.encode(lines.map((line) => line + "\n").join(""));
      assert.deepEqual(split(bytes, size), lines);
    }),
    fuzz(300),
  );
});

Deno.test("FrameSplitter: what has no newline yet is kept back", () => {
  const splitter = new FrameSplitter(100);
  assert.deepEqual([...splitter.push(encoder.encode("abc"))], []);
  assert.equal(splitter.pendingBytes, 3);
  assert.deepEqual([...splitter.push(encoder.encode("d\ne"))].map((line) => decoder.decode(line)), ["abcd"]);
  assert.equal(splitter.pendingBytes, 1);
});

Deno.test("FrameSplitter: the limit is the length of a line, not of a chunk", () => {
  for (const size of [1, 3, 64]) {
    assert.deepEqual(split(encoder.encode("12345\n12345\n\n"), size, 5), ["12345", "12345", ""]);
    assert.throws(() => split(encoder.encode("12345\n123456\n"), size, 5), FrameTooLongError);
    assert.throws(() => split(encoder.encode("123456"), size, 5), FrameTooLongError);
  }
});

Deno.test("FrameSplitter: the lines before one that is too long are handed out", () => {
  const lines: string[] = [];
  const splitter = new FrameSplitter(3);
  assert.throws(() => {
    for (const line of splitter.push(encoder.encode("a\nb\nlong one\n"))) lines.push(decoder.decode(line));
  }, FrameTooLongError);
  assert.deepEqual(lines, ["a", "b"]);
});
