import assert from "node:assert/strict";
import { readEvents } from "./read_events.ts";

const TEXT = { type: "text", message: "m", delta: "ü\n✓" };
const END = { type: "turn_end", state: "completed" };

function sse({ type, ...data }: { type: string } & Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function read(text: string, size = text.length): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return await Array.fromAsync(readEvents(body));
}

Deno.test("events are read whole, whatever the pieces they come in", async () => {
  const text = `: heartbeat\n\nid: 7\n${sse(TEXT)}${sse(END)}`;
  for (const body of [text, text.replaceAll("\n", "\r\n"), text.replaceAll("\n", "\r") + "\r"]) {
    for (let size = 1; size < 12; size++) assert.deepEqual(await read(body, size), [TEXT, END]);
  }
});

Deno.test("data may name the type itself, and stand on several lines", async () => {
  assert.deepEqual(await read(`event: text\ndata: {"type":"text",\ndata: "message":"m","delta":""}\n\n`), [
    { type: "text", message: "m", delta: "" },
  ]);
});

Deno.test("what is no event of a session is passed over, and so is one that was cut", async () => {
  assert.deepEqual(
    await read(`data: {}\n\nevent: dropped\ndata: {}\n\nevent: text\n\n${sse(END)}event: text\ndata: {`),
    [END],
  );
});

Deno.test("a stream in which nothing happens ends", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  assert.deepEqual(await Array.fromAsync(readEvents(body, { idleMs: 5 })), []);
  await Promise.resolve();
  assert.ok(cancelled);
});
