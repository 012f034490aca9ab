import assert from "node:assert/strict";
import { FrameWriter } from "./frame_writer.ts";

const decoder = new TextDecoder();
const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

Deno.test("FrameWriter: keeps the order, and writes what has gathered in one", async () => {
  const writes: string[] = [];
  const writer = new FrameWriter({
    async write(bytes) {
      writes.push(decoder.decode(bytes));
      await settle();
      return bytes.length;
    },
  }, () => assert.fail());
  writer.send("a\n");
  writer.send("b\n");
  writer.send("ü\n");
  await settle();
  await settle();
  writer.send("d\n");
  await settle();
  await settle();
  assert.deepEqual(writes, ["a\n", "b\nü\n", "d\n"]);
});

Deno.test("FrameWriter: goes on after a write that took only a part", async () => {
  let written = "";
  const writer = new FrameWriter({
    write(bytes) {
      written += decoder.decode(bytes.subarray(0, 3));
      return Promise.resolve(Math.min(3, bytes.length));
    },
  }, () => assert.fail());
  writer.send("0123456789\n");
  writer.send("abc\n");
  await settle();
  assert.equal(written, "0123456789\nabc\n");
});

Deno.test("FrameWriter: tells once that the peer is gone, and writes no more", async () => {
  let failed = 0;
  let writes = 0;
  const writer = new FrameWriter({
    write() {
      writes++;
      return Promise.reject(new Error("broken pipe"));
    },
  }, () => failed++);
  writer.send("a\n");
  await settle();
  writer.send("b\n");
  await settle();
  assert.deepEqual([failed, writes], [1, 1]);
});
