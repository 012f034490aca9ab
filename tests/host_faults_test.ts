import assert from "node:assert/strict";
import { eventually } from "./support/eventually.ts";
import { bench, containerEnv, test, tool } from "./support/host_bench.ts";
import { Project } from "./support/project.ts";

// What a tool that loops, crashes or fills the memory costs: real processes.

test("a call that ignores its signal does not take others of its tool along", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { x: tools/x.ts }\n",
    "tools/x.ts": tool(
      `
      calls++;
      if (args.ms) await new Promise((resolve) => setTimeout(resolve, args.ms));
      else await new Promise(() => {});
      return calls;`,
      "let calls = 0;",
    ),
  });
  const beside = it.call("x", { args: { ms: 4_000 } });
  await eventually(() => assert.equal(it.host.stats().workers, 1));
  await assert.rejects(it.call("x", { timeoutMs: 100 }), {
    code: "timed_out",
    message: "x did not finish within 100 ms and was stopped.",
  });
  assert.doesNotMatch(it.log, /grace_over/, "the caller does not wait for the ladder");
  await eventually(() => assert.match(it.log, /grace_over/), { within: 5_000 });
  assert.equal(await it.call("x", { args: { ms: 1 } }), 1, "new calls have a new worker");
  assert.equal(await beside, 2, "the neighbour finishes in the old one");
  await eventually(() => assert.match(it.log, /worker_terminated/));
  await eventually(() => assert.equal(it.host.stats().workers, 1));
});

test("a thread that goes on: its process ends when the other calls are over, the tool is alone from then on", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { loop: tools/loop.ts, slow: tools/slow.ts }\n",
    "tools/loop.ts": tool("for (;;);"),
    "tools/slow.ts": tool("await new Promise((resolve) => setTimeout(resolve, args.ms)); return 1;"),
  });
  const slow = it.call("slow", { args: { ms: 4_500 } });
  await assert.rejects(it.call("loop", { timeoutMs: 100 }), { code: "timed_out" });
  await eventually(() => assert.match(it.log, /runner_replaced/), { within: 8_000 });
  assert.equal(await it.call("slow", { args: { ms: 1 } }), 1, "at once, in a new process");
  assert.equal(await slow, 1);
  await eventually(() => assert.match(it.log, /runner_killed/));
  await assert.rejects(it.call("loop", { timeoutMs: 100 }), { code: "timed_out" });
  assert.equal(await it.call("slow", { args: { ms: 5_000 } }), 1);
  assert.equal(it.host.stats().runnerRestarts, 2);
});

test("a crash: its calls may be tried again, the tool is alone from then on, until a reload", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { heap: tools/heap.ts, slow: tools/slow.ts }\n",
    "tools/heap.ts": tool("const all = []; for (;;) all.push(new Array(1e6).fill(all.length));"),
    "tools/slow.ts": tool("await new Promise((resolve) => setTimeout(resolve, args.ms)); return 1;"),
  }, { containerEnv: { ...containerEnv(new Project()), BEEUNI_TOOL_HEAP_MB: "100" } });
  const crash = (name: string) => ({
    code: "sandbox_died",
    message: `the sandbox of ${name} ran out of memory`,
    details: { retryable: true },
  });
  const first = it.call("slow", { args: { ms: 20_000 } });
  const both = [assert.rejects(first, crash("slow")), assert.rejects(it.call("heap"), crash("heap"))];
  await Promise.all(both);
  const second = it.call("slow", { args: { ms: 3_000 } });
  await assert.rejects(it.call("heap"), crash("heap"));
  assert.equal(await second, 1, "the second time nobody else is touched");
  await it.host.reload();
  const third = it.call("slow", { args: { ms: 20_000 } });
  const caught = assert.rejects(third, crash("slow"));
  await assert.rejects(it.call("heap"), crash("heap"));
  await caught;
});

test("a crash after its call was over, by a worker that was told to end: the tool is alone from then on", async () => {
  const slow = tool("await new Promise((resolve) => setTimeout(resolve, args.ms)); return 1;");
  await using it = await bench({
    "beeuni.yaml": "tools: { last: tools/last.ts, slow: tools/slow.ts, other: tools/slow.ts }\n",
    // The first error ends the call and the worker; the thread is busy, so what ends the process comes all the same.
    "tools/last.ts": tool(
      `
      setTimeout(() => {
        reportError(new Error("first"));
        for (const end = Date.now() + 400; Date.now() < end;);
        writeSync(2, "Debugger listening on ws://127.0.0.1:9229/x\\n");
        for (const end = Date.now() + 5_000; Date.now() < end;);
      }, 0);
      await new Promise(() => {});`,
      `import { writeSync } from "node:fs";`,
    ),
    "tools/slow.ts": slow,
  });
  assert.equal(await it.call("other", { args: { ms: 0 } }), 1);
  const first = assert.rejects(it.call("slow", { args: { ms: 20_000 } }), { code: "sandbox_died" });
  await assert.rejects(it.call("last"), { code: "tool_failed", message: "first" });
  await first;
  const second = it.call("other", { args: { ms: 2_000 } });
  await assert.rejects(it.call("last"), { code: "tool_failed", message: "first" });
  assert.equal(await second, 1, "the second time nobody else is touched");
});

test("memory outside of the heap is bounded as well", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { buffers: tools/buffers.ts }\n",
    "tools/buffers.ts": tool(`
      const all = [];
      for (;;) { all.push(new Uint8Array(16 << 20).fill(1)); await new Promise((resolve) => setTimeout(resolve, 5)); }`),
  }, { containerEnv: { ...containerEnv(new Project()), BEEUNI_RUNNER_RSS_MB: "300" } });
  await assert.rejects(it.call("buffers"), {
    code: "sandbox_died",
    message: "the sandbox of buffers ran out of memory",
  });
});
