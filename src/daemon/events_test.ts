import assert from "node:assert/strict";
import { Events } from "./events.ts";

const decoder = new TextDecoder();

async function rest(response: Response): Promise<string> {
  return decoder.decode(await response.bytes());
}

Deno.test("every reader gets every event from when it came, in order", async () => {
  const events = new Events();
  events.publish(() => ({ type: "early", data: {} }));
  const one = events.connect();
  events.publish(() => ({ type: "load", data: { generation: 1 } }));
  const two = events.connect();
  events.publish(() => ({ type: "log", data: { text: "a\nb" } }));
  assert.deepEqual(events.stats, { readers: 2, dropped: 0 });
  events.close();
  const log = 'id: 2\nevent: log\ndata: {"text":"a\\nb"}\n\n';
  assert.equal(await rest(one), `: beeuni events\n\nid: 1\nevent: load\ndata: {"generation":1}\n\n${log}`);
  assert.equal(await rest(two), `: beeuni events\n\n${log}`);
  assert.deepEqual(events.stats, { readers: 0, dropped: 0 });
});

Deno.test("a reader that does not read is dropped with a notice, and costs no more than its buffer", async () => {
  const events = new Events({ maxPending: 1000 });
  const slow = events.connect();
  const quick = events.connect();
  const reader = quick.body!.getReader();
  let read = "";
  for (let index = 0; index < 100; index++) {
    events.publish(() => ({ type: "log", data: { index, text: "x".repeat(100) } }));
    read += decoder.decode((await reader.read()).value);
  }
  assert.deepEqual(events.stats, { readers: 1, dropped: 1 });
  assert.equal(
    await rest(slow),
    'event: dropped\ndata: {"reason":"events were not read fast enough"}\n\n',
  );
  events.close();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    read += decoder.decode(part.value);
  }
  assert.equal(read.match(/^event: log$/gm)?.length, 100, "the quick one missed nothing");
});

Deno.test("a reader that leaves is forgotten", async () => {
  const events = new Events();
  const reader = events.connect().body!.getReader();
  await reader.read();
  await reader.cancel();
  assert.deepEqual(events.stats, { readers: 0, dropped: 0 });
  events.publish(() => ({ type: "log", data: {} }));
});

Deno.test("a heartbeat goes out while somebody reads, and no timer stays when nobody does", async () => {
  const events = new Events({ heartbeatMs: 5 });
  const reader = events.connect().body!.getReader();
  let text = "";
  while (!text.includes(": heartbeat\n\n")) text += decoder.decode((await reader.read()).value);
  await reader.cancel();
});

Deno.test("readers are bounded, and none is taken after the end", () => {
  const events = new Events({ maxReaders: 2 });
  events.connect();
  events.connect();
  assert.throws(() => events.connect(), { code: "queue_full" });
  events.close();
  assert.throws(() => events.connect(), { code: "stopping" });
});
