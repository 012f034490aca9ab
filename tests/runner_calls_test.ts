import assert from "node:assert/strict";
import { startRunner } from "./support/runner_process.ts";

const HEAD = 'description: "d", parameters: { type: "object" }';
const tool = (execute: string, before = "") => `${before}\nexport default { ${HEAD}, ${execute} };\n`;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("runner, aborts: the signal aborts with its reason, once", async (t) => {
  const files = {
    "tools/t.js": tool(
      `execute(args, { signal }) {
        return new Promise((resolve) => {
          let times = 0;
          signal.addEventListener("abort", () => {
            times++;
            setTimeout(() => resolve([signal.reason instanceof DOMException, signal.reason.name, signal.reason.message, times].join()), 20);
          });
          console.log("ready");
        });
      }`,
    ),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  for (const [reason, name] of [["abort", "AbortError"], ["timeout", "TimeoutError"]] as const) {
    await t.step(reason, async () => {
      const call = await runner.startCall(worker);
      await runner.frame((frame) => frame.kind === "log" && frame.body.call === call);
      await runner.send({ kind: "abort", id: call, body: { reason, message: "told to" } });
      await runner.send({ kind: "abort", id: call, body: { reason, message: "again" } });
      const answer = await runner.answer(call);
      assert.deepEqual(answer.body, { output: `true,${name},told to,1` });
    });
  }
});

Deno.test("runner, aborts: a call is aborted while its thread is busy, and never starts", async () => {
  const files = {
    "tools/t.js": tool(
      `execute(args) {
        console.log("started " + args.n);
        const end = Date.now() + (args.busy ?? 0);
        while (Date.now() < end);
        return args.n;
      }`,
    ),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const busy = await runner.startCall(worker, { n: 1, busy: 400 });
  const waiting = await runner.startCall(worker, { n: 2 });
  const last = await runner.startCall(worker, { n: 3 });
  await sleep(100);
  await runner.send({ kind: "abort", id: waiting, body: { reason: "abort", message: "no" } });
  assert.deepEqual((await runner.answer(busy)).body, { output: "1" });
  assert.deepEqual((await runner.answer(waiting)).body, {
    code: "tool_failed",
    message: "the call was aborted before it started",
  });
  assert.deepEqual((await runner.answer(last)).body, { output: "3" });
  assert.equal(runner.logs(waiting), "");
  assert.equal(runner.logs(last), "started 3\n");
});

Deno.test("runner, aborts: after success the signal never aborts", async () => {
  const files = {
    "tools/t.js": tool(
      "execute(args, context) { const before = signal?.aborted; signal = context.signal; return [before, seen]; }",
      `let signal, seen = 0;`,
    ),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const first = await runner.startCall(worker);
  await runner.answer(first);
  await runner.send({ kind: "abort", id: first, body: { reason: "abort", message: "late" } });
  assert.deepEqual(JSON.parse(await runner.output(worker)), [false, 0]);
});

Deno.test("runner, aborts: an abort reaches fetch", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const files = {
    "tools/t.js": tool(
      "async execute({ url }, { signal }) { return await (await fetch(url, { signal })).text(); }",
    ),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const call = await runner.startCall(worker, { url: `http://127.0.0.1:${listener.addr.port}/` });
  using connection = await listener.accept();
  const buffer = new Uint8Array(4_096);
  assert.ok(await connection.read(buffer));
  await runner.send({ kind: "abort", id: call, body: { reason: "abort", message: "the call was aborted" } });
  assert.deepEqual((await runner.answer(call)).kind, "error");
  // The server, which never answers, sees its connection end.
  assert.equal(await connection.read(buffer).catch(() => null), null);
});

Deno.test("runner, context: variables byte for byte, fresh for each call, the latest set", async () => {
  const files = {
    "tools/t.js": tool(
      "execute(args, { env }) { const seen = { ...env }; env.leak = '1'; delete env.A; return JSON.stringify(seen); }",
    ),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const env = {
    A: "'\"$(id)`\r\nunset HOME\nexport X='y'\u2028🌍",
    PEM: "-----BEGIN KEY-----\nabc\n-----END KEY-----\n",
    __proto__x: "1",
    EMPTY: "",
  };
  const odd = JSON.parse('{"__proto__":"p","constructor":"c","toString":"t"}');
  await runner.send({ kind: "env", id: 1, body: { ...env, ...odd } });
  const set = JSON.parse(JSON.stringify(env));
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(JSON.parse(await runner.output(worker, {}, { env: 1 })), { ...set, ...odd });
  }
  await runner.send({ kind: "env", id: 2, body: { B: "2" } });
  assert.equal(await runner.output(worker, {}, { env: 2 }), '{"B":"2"}');
  await runner.send({ kind: "env", id: 2, body: { B: "3" } });
  assert.equal(await runner.output(worker, {}, { env: 2 }), '{"B":"3"}');
  assert.equal(await runner.output(worker, {}, { env: 9 }), "{}");
});

Deno.test("runner, context: no variable of the process, but TMPDIR, and what the tool was granted", async () => {
  const expression = `[
    process.env, ns.env, Deno.env.toObject(), Deno.env.get("HOME"), process.env.HOME, Deno.env.has("TMPDIR"),
    os.tmpdir(), tmpdir(), Deno.env.get("toString"), process.env === ns.env, Bun.env === process.env
  ]`;
  const files = {
    "tools/t.js": tool(
      `execute() { return ${expression}; }`,
      'import * as ns from "node:process"; import os, { tmpdir } from "node:os";',
    ),
    "tools/c.cjs": `const { env } = require("process"); module.exports = { ${HEAD}, execute: () => env };`,
  };
  await using runner = await startRunner({ files });
  const { tmp } = runner.places;
  const env = { TMPDIR: tmp, AWS_REGION: "x" };
  const worker = await runner.worker("tools/t.js", { env });
  assert.deepEqual(JSON.parse(await runner.output(worker)), [
    env,
    env,
    env,
    null,
    null,
    true,
    tmp,
    tmp,
    null,
    true,
    true,
  ]);
  assert.deepEqual(JSON.parse(await runner.output(await runner.worker("tools/c.cjs", { env }))), env);
});

Deno.test("runner, calls: module state lives on in a warm worker, and large arguments arrive", async () => {
  const files = {
    "tools/t.js": tool("execute({ text }) { return [++count, text?.length ?? 0].join(); }", "let count = 0;"),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  assert.equal(await runner.output(worker), "1,0");
  assert.equal(await runner.output(worker, { text: "é\n".repeat(2_000_000) }), "2,4000000");
  const other = await runner.worker("tools/t.js");
  assert.equal(await runner.output(other), "1,0");
});

Deno.test("runner, calls: every call is answered once when its worker is retired", async () => {
  const files = {
    "tools/t.js": tool(
      "async execute({ ms }) { await new Promise((r) => setTimeout(r, ms)); return 'done'; }",
    ),
    "tools/loop.js": tool("execute() { while (true); }"),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const call = await runner.startCall(worker, { ms: 60_000 });
  assert.equal(await runner.retire(worker), true);
  assert.deepEqual((await runner.answer(call)).body, {
    code: "worker_gone",
    message: "the worker of this call was ended",
  });
  assert.deepEqual((await runner.call(worker)).body, {
    code: "worker_gone",
    message: "the worker of this call is gone",
  });
  const loop = await runner.worker("tools/loop.js");
  const looping = await runner.startCall(loop);
  await sleep(50);
  assert.equal(await runner.retire(loop), false);
  assert.equal((await runner.answer(looping)).kind, "error");
  // A core burns; the others go on.
  assert.equal(await runner.output(await runner.worker("tools/t.js"), { ms: 1 }), "done");
});

Deno.test("runner, late errors: the earlier result stands, the worker is not used again, nobody else notices", async (t) => {
  const files = {
    "tools/t.js": tool(
      `execute({ late }) {
        if (late === "reject") setTimeout(() => Promise.reject(new Error("late rejection")), 20);
        if (late === "throw") setTimeout(() => { throw new Error("late throw"); }, 20);
        if (late === "exit") setTimeout(() => process.exit(1), 20);
        if (late === "null") setTimeout(() => { throw null; }, 20);
        return new Promise((resolve) => setTimeout(resolve, late === "none" ? 100 : 0, "ok"));
      }`,
    ),
  };
  const told: Record<string, string> = {
    reject: "an error that nothing caught: late rejection",
    throw: "an error that nothing caught: late throw",
    exit: "a tool may not exit the process: return a value, or throw an error instead",
    null: "an error that nothing caught: the tool threw null: throw an Error with a message",
  };
  await using runner = await startRunner({ files });
  for (const [late, message] of Object.entries(told)) {
    await t.step(late, async () => {
      const worker = await runner.worker("tools/t.js");
      assert.equal(await runner.output(worker, { late }), "ok");
      const meanwhile = await runner.startCall(worker, { late: "none" });
      const frame = await runner.frame((frame) => frame.kind === "worker_error" && frame.id === worker);
      assert.deepEqual(frame.body, { message });
      assert.deepEqual((await runner.answer(meanwhile)).body, { output: "ok" });
      assert.equal(
        runner.frames.filter((frame) => frame.kind === "worker_error" && frame.id === worker).length,
        1,
      );
    });
  }
});

Deno.test("runner: ends when the daemon is gone", async () => {
  await using runner = await startRunner({ files: { "tools/loop.js": tool("execute() { while (true); }") } });
  await runner.startCall(await runner.worker("tools/loop.js"));
  runner.disconnect();
  const timer = setTimeout(() => runner.child.kill("SIGKILL"), 10_000);
  const status = await runner.status;
  clearTimeout(timer);
  assert.deepEqual([status.code, status.signal], [0, null]);
});

Deno.test("runner: Ctrl-C in a terminal does not end it", async () => {
  await using runner = await startRunner({ files: { "tools/t.js": tool("execute() { return 1; }") } });
  const worker = await runner.worker("tools/t.js");
  runner.child.kill("SIGINT");
  await sleep(100);
  assert.equal(await runner.output(worker), "1");
});

Deno.test("runner: frames that are none, or about nothing, harm nobody", async () => {
  await using runner = await startRunner({ files: { "tools/t.js": tool("execute() { return 1; }") } });
  const worker = await runner.worker("tools/t.js");
  await runner.sendRaw("\n\nnonsense\ncall x {}\nunknown 1 {}\n");
  await runner.send({ kind: "abort", id: 77, body: { reason: "abort", message: "x" } });
  await runner.send({ kind: "call", id: 78, body: { args: {}, sessionId: "", agent: "", directory: "" } });
  assert.equal(await runner.output(worker), "1");
  assert.equal(await runner.retire(99), true);
});
