import assert from "node:assert/strict";
import { encodeFrame, type RunnerFrame, type WorkerSpec } from "./protocol.ts";
import { Runner } from "./runner.ts";
import { type RunningCallEnd, type Worker, WorkerFailure } from "./runner_worker.ts";
import type { RunnerEnd } from "./runner_process.ts";

const SPEC: WorkerSpec = {
  tool: "echo",
  url: "file:///p/tools/echo.ts",
  roots: ["/p"],
  nodeModules: [],
  root: "/p",
  revoke: { read: [], write: [] },
  net: true,
  run: false,
  sys: false,
  env: {},
  loadOnly: false,
};
const BODY = { args: {}, sessionId: "", agent: "a", directory: "/p" };
const ENV = { A: "1" };

/** A runner whose peer is this test: `sent` has its frames, `say` answers. */
class Bench {
  sent: { kind: string; id: number; body: unknown }[] = [];
  killed: RunnerEnd[] = [];
  events: string[] = [];
  readonly runner = new Runner({
    log: (worker, call, stream, text) =>
      this.events.push(`log ${worker.tool} ${call?.call} ${stream} ${text}`),
    workerError: (worker, message) => this.events.push(`error ${worker.tool} ${message}`),
    graph: (worker, graph) => this.events.push(`graph ${worker.tool} ${graph}`),
    dropped: (bytes) => this.events.push(`dropped ${bytes > 0}`),
    violation: (what) => this.events.push(`violation ${what}`),
  });

  constructor() {
    this.runner.attach({
      pid: 1,
      ended: Promise.resolve(),
      send: (frames) => {
        for (const line of frames.trimEnd().split("\n")) {
          const [kind = "", id = "", ...body] = line.split(" ");
          this.sent.push({ kind, id: Number(id), body: JSON.parse(body.join(" ")) });
        }
      },
      kill: (end) => this.killed.push(end),
    });
    this.say({ kind: "hello", id: 0, body: {} });
  }

  say(frame: RunnerFrame): void {
    this.raw(encodeFrame(frame).trimEnd());
  }

  raw(line: string | Uint8Array): void {
    this.runner.receive(typeof line === "string" ? new TextEncoder().encode(line) : line);
  }

  /** The number of the last frame of a kind. */
  last(kind: string): number {
    return this.sent.findLast((frame) => frame.kind === kind)?.id ?? -1;
  }

  async worker(tool = "echo"): Promise<Worker> {
    const loading = this.runner.load(tool, { ...SPEC, tool });
    this.say({
      kind: "loaded",
      id: this.last("worker"),
      body: { description: "d", parameters: {}, graph: ["/p/x"] },
    });
    return (await loading).worker;
  }

  begin(
    worker: Worker,
    call = "c",
    env: Record<string, string> = ENV,
  ): { number: number; ends: RunningCallEnd[] } {
    const ends: RunningCallEnd[] = [];
    const route = { envId: 1, env, spill: "/tmp/o/s" };
    const { number } = this.runner.begin(worker, call, route, BODY, (end) => ends.push(end));
    return { number, ends };
  }
}

Deno.test("Runner: load, call, result; the environment is sent once and again when it changed", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  assert.equal(worker.state, "ready");
  const first = bench.begin(worker);
  const frames = bench.sent.slice(1).map(({ kind, id }) => [kind, id]);
  assert.deepEqual(frames, [["env", 1], ["begin", first.number], ["call", first.number]]);
  assert.deepEqual(bench.sent.at(-2)?.body, { worker: worker.id, env: 1, tool: "echo", spill: "/tmp/o/s" });
  bench.say({ kind: "result", id: first.number, body: { output: "o" } });
  assert.deepEqual(first.ends, [{ kind: "result", id: first.number, body: { output: "o" } }]);
  bench.sent = [];
  bench.begin(worker);
  assert.deepEqual(bench.sent.map(({ kind }) => kind), ["begin", "call"]);
  bench.sent = [];
  bench.begin(worker, "c", { A: "2" });
  assert.deepEqual(bench.sent.map(({ kind }) => kind), ["env", "begin", "call"]);
  assert.equal(worker.calls.size, 2);
  assert.deepEqual(bench.events, []);
});

Deno.test("Runner: the forms of an environment's secrets go before it, and only when it changed", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  bench.sent = [];
  const asked: string[][] = [];
  const maskForms = (values: Iterable<string>) => {
    asked.push([...values]);
    return ["form-of-it"];
  };
  const route = { envId: 2, env: { A: "secret", B: "other" }, spill: "/tmp/o/s", maskForms };
  for (const call of ["c", "d"]) bench.runner.begin(worker, call, route, BODY, () => {});
  assert.deepEqual(bench.sent.map(({ kind }) => kind), ["mask", "env", "begin", "call", "begin", "call"]);
  assert.deepEqual(bench.sent[0], { kind: "mask", id: 2, body: ["form-of-it"] });
  assert.deepEqual(asked, [["secret", "other"]]);
});

Deno.test("Runner: frames before the channel is there wait for it", async () => {
  const bench = new Bench();
  const runner = new Runner({
    log: () => {},
    workerError: () => {},
    graph: () => {},
    dropped: () => {},
    violation: () => {},
  });
  const loading = runner.load("echo", SPEC);
  let sent = "";
  runner.kill({ what: "was stopped", expected: true });
  runner.attach({
    pid: 2,
    ended: Promise.resolve(),
    send: (frames) => sent += frames,
    kill: (end) => bench.killed.push(end),
  });
  assert.match(sent, /^worker \d+ \{/);
  assert.deepEqual(bench.killed, [{ what: "was stopped", expected: true }]);
  runner.onProcessEnd({ what: "was stopped", expected: true });
  await assert.rejects(loading, { kind: "runner", message: "was stopped" });
});

Deno.test("Runner: a module that does not load", async () => {
  const bench = new Bench();
  const loading = bench.runner.load("echo", SPEC);
  bench.say({
    kind: "load_failed",
    id: bench.last("worker"),
    body: { reason: "tools/echo.ts: no", graph: [] },
  });
  await assert.rejects(loading, (error) => {
    assert.ok(error instanceof WorkerFailure);
    assert.deepEqual([error.kind, error.message, error.worker.state], ["load", "tools/echo.ts: no", "gone"]);
    return true;
  });
  assert.equal(bench.runner.workers.size, 0);
});

/** What a runner must not say: the first is reported, the second ends it. Each is said in a fresh bench. */
const LIES: [what: string, say: (bench: Bench, worker: Worker) => void][] = [
  ["nonsense", (bench) => bench.raw("nonsense")],
  ["an empty line", (bench) => bench.raw("")],
  ["bytes that are no text", (bench) => bench.raw(new Uint8Array([0xff, 0xfe, 0x20, 0x20]))],
  ["an unknown kind", (bench) => bench.raw("lie 1 {}")],
  ["a surplus member", (bench) => bench.raw('retired 1 {"stopped":true,"more":1}')],
  ["a frame of ours", (bench) => bench.raw('begin 1 {"worker":1}')],
  ["hello again", (bench) => bench.say({ kind: "hello", id: 0, body: {} })],
  ["a result of no call", (bench) => bench.say({ kind: "result", id: 999_999, body: { output: "" } })],
  [
    "a result for a worker",
    (bench, worker) => bench.say({ kind: "result", id: worker.id, body: { output: "" } }),
  ],
  [
    "an error of no call",
    (bench) => bench.say({ kind: "error", id: 999_999, body: { code: "tool_failed", message: "" } }),
  ],
  ["loaded, of no worker", (bench) => {
    bench.say({ kind: "loaded", id: 999_999, body: { description: "", parameters: {}, graph: [] } });
  }],
  ["loaded, twice", (bench, worker) => {
    bench.say({ kind: "loaded", id: worker.id, body: { description: "", parameters: {}, graph: [] } });
  }],
  [
    "retired, unasked",
    (bench, worker) => bench.say({ kind: "retired", id: worker.id, body: { stopped: true } }),
  ],
  ["a log line of no worker", (bench) => {
    bench.say({ kind: "log", id: 999_999, body: { call: 0, stream: "console", text: "" } });
  }],
  [
    "an error of no worker",
    (bench) => bench.say({ kind: "worker_error", id: 999_999, body: { message: "" } }),
  ],
  ["modules of no worker", (bench) => bench.say({ kind: "graph", id: 999_999, body: { graph: [] } })],
  ["a result twice", (bench, worker) => {
    const { number } = bench.begin(worker);
    bench.say({ kind: "result", id: number, body: { output: "" } });
    bench.say({ kind: "result", id: number, body: { output: "forged" } });
  }],
  ["an output over the bounds", (bench, worker) => {
    const { number, ends } = bench.begin(worker);
    bench.say({ kind: "result", id: number, body: { output: "x".repeat(51_201) } });
    assert.deepEqual(ends, [{ kind: "gone", what: "sent an output that is not bounded" }]);
  }],
  ["an output over the bounds in bytes", (bench, worker) => {
    bench.say({ kind: "result", id: bench.begin(worker).number, body: { output: "ü".repeat(25_601) } });
  }],
  ["a file elsewhere", (bench, worker) => {
    const { number } = bench.begin(worker);
    bench.say({
      kind: "result",
      id: number,
      body: { output: "", truncated: true, bytes: 1, lines: 1, file: "/etc/passwd" },
    });
  }],
];

Deno.test("Runner: a lie is reported, a second one ends the process", async () => {
  for (const [what, say] of LIES) {
    const bench = new Bench();
    const worker = await bench.worker();
    const victim = bench.begin(worker, "victim");
    say(bench, worker);
    assert.equal(bench.events.filter((event) => event.startsWith("violation")).length, 1, what);
    assert.equal(bench.killed.length, 0, what);
    assert.deepEqual(victim.ends, [], `${what} reached another call`);
    bench.raw("nonsense");
    assert.equal(bench.killed.length, 1, what);
    assert.match(bench.killed[0]?.what ?? "", /^was stopped: it sent /, what);
    assert.equal(bench.killed[0]?.expected, false);
  }
});

Deno.test("Runner: an output and a file within the bounds are taken", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  const { number, ends } = bench.begin(worker);
  const body = {
    output: "ü".repeat(25_600),
    truncated: true,
    bytes: 60_000,
    lines: 1,
    file: "/tmp/o/s/echo-1.txt",
  } as const;
  bench.say({ kind: "result", id: number, body });
  assert.deepEqual(ends, [{ kind: "result", id: number, body }]);
  assert.deepEqual(bench.events, []);
});

Deno.test("Runner: what comes late of a call or worker that we ended is dropped, once", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  const { number, ends } = bench.begin(worker);
  const retired = bench.runner.retire(worker, "was stopped");
  assert.deepEqual(ends, [{ kind: "gone", what: "was stopped" }]);
  bench.say({ kind: "result", id: number, body: { output: "late" } });
  bench.say({ kind: "log", id: worker.id, body: { call: number, stream: "console", text: "late" } });
  bench.say({ kind: "worker_error", id: worker.id, body: { message: "late" } });
  bench.say({ kind: "retired", id: worker.id, body: { stopped: false } });
  assert.equal(await retired, false);
  assert.equal(ends.length, 1);
  assert.deepEqual(bench.events, []);
  bench.say({ kind: "result", id: number, body: { output: "again" } });
  assert.equal(bench.events.length, 1);
});

Deno.test("Runner: log lines belong to a call of their own worker only", async () => {
  const bench = new Bench();
  const [echo, other] = [await bench.worker("echo"), await bench.worker("other")];
  const { number } = bench.begin(echo, "mine");
  const log = (worker: Worker, call: number) => {
    bench.say({ kind: "log", id: worker.id, body: { call, stream: "stdout", text: "t" } });
  };
  log(echo, number);
  log(echo, 0);
  log(other, number);
  assert.deepEqual(bench.events, [
    "log echo mine stdout t",
    "log echo undefined stdout t",
    "log other undefined stdout t",
  ]);
});

Deno.test("Runner: a flood of log lines is dropped before it is read", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  const text = "x".repeat(100_000);
  for (let index = 0; index < 200; index++) {
    bench.say({ kind: "log", id: worker.id, body: { call: 0, stream: "console", text } });
  }
  assert.ok(bench.events.length < 60, `${bench.events.length} lines`);
  assert.ok(bench.events.length >= 40);
});

Deno.test("Runner: abort reaches a call that runs, and no other", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  const { number } = bench.begin(worker);
  const running = [...bench.runner.calls.values()][0]!;
  bench.runner.abort(running, "abort", "m");
  assert.deepEqual(bench.sent.at(-1), { kind: "abort", id: number, body: { reason: "abort", message: "m" } });
  bench.say({ kind: "error", id: number, body: { code: "tool_failed", message: "x" } });
  const before = bench.sent.length;
  bench.runner.abort(running, "timeout", "m");
  assert.equal(bench.sent.length, before);
});

Deno.test("Runner: when the process ends, everything that waits for it is told", async () => {
  const bench = new Bench();
  const worker = await bench.worker();
  const { ends } = bench.begin(worker);
  const loading = bench.runner.load("other", SPEC);
  const retiring = bench.runner.retire(await bench.worker("third"));
  bench.runner.onProcessEnd({ what: "ran out of memory", expected: false });
  assert.deepEqual(ends, [{ kind: "gone", what: "ran out of memory" }]);
  await assert.rejects(loading, { kind: "runner", message: "ran out of memory" });
  assert.equal(await retiring, true);
  await assert.rejects(bench.runner.load("fourth", SPEC), { kind: "runner", message: "ran out of memory" });
  assert.equal(await bench.runner.retire(worker), true);
  assert.deepEqual([bench.runner.workers.size, bench.runner.calls.size], [0, 0]);
});
