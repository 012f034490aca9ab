import assert from "node:assert/strict";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { Listener } from "./support/listener.ts";
import { Project } from "./support/project.ts";
import { output, refusal } from "./support/told.ts";

// Cancelling a call (specification 2.3 stop ladder, cases A1, A2; A3 and A4 are faults).

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/calls" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
const aborted = refusal(499, "aborted", /./);

/** What the tool wrote down about one call. */
function notes(mark: string): string[] {
  let text = "";
  try {
    text = project.read("notes.txt");
  } catch {
    // Nothing yet.
  }
  return text.split("\n").filter((line) => line.startsWith(`${mark} `)).map((line) =>
    line.slice(mark.length + 1)
  );
}

function started(mark: string): Promise<void> {
  return eventually(() => assert.deepEqual(notes(mark), ["started"]));
}

/** The log line of a call. */
function logged(call: string): Promise<Record<string, unknown>> {
  return eventually(() => {
    const line = daemon.log.find((line) => line.call === call && line.outcome !== undefined);
    assert.ok(line !== undefined, `no log line of ${call}`);
    return line;
  });
}

Deno.test({
  name: "abort: the client's connection closes while the tool waits for a server (A1)",
  ...LENIENT,
  async fn() {
    await using server = new Listener();
    const controller = new AbortController();
    const call = daemon.call("hangs", { call: "a1", args: { note: "a1", url: server.url } }, {
      signal: controller.signal,
    });
    await eventually(() => assert.equal(server.connections, 1));
    controller.abort();
    await assert.rejects(call);
    await eventually(() => assert.equal(server.closed, 1, "the server's connection is still open"));
    assert.equal((await logged("a1")).outcome, "aborted");
    await eventually(() =>
      assert.deepEqual(notes("a1"), ["started", "aborted AbortError", "caught AbortError"])
    );
    assert.match(await daemon.metrics(), /in_flight 0$/m);
    refusal(404, "call_not_found", /./)(await daemon.cancel("a1"));
  },
});

Deno.test({
  name: "abort: DELETE /beeuni/calls/:id answers the caller at once, the signal fires once (A2)",
  ...LENIENT,
  async fn() {
    await using server = new Listener();
    const call = daemon.call("hangs", { call: "a2", args: { note: "a2", url: server.url } });
    await started("a2");
    const first = await daemon.cancel("a2");
    assert.equal(first.status, 202);
    const second = await daemon.cancel("a2");
    assert.ok([202, 404].includes(second.status), String(second.status));
    aborted(await call);
    await eventually(() => assert.equal(server.closed, 1));
    await sleep(100);
    assert.deepEqual(notes("a2"), ["started", "aborted AbortError", "caught AbortError"]);
    assert.equal((await logged("a2")).outcome, "aborted");
  },
});

Deno.test({
  name: "abort: a tool that catches it and returns normally stays aborted (A2)",
  ...LENIENT,
  async fn() {
    const call = daemon.call("hangs", { call: "a3", args: { note: "a3", then: "return" } });
    await started("a3");
    assert.equal((await daemon.cancel("a3")).status, 202);
    aborted(await call);
    assert.equal((await logged("a3")).outcome, "aborted");
    await sleep(100);
    assert.equal(daemon.log.filter((line) => line.call === "a3" && line.outcome !== undefined).length, 1);
  },
});

Deno.test({
  name: "abort: a call that waits in the queue never starts (A2)",
  ...LENIENT,
  async fn() {
    const running = Array.from({ length: 32 }, (_, n) => {
      return daemon.call("hangs", { call: `runs-${n}`, args: { note: `runs-${n}` } });
    });
    await eventually(async () => assert.match(await daemon.metrics(), /in_flight 32$/m));
    const waiting = daemon.call("hangs", { call: "waits", args: { note: "waits" } });
    await eventually(async () => assert.match(await daemon.metrics(), /queued 1$/m));
    assert.equal((await daemon.cancel("waits")).status, 202);
    aborted(await waiting);
    for (let n = 0; n < 32; n++) assert.equal((await daemon.cancel(`runs-${n}`)).status, 202);
    for (const answer of await Promise.all(running)) aborted(answer);
    await sleep(100);
    assert.deepEqual(notes("waits"), []);
    assert.equal((await logged("waits")).outcome, "aborted");
  },
});

Deno.test({
  name: "abort: nothing happens after success (A2)",
  ...LENIENT,
  async fn() {
    output("done")(await daemon.call("notes_signal_later", { call: "a5" }));
    refusal(404, "call_not_found", /./)(await daemon.cancel("a5"));
    await sleep(200);
    assert.deepEqual(notes("later"), []);
  },
});

Deno.test({
  name: "abort: a timeout aborts the signal with a TimeoutError and answers 504",
  ...LENIENT,
  async fn() {
    await using server = new Listener();
    const answer = await daemon.call("hangs_briefly", { call: "a6", args: { note: "a6", url: server.url } });
    refusal(504, "timed_out", /./)(answer);
    await eventually(() => assert.equal(server.closed, 1));
    await eventually(() => {
      assert.deepEqual(notes("a6"), ["started", "aborted TimeoutError", "caught TimeoutError"]);
    });
    assert.equal((await logged("a6")).outcome, "timed_out");
  },
});
