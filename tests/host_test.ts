import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "./support/eventually.ts";
import { Bench, bench, containerEnv, test, tool } from "./support/host_bench.ts";
import { Project } from "./support/project.ts";

// The tool host with real processes, as the daemon, `tools call` and the experimental harness use it.

test("what nobody uses is ended", async () => {
  await using it = await bench(
    { "beeuni.yaml": "tools: { x: tools/x.ts }\n", "tools/x.ts": tool("return ++calls;", "let calls = 0;") },
    { idleMs: 500 },
  );
  assert.equal(await it.call("x"), 1);
  assert.equal(await it.call("x"), 2);
  assert.deepEqual([it.host.stats().workers, it.runners], [1, 1]);
  await eventually(() => assert.deepEqual([it.host.stats().workers, it.runners], [0, 0]));
  assert.equal(await it.call("x"), 1);
  assert.equal(it.host.stats().runnerRestarts, 0);
});

test("fresh: a new worker for every call, none left behind", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { x: tools/x.ts }\ntool_settings: { x: { fresh: true } }\n",
    "tools/x.ts": tool(
      "await new Promise((resolve) => setTimeout(resolve, 50)); return ++calls;",
      "let calls = 0;",
    ),
  });
  const all = await Promise.all(Array.from({ length: 5 }, () => it.call("x")));
  assert.deepEqual(all, [1, 1, 1, 1, 1]);
  await eventually(() => assert.equal(it.host.stats().workers, 0));
});

test("secrets as they are at the moment of the call; another agent's never", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml": `
tools: { x: tools/x.ts, web_search: tools/x.ts }
agents: { a: { secrets: all }, b: { secrets: [ONE] }, c: {} }
`,
      "tools/x.ts": tool(
        "kept ??= context.env.TWO; const { ONE, TWO, STORED, BEEUNI_TOKEN } = context.env; return { ONE, TWO, STORED, BEEUNI_TOKEN, kept };",
        "let kept;",
      ),
    },
  });
  const envFile = join(project.base, "env");
  const set = (text: string) => Deno.writeTextFileSync(envFile, text);
  set("ONE=one-1\nTWO=two-1\n");
  let stored: Record<string, string> = { STORED: "stored-1" };
  await using it = new Bench(project, {
    envFile,
    secrets: (agent) => agent === "a" ? stored : {},
    containerEnv: { ...containerEnv(project), BEEUNI_TOKEN: "token" },
  });
  await it.host.ready;
  const call = (agent: string, name = "x") => it.call(name, { agent });
  assert.deepEqual(await call("a"), { ONE: "one-1", TWO: "two-1", STORED: "stored-1", kept: "two-1" });
  assert.deepEqual(await call("b"), { ONE: "one-1" });
  assert.deepEqual(await call("c"), {});
  assert.deepEqual(await call("c", "web_search"), { BEEUNI_TOKEN: "token" });
  set("ONE=one-2\n");
  stored = { STORED: "stored-2" };
  assert.deepEqual(await call("a"), { ONE: "one-2", STORED: "stored-2", kept: "two-1" });
  assert.deepEqual(await call("b"), { ONE: "one-2" });
  Deno.removeSync(envFile);
  await assert.rejects(call("a"), { code: "env_file" });
  set("");
  assert.deepEqual(await call("b"), {});
  // What was a secret once is masked for good.
  assert.equal(it.host.mask("x stored-1 y stored-2"), "x *** y ***");
});

test("an env file that is not there is told at once", () => {
  const project = new Project({ files: { "beeuni.yaml": "" } });
  try {
    assert.throws(() => new Bench(project, { envFile: join(project.base, "nowhere") }), { code: "env_file" });
    assert.deepEqual([...Deno.readDirSync(project.tmp)], []);
  } finally {
    project[Symbol.dispose]();
  }
  return Promise.resolve();
});

test("stopping: new calls are refused, running ones may finish, then they are told to stop", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { x: tools/x.ts }\n",
    "tools/x.ts": tool(`
      await new Promise((resolve, reject) => {
        setTimeout(resolve, args.ms);
        context.signal.addEventListener("abort", () => reject(context.signal.reason));
      });
      return "done";`),
  });
  const short = it.call("x", { args: { ms: 400 } });
  const long = it.call("x", { args: { ms: 60_000 } }).catch((error) => error.code);
  await eventually(() => assert.equal(it.host.stats().inFlight, 2));
  await eventually(() => assert.equal(it.host.stats().workers, 1));
  const started = performance.now();
  const stopped = it.host.stop({ graceMs: 1_500 });
  assert.equal(it.host.state, "stopping");
  await assert.rejects(it.call("x"), { code: "stopping" });
  await assert.rejects(it.host.reload(), { code: "stopping" });
  assert.equal(await short, "done");
  assert.equal(await long, "aborted");
  await stopped;
  assert.ok(performance.now() - started >= 1_400, "the long one had its time");
  assert.equal(it.runners, 0);
  assert.deepEqual([...Deno.readDirSync(it.project.tmp)].map((entry) => entry.name), ["beeuni-tool-output"]);
});

test("ids: one in flight at a time; deadlines beyond 2^31 ms do not fire at once", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { x: tools/x.ts }\n",
    "tools/x.ts": tool("await new Promise((resolve) => setTimeout(resolve, args.ms ?? 0)); return 1;"),
  });
  const first = it.call("x", { call: "same", args: { ms: 300 }, timeoutMs: 2 ** 40 });
  await assert.rejects(it.call("x", { call: "same" }), { code: "call_in_flight" });
  assert.equal(await first, 1);
  assert.equal(await it.call("x", { call: "same", timeoutMs: 2 ** 31 }), 1);
  const aborted = AbortSignal.abort();
  await assert.rejects(it.call("x", { signal: aborted }), { code: "aborted" });
  const ends = it.events.filter((event) => event.type === "call_end");
  assert.deepEqual(ends.map((event) => event.outcome), ["refused", "completed", "completed", "aborted"]);
});
