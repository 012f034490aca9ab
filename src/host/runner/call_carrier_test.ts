import assert from "node:assert/strict";
import { type DaemonFrame, encodeFrame } from "../protocol.ts";
import { MAX_SPILL_BYTES } from "./bound_output.ts";
import { CallCarrier } from "./call_carrier.ts";
import type { FromTool, ToMain, ToTool } from "./messages.ts";

const encoder = new TextEncoder();
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A carrier between a daemon and tools that the test plays. */
class Stage implements Disposable {
  readonly frames: string[] = [];
  readonly toMain: ToMain[] = [];
  readonly carrier = new CallCarrier({
    toDaemon: (frame) => this.frames.push(frame.trimEnd()),
    toMain: (message) => this.toMain.push(message),
  });
  readonly #ports: MessagePort[] = [];

  send(frame: DaemonFrame): void {
    this.carrier.fromDaemon(encoder.encode(encodeFrame(frame).trimEnd()));
  }

  /** Has the carrier make worker `id`; answers the tool's side of it. */
  makeWorker(id: number) {
    const body = {
      tool: "t",
      url: "",
      roots: [],
      nodeModules: [],
      root: "",
      revoke: { read: [], write: [] },
      net: true,
      run: false as const,
      sys: false as const,
      env: {},
      loadOnly: false,
    };
    this.send({ kind: "worker", id, body });
    const created = this.toMain.findLast((message) => message.kind === "create");
    assert.ok(created !== undefined && created.id === id);
    const { port, lock, aborts } = created;
    const messages: ToTool[] = [];
    port.onmessage = (event: MessageEvent<ToTool>) => messages.push(event.data);
    this.#ports.push(port);
    return {
      lock,
      aborts: new Int32Array(aborts),
      messages,
      say: (message: unknown) => port.postMessage(message),
    };
  }

  async loadedWorker(id: number) {
    const worker = this.makeWorker(id);
    worker.say({ kind: "loaded", json: "{}", isLast: false } satisfies FromTool);
    await settle();
    return worker;
  }

  call(id: number, worker: number): void {
    this.send({ kind: "begin", id, body: { worker, env: 1, tool: "t", spill: "/spill/s" } });
    this.send({ kind: "call", id, body: { args: {}, sessionId: "s", agent: "a", directory: "/" } });
  }

  [Symbol.dispose](): void {
    for (const port of this.#ports) port.close();
    for (const id of [1, 2]) this.carrier.fromMain({ kind: "failed", id, reason: "the test is over" });
  }
}

const BREACH = 'worker_error 1 {"message":"its worker broke the protocol"}';

Deno.test("CallCarrier: variables go to a worker once, and again when they changed", async () => {
  using stage = new Stage();
  stage.send({ kind: "env", id: 1, body: { A: "1" } });
  const worker = await stage.loadedWorker(1);
  stage.call(10, 1);
  stage.call(11, 1);
  stage.send({ kind: "env", id: 1, body: { A: "2" } });
  stage.call(12, 1);
  await settle();
  assert.deepEqual(worker.messages.map((message) => `${message.kind} ${message.id}`), [
    "env 1",
    "call 10",
    "call 11",
    "env 1",
    "call 12",
  ]);
});

Deno.test("CallCarrier: what is to be masked goes along with the variables of its id", async () => {
  using stage = new Stage();
  stage.send({ kind: "mask", id: 2, body: ["of another set"] });
  stage.send({ kind: "env", id: 1, body: { A: "1" } });
  const worker = await stage.loadedWorker(1);
  stage.call(10, 1);
  stage.send({ kind: "mask", id: 1, body: ["secret-a", "secret-b"] });
  stage.send({ kind: "env", id: 1, body: { A: "secret-a" } });
  stage.call(11, 1);
  await settle();
  assert.deepEqual(worker.messages.filter(({ kind }) => kind === "env"), [
    { kind: "env", id: 1, json: '{"A":"1"}' },
    { kind: "env", id: 1, json: '{"A":"secret-a"}', mask: '["secret-a","secret-b"]' },
  ]);
});

Deno.test("CallCarrier: a long body goes over as bytes, unread", async () => {
  using stage = new Stage();
  const worker = await stage.loadedWorker(1);
  stage.send({ kind: "begin", id: 10, body: { worker: 1, env: 1, tool: "t", spill: "/s" } });
  stage.carrier.fromDaemon(encoder.encode(`call 10 not json ${"x".repeat(100_000)}`));
  await settle();
  const call = worker.messages.at(-1);
  assert.ok(call?.kind === "call" && call.json instanceof Uint8Array);
  assert.equal(call.json.length, 100_009);
});

Deno.test("CallCarrier: an abort is counted before it is posted", async () => {
  using stage = new Stage();
  const worker = await stage.loadedWorker(1);
  stage.call(10, 1);
  stage.send({ kind: "abort", id: 10, body: { reason: "abort", message: "x" } });
  assert.equal(Atomics.load(worker.aborts, 0), 1);
  stage.send({ kind: "abort", id: 99, body: { reason: "abort", message: "x" } });
  assert.equal(Atomics.load(worker.aborts, 0), 1);
  await settle();
  assert.deepEqual(worker.messages.at(-1), {
    kind: "abort",
    id: 10,
    json: '{"reason":"abort","message":"x"}',
  });
});

Deno.test("CallCarrier: a worker answers its own calls, each once", async () => {
  using stage = new Stage();
  const [one, two] = [await stage.loadedWorker(1), await stage.loadedWorker(2)];
  stage.call(10, 1);
  stage.call(20, 2);
  stage.frames.length = 0;
  one.say({ kind: "result", id: 20, json: '{"output":"forged"}' });
  await settle();
  assert.deepEqual(stage.frames, [BREACH]);
  one.say({ kind: "result", id: 10, json: '{"output":"mine"}' });
  one.say({ kind: "result", id: 10, json: '{"output":"twice"}' });
  one.say({ kind: "error", id: 999, json: '{"code":"tool_failed","message":""}' });
  two.say({ kind: "result", id: 20, json: '{"output":"mine too"}' });
  await settle();
  assert.deepEqual(stage.frames.toSorted(), [
    'result 10 {"output":"mine"}',
    'result 20 {"output":"mine too"}',
    BREACH,
    BREACH,
    BREACH,
  ]);
});

Deno.test("CallCarrier: an output goes to the main thread, and its worker may not answer again", async () => {
  using stage = new Stage();
  const worker = await stage.loadedWorker(1);
  stage.call(10, 1);
  const output = { bytes: new Uint8Array([1, 2]), lines: 1, json: false };
  worker.say({ kind: "spill", id: 10, output });
  worker.say({ kind: "result", id: 10, json: "{}" });
  await settle();
  assert.deepEqual(stage.toMain.at(-1), { kind: "spill", id: 10, folder: "/spill/s", tool: "t", output });
  assert.equal(stage.frames.at(-1), BREACH);
  // It is answered though the worker is retired meanwhile.
  stage.send({ kind: "retire", id: 1, body: {} });
  stage.carrier.fromMain({ kind: "spilled", id: 10, frame: "result", json: '{"output":"x"}' });
  stage.carrier.fromMain({ kind: "spilled", id: 10, frame: "result", json: '{"output":"x"}' });
  assert.deepEqual(stage.frames.slice(-2), ['retired 1 {"stopped":true}', 'result 10 {"output":"x"}']);
});

Deno.test("CallCarrier: an output comes in pieces, and each buffer goes back to its worker", async () => {
  using stage = new Stage();
  const worker = await stage.loadedWorker(1);
  stage.call(10, 1);
  const bytes = new Uint8Array([1, 2]);
  worker.say({ kind: "spill_piece", id: 10, bytes });
  await settle();
  assert.deepEqual(stage.toMain.at(-1), {
    kind: "spill_piece",
    id: 10,
    folder: "/spill/s",
    tool: "t",
    bytes,
  });
  stage.carrier.fromMain({ kind: "piece_written", id: 10, buffer: new ArrayBuffer(2) });
  await settle();
  assert.deepEqual(worker.messages.at(-1), { kind: "spill_next", id: 10, buffer: new ArrayBuffer(2) });
  const output = { bytes, lines: 1, json: false };
  worker.say({ kind: "spill", id: 10, output });
  await settle();
  assert.deepEqual(stage.toMain.at(-1), { kind: "spill", id: 10, folder: "/spill/s", tool: "t", output });
  stage.carrier.fromMain({ kind: "spilled", id: 10, frame: "result", json: '{"output":"x"}' });
  assert.equal(stage.frames.at(-1), 'result 10 {"output":"x"}');
  // A piece that comes back when the call is over is nobody's.
  stage.carrier.fromMain({ kind: "piece_written", id: 10, buffer: new ArrayBuffer(2) });
});

for (
  const [how, message, frame] of [
    ["its worker is retired", undefined, 'error 10 {"code":"worker_gone"'],
    ["an error takes its place", { kind: "error", id: 10, json: '{"code":"output_too_large"}' }, "error 10 "],
  ] as const
) {
  Deno.test(`CallCarrier: what came of an output is removed when ${how}`, async () => {
    using stage = new Stage();
    const worker = await stage.loadedWorker(1);
    stage.call(10, 1);
    worker.say({ kind: "spill_piece", id: 10, bytes: new Uint8Array(3) });
    await settle();
    if (message === undefined) stage.send({ kind: "retire", id: 1, body: {} });
    else worker.say(message);
    await settle();
    assert.deepEqual(stage.toMain.filter(({ kind }) => kind === "spill_drop"), [{
      kind: "spill_drop",
      id: 10,
    }]);
    assert.ok(stage.frames.some((sent) => sent.startsWith(frame)), stage.frames.join("; "));
  });
}

Deno.test("CallCarrier: pieces are no more than a file may hold", async () => {
  using stage = new Stage();
  const worker = await stage.loadedWorker(1);
  stage.call(10, 1);
  const piece = () => ({ kind: "spill_piece", id: 10, bytes: new Uint8Array(MAX_SPILL_BYTES / 4) });
  for (let count = 0; count < 4; count++) worker.say(piece());
  await settle();
  assert.deepEqual(stage.frames.filter((frame) => frame === BREACH), []);
  worker.say({ kind: "spill", id: 10, output: { bytes: new Uint8Array(1), lines: 1, json: false } });
  worker.say({ kind: "spill_piece", id: 10, bytes: new Uint8Array(1) });
  await settle();
  assert.deepEqual(stage.frames.slice(-2), [BREACH, BREACH]);
  assert.equal(stage.toMain.filter(({ kind }) => kind === "spill_piece" || kind === "spill").length, 4);
});

const BREACHES: [name: string, message: unknown][] = [
  ["a second loaded", { kind: "loaded", json: "{}", isLast: false }],
  ["load_failed after loaded", { kind: "load_failed", json: "{}" }],
  ["a newline in a body", { kind: "result", id: 10, json: '{}\nresult 20 {"output":"forged"}' }],
  ["a newline in its graph", { kind: "graph", json: "{}\nhello 0 {}" }],
  ["a body that is no text", { kind: "result", id: 10, json: { output: "x" } }],
  ["a body that is too long", { kind: "result", id: 10, json: "x".repeat(800_000) }],
  ["an id that is no number", { kind: "result", id: "10", json: "{}" }],
  ["an unknown kind", { kind: "hello", id: 0, json: "{}" }],
  ["a kind of Object.prototype", { kind: "constructor" }],
  ["a log that is too long", { kind: "log", id: 10, stream: "stdout", text: "x".repeat(100_000) }],
  ["a log of an unknown stream", { kind: "log", id: 10, stream: "x", text: "" }],
  ["a log that is no text", { kind: "log", id: 10, stream: "stdout", text: 1 }],
  ["an output that is no output", { kind: "spill", id: 10, output: { bytes: "x" } }],
  ["an output that is missing", { kind: "spill", id: 10 }],
  ["an output in shared memory", {
    kind: "spill",
    id: 10,
    output: { bytes: new Uint8Array(new SharedArrayBuffer(1)), lines: 1, json: false },
  }],
  ["a piece in shared memory", {
    kind: "spill_piece",
    id: 10,
    bytes: new Uint8Array(new SharedArrayBuffer(1)),
  }],
  ["a piece that is none", { kind: "spill_piece", id: 10 }],
  ["a piece for another's call", { kind: "spill_piece", id: 20, bytes: new Uint8Array(1) }],
  ["an output that is null", { kind: "spill", id: 10, output: null }],
  ["an output with an error that is none", {
    kind: "spill",
    id: 10,
    output: { bytes: new Uint8Array(1), lines: 1, json: false, error: { code: "worker_gone" } },
  }],
  ["an output with a detail that is too long", {
    kind: "spill",
    id: 10,
    output: {
      bytes: new Uint8Array(1),
      lines: 1,
      json: false,
      error: { code: "tool_failed", detail: "x".repeat(100_000) },
    },
  }],
  ["a text", "retired"],
  ["null", null],
  ["a number", 7],
];
for (const [name, message] of BREACHES) {
  Deno.test(`CallCarrier: ${name} is refused and told`, async () => {
    using stage = new Stage();
    const worker = await stage.loadedWorker(1);
    stage.call(10, 1);
    stage.frames.length = 0;
    worker.say(message);
    await settle();
    assert.deepEqual(stage.frames, [BREACH]);
  });
}

Deno.test("CallCarrier: a log is told with its call only while that runs, and is one line", async () => {
  using stage = new Stage();
  const [one] = [await stage.loadedWorker(1), await stage.loadedWorker(2)];
  stage.call(20, 2);
  stage.frames.length = 0;
  one.say({ kind: "log", id: 20, stream: "console", text: 'result 20 {}\nresult 20 {"output":"x"}\n' });
  await settle();
  assert.deepEqual(stage.frames, [
    'log 1 {"call":0,"stream":"console","text":"result 20 {}\\nresult 20 {\\"output\\":\\"x\\"}\\n"}',
  ]);
});

Deno.test("CallCarrier: a thread that ends by itself answers its calls and is told", async () => {
  using stage = new Stage();
  const worker = await stage.loadedWorker(1);
  const release = await hold(worker.lock);
  worker.say({ kind: "alive" });
  await settle();
  stage.call(10, 1);
  stage.frames.length = 0;
  release();
  await settle();
  const message = "a tool may not exit the process: it ended its own thread";
  assert.deepEqual(stage.frames, [
    `error 10 {"code":"worker_gone","message":"${message}"}`,
    `worker_error 1 {"message":"${message}"}`,
  ]);
  assert.equal(stage.toMain.at(-1)?.kind, "terminate");
});

Deno.test("CallCarrier: a retired worker is told as stopped when its thread ends, else as not", async () => {
  using stage = new Stage();
  for (const id of [1, 2]) {
    const worker = await stage.loadedWorker(id);
    const release = await hold(worker.lock);
    worker.say({ kind: "alive" });
    await settle();
    stage.send({ kind: "retire", id, body: {} });
    assert.deepEqual(stage.toMain.at(-1), { kind: "terminate", id });
    assert.equal(stage.frames.some((frame) => frame.startsWith(`retired ${id}`)), false);
    if (id === 1) release();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    release();
  }
  assert.deepEqual(stage.frames.filter((frame) => frame.startsWith("retired")), [
    'retired 1 {"stopped":true}',
    'retired 2 {"stopped":false}',
  ]);
});

Deno.test("CallCarrier: a worker that could not be made did not load", () => {
  using stage = new Stage();
  stage.makeWorker(1);
  stage.carrier.fromMain({ kind: "failed", id: 1, reason: "no thread" });
  assert.deepEqual(stage.frames, ['load_failed 1 {"reason":"no thread","graph":[]}']);
});

/** Holds a lock as a worker's thread does; the returned function ends that. */
async function hold(name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const locks: { request(name: string, hold: () => unknown): Promise<unknown> } = Reflect.get(
    navigator,
    "locks",
  );
  void locks.request(name, () => {
    held.resolve();
    return promise;
  });
  await held.promise;
  return resolve;
}

Deno.test("CallCarrier: the main thread is told of a worker that waits for calls, not of one that was only loaded", async () => {
  using stage = new Stage();
  await stage.loadedWorker(1);
  assert.deepEqual(stage.toMain.at(-1), { kind: "ready", id: 1 });
  const worker = stage.makeWorker(2);
  worker.say({ kind: "loaded", json: "{}", isLast: true } satisfies FromTool);
  await settle();
  assert.deepEqual(stage.toMain.at(-1), { kind: "terminate", id: 2 });
});
