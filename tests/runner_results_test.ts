import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "./support/eventually.ts";
import { type RunnerProcess, startRunner } from "./support/runner_process.ts";

const HEAD = 'description: "d", parameters: { type: "object" }';

/** A tool with many behaviours, chosen by `args.do`; each is the body of an async function of `args`, `context`. */
function tool(behaviours: Readonly<Record<string, string>>, before = ""): string {
  const cases = Object.entries(behaviours).map(([name, body]) =>
    `async ${JSON.stringify(name)}(args, context) { ${body} }`
  );
  return `${before}\nconst behaviours = { ${cases.join(",\n")} };\n` +
    `export default { ${HEAD}, execute(args, context) { return behaviours[args.do].call(this, args, context); } };\n`;
}

const OUTPUTS: [name: string, body: string, output: string][] = [
  ["a number", "return 42;", "42"],
  ["a boolean", "return true;", "true"],
  ["null", "return null;", "null"],
  ["undefined", "return undefined;", ""],
  ["an empty string", 'return "";', ""],
  ["an empty array", "return [];", "[]"],
  [
    "indented JSON",
    "return { a: [1], u: undefined, d: new Date(0), l: new URL('http://a.example/') };",
    '{\n  "a": [\n    1\n  ],\n  "d": "1970-01-01T00:00:00.000Z",\n  "l": "http://a.example/"\n}',
  ],
  ["a lone surrogate", 'return "a\\ud800b";', "a\ufffdb"],
  [
    "this is the exported object",
    "return Object.keys(this);",
    '[\n  "description",\n  "parameters",\n  "execute"\n]',
  ],
  ["context has five members", "return Object.keys(context).join();", "sessionId,agent,directory,env,signal"],
  [
    "a real signal",
    "return [context.signal instanceof AbortSignal, context.signal.aborted].join();",
    "true,false",
  ],
  ["args are an object", "return JSON.stringify(args);", '{"do":"args are an object"}'],
  ["a thenable", "return { then(resolve) { resolve('then'); } };", "then"],
];

const FAILURES: [name: string, body: string, message: string][] = [
  ["a BigInt", "return { total: 10n };", "result.total is a BigInt: return String(value)"],
  ["a cycle", "const a = { b: {} }; const r = { a }; a.b = r; return r;", "result.a.b refers back to result"],
  ["a Map", "return new Map([[1, 2]]);", "result is a Map: return Object.fromEntries(value) or [...value]"],
  ["a Response", "return new Response('x');", "result is a Response: return await response.json() or text()"],
  ["a promise inside", "return { p: Promise.resolve(1) };", "result.p is a Promise: await it"],
  ["NaN", "return NaN;", "result is NaN: return null or a string"],
  ["the context", "return context;", "result.signal is an AbortSignal: return value.aborted"],
  ["an Error", 'throw new Error("orders API answered 500");', "orders API answered 500"],
  ["throw null", "throw null;", "the tool threw null: throw an Error with a message"],
  ["throw a string", "throw 'x';", "x"],
  ["throw an object", "throw { message: 'x' };", "x"],
  [
    "a hostile message",
    "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });",
    "the tool threw an error whose message can't be read",
  ],
  [
    "an AggregateError",
    "await Promise.any([Promise.reject(new Error('a')), Promise.reject('b')]);",
    "All promises were rejected: a; b",
  ],
  ["a stack overflow", "const f = () => f(); f();", "Maximum call stack size exceeded"],
  ["exit", "process.exit(0);", "a tool may not exit the process: return a value, or throw an error instead"],
  [
    "exit that is caught",
    "try { Deno.exit(0); } catch {} return 'done';",
    "a tool may not exit the process: return a value, or throw an error instead",
  ],
  [
    "exit in a timer",
    "setTimeout(() => process.exit(0), 5); await new Promise(() => {});",
    "a tool may not exit the process: return a value, or throw an error instead",
  ],
  [
    "exit by name",
    "const { exit } = await import('node:process'); exit();",
    "a tool may not exit the process: return a value, or throw an error instead",
  ],
  [
    "abort by name",
    "const { abort } = await import('node:process'); abort();",
    "a tool may not exit the process: return a value, or throw an error instead",
  ],
  ["close", "self.close();", "a tool may not exit the process: return a value, or throw an error instead"],
  [
    "a timer that throws",
    "setTimeout(() => { throw new Error('in a timer'); }, 5); await new Promise(() => {});",
    "in a timer",
  ],
  [
    "a rejection nobody handles",
    "new Promise(async () => { await 0; throw new Error('lost'); }); await new Promise(() => {});",
    "lost",
  ],
  [
    "an emitter without a listener",
    "const { EventEmitter } = await import('node:events'); setTimeout(() => new EventEmitter().emit('error', new Error('emitted')), 5); await new Promise(() => {});",
    "emitted",
  ],
];

Deno.test("runner, results: what the model reads", async (t) => {
  const rows = [...OUTPUTS, ...FAILURES];
  const files = { "tools/t.js": tool(Object.fromEntries(rows.map(([name, body]) => [name, body]))) };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  for (const [name, , output] of OUTPUTS) {
    await t.step(name, async () => assert.equal(await runner.output(worker, { do: name }), output));
  }
  for (const [name, , message] of FAILURES) {
    await t.step(name, async () => assert.equal(await runner.failure(worker, { do: name }), message));
  }
  assert.deepEqual(runner.garbage, []);
});

Deno.test("runner, results: stack and causes are for the log alone", async () => {
  const body = 'throw new Error("top", { cause: new Error("below") });';
  await using runner = await startRunner({ files: { "tools/t.js": tool({ fail: body }) } });
  const answer = await runner.call(await runner.worker("tools/t.js"), { do: "fail" });
  assert.ok(answer.kind === "error");
  assert.equal(answer.body.message, "top");
  assert.match(
    answer.body.detail ?? "",
    /^Error: top\n.*tools\/t\.js:\d+:\d+[\s\S]*\nCaused by: Error: below\n/,
  );
  assert.doesNotMatch(answer.body.detail ?? "", /bootstrap|ext:|tool_calls/, "frames of ours");
});

Deno.test("runner, results: a large output is kept in a private file, and the model reads its beginning", async (t) => {
  const files = {
    "tools/t.js": tool({
      text: "return args.text.repeat(args.times);",
      json: "return Array.from({ length: args.times }, (_, n) => n);",
      fail: "throw new Error(args.text.repeat(args.times));",
    }),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const cut = async (args: Record<string, unknown>, session: string) => {
    const answer = await runner.call(worker, args, { session });
    assert.ok(answer.kind === "result");
    const { output, truncated, bytes, lines, file } = answer.body;
    assert.ok(truncated && file !== undefined);
    assert.ok(file.startsWith(join(runner.places.spill, session, "tool-")));
    assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(join(file, ".."))).mode! & 0o777, 0o700);
    assert.ok(new TextEncoder().encode(output).length <= 51_200);
    return { output, bytes, lines, file, whole: await Deno.readTextFile(file) };
  };
  await t.step("text", async () => {
    const { output, bytes, lines, file, whole } = await cut(
      { do: "text", text: "a🌍b\n", times: 10_000 },
      "s1",
    );
    assert.equal(whole, "a🌍b\n".repeat(10_000));
    assert.deepEqual([bytes, lines], [70_000, 10_000]);
    assert.ok(output.endsWith(
      `\n\n[Output truncated: 70000 bytes, 10000 lines. The whole output is in ${file}; read it in parts or search it.]`,
    ));
    assert.ok(whole.startsWith(output.slice(0, output.lastIndexOf("\n\n["))));
  });
  await t.step("JSON", async () => {
    const { output, file, whole } = await cut({ do: "json", times: 30_000 }, "no-session");
    assert.equal(JSON.parse(whole).length, 30_000);
    assert.ok(file.endsWith(".json"));
    assert.ok(output.endsWith("read it in parts or search it. The part above is cut JSON.]"));
  });
  await t.step("the message of an error", async () => {
    const message = await runner.failure(worker, { do: "fail", text: "x", times: 5_000_000 }, {
      session: "s2",
    });
    const file = /The whole output is in (\S+); read it/.exec(message)?.[1] ?? "";
    assert.ok(message.startsWith("xxx") && message.length <= 51_200);
    assert.equal((await Deno.stat(file)).size, 5_000_000);
  });
  await t.step("exactly the bounds", async () => {
    for (const text of ["x".repeat(51_200), "x\n".repeat(2_000)]) {
      assert.equal(await runner.output(worker, { do: "text", text, times: 1 }), text);
    }
  });
});

Deno.test("runner, results: what is over 256 MiB is an error, and the worker goes on", async () => {
  const files = {
    "tools/t.js": tool({
      ascii: 'return "x".repeat(300 * 1024 * 1024);',
      wide: 'return "€".repeat(90 * 1024 * 1024);',
      json: 'const s = "x".repeat(300_000_000); return [s, s];',
      small: "return 1;",
    }),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  for (const name of ["ascii", "wide", "json"]) {
    const answer = await runner.call(worker, { do: name });
    assert.deepEqual([answer.kind, answer.kind === "error" && answer.body.code], [
      "error",
      "output_too_large",
    ]);
    assert.equal(
      answer.kind === "error" && answer.body.message,
      "the output is over 256 MiB: return what the model needs, or write it to a file",
    );
  }
  assert.equal(await runner.output(worker, { do: "small" }), "1");
});

Deno.test("runner, results: when the file can't be written, the beginning is answered and the note says why", async () => {
  await using runner = await startRunner({
    files: { "tools/t.js": tool({ big: 'return "x".repeat(60_000);' }) },
  });
  const { base, spill } = runner.places;
  await Deno.mkdir(join(base, "elsewhere"));
  await Deno.mkdir(spill, { mode: 0o700 });
  await Deno.symlink(join(base, "elsewhere"), join(spill, "s1"));
  const answer = await runner.call(await runner.worker("tools/t.js"), { do: "big" });
  assert.ok(answer.kind === "result");
  const note = `\n\n[Output truncated: 60000 bytes, 1 lines. The rest was lost: ${spill}/s1 is a link.]`;
  assert.deepEqual(answer.body, {
    output: "x".repeat(51_200 - note.length) + note,
    truncated: true,
    bytes: 60_000,
    lines: 1,
  });
  assert.deepEqual([...Deno.readDirSync(join(base, "elsewhere"))], []);
});

Deno.test("runner, results: many outputs at once all come, each once", async () => {
  const files = {
    "tools/t.js": tool({
      say:
        "await new Promise((r) => setTimeout(r, args.n % 7)); return args.n % 9 === 0 ? String(args.n).repeat(30_000) : args.n;",
    }),
  };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const ids = await Promise.all(
    Array.from({ length: 200 }, (_, n) => runner.startCall(worker, { do: "say", n })),
  );
  for (const [n, id] of ids.entries()) {
    const answer = await runner.answer(id);
    assert.ok(answer.kind === "result");
    assert.ok(n % 9 === 0 ? answer.body.output.startsWith(String(n)) : answer.body.output === String(n));
  }
  await answersOnce(runner, ids);
});

Deno.test("runner, results: while a long output is written, other calls of the tool are answered", async () => {
  const files = { "tools/t.js": tool({ big: 'return "a🌍\\n".repeat(10_000_000);', small: "return 1;" }) };
  await using runner = await startRunner({ files });
  const worker = await runner.worker("tools/t.js");
  const big = await runner.startCall(worker, { do: "big" });
  const small = await runner.startCall(worker, { do: "small" });
  const answer = await runner.answer(big);
  assert.ok(answer.kind === "result" && answer.body.file !== undefined);
  assert.deepEqual([answer.body.bytes, answer.body.lines], [60_000_000, 10_000_000]);
  assert.equal((await Deno.stat(answer.body.file)).size, 60_000_000);
  const answers = runner.frames.filter(({ kind }) => kind === "result").map(({ id }) => id);
  assert.deepEqual(answers, [small, big]);
});

Deno.test("runner, results: of an output whose worker was ended nothing is left", async () => {
  // The first pieces go at once, and then the thread is busy for ever.
  const stuck = 'setTimeout(() => { while (true); }, 0); return "x".repeat(100_000_000);';
  await using runner = await startRunner({ files: { "tools/t.js": tool({ stuck }) } });
  const worker = await runner.worker("tools/t.js");
  const id = await runner.startCall(worker, { do: "stuck" }, { session: "s1" });
  const folder = join(runner.places.spill, "s1");
  const names = () => {
    try {
      return [...Deno.readDirSync(folder)].map(({ name }) => name);
    } catch {
      return [];
    }
  };
  await eventually(() => assert.match(names().join(), /^tool-[0-9T]+-[0-9a-f]+\.part$/));
  await runner.retire(worker);
  const answer = await runner.answer(id);
  assert.deepEqual([answer.kind, answer.kind === "error" && answer.body.code], ["error", "worker_gone"]);
  await eventually(() => assert.deepEqual(names(), []));
});

/** Each call was answered exactly once. */
async function answersOnce(runner: RunnerProcess, ids: readonly number[]): Promise<void> {
  await runner.retire(0);
  for (const id of ids) {
    const answers = runner.frames.filter((frame) =>
      (frame.kind === "result" || frame.kind === "error") && frame.id === id
    );
    assert.equal(answers.length, 1);
  }
}
