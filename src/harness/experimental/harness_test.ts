import assert from "node:assert/strict";
import { BeeuniError } from "../../errors/error.ts";
import type { PermissionAction, PermissionRules } from "../../manifest/model.ts";
import { BenchReport, TurnBench } from "./testing/turn_bench.ts";

function rules(actions: Readonly<Record<string, PermissionAction>>): PermissionRules {
  return new Map(Object.entries(actions).map(([key, action]) => [key, new Map([["*", action]])]));
}

Deno.test("turn: text and calls are reported in order, and each step is saved", async () => {
  await using bench = await TurnBench.start();
  await bench.turn([{ text: "Let me look.", tool: "echo", args: { a: 1 } }, { text: "It says so." }]);
  const [prompt, first, second] = bench.report.messages;
  assert.deepEqual([prompt?.role, first?.role, second?.role], ["user", "assistant", "assistant"]);
  assert.equal(first?.text, "Let me look.");
  assert.deepEqual(first?.tools.map(({ tool, status, args, output }) => ({ tool, status, args, output })), [
    { tool: "echo", status: "completed", args: { a: 1 }, output: '{"a":1}' },
  ]);
  assert.equal(second?.text, "It says so.");
  assert.deepEqual(bench.report.log, ["message", "begin echo", "end echo", "save", "message", "save"]);
  const [request] = bench.host.requests;
  assert.deepEqual([request?.agent, request?.session, request?.call], [
    "beeuni",
    "s1",
    first?.tools[0]?.call,
  ]);
});

Deno.test("turn: schema, arguments, output and errors pass unchanged", async () => {
  const schema = {
    required: ["id"],
    type: "object",
    properties: { id: { pattern: "^A-", type: "string" }, n: { type: "integer" } },
    additionalProperties: false,
    anyOf: [{ required: ["id"] }],
    $defs: { N: {} },
  };
  await using bench = await TurnBench.start({
    schemas: { echo: schema },
    tools: {
      echo: ({ args }) => JSON.stringify(args),
      empty: () => "",
      blank: () => " \n ",
      boom: () => {
        throw new BeeuniError("tool_failed", "boom: change X");
      },
    },
  });
  await bench.turn([
    {
      tools: [
        { tool: "echo", args: { id: 5, n: "7", bogus: null } },
        { tool: "empty" },
        { tool: "blank" },
        { tool: "boom" },
        { tool: "show" },
        { tool: "echo", raw: '{"id": "A-' },
        { tool: "echo", raw: "[1]" },
        { tool: "echo", raw: "" },
      ],
    },
    { text: "done" },
  ]);
  const [first] = bench.model.requests;
  assert.ok(first!.raw.includes(`"parameters":${JSON.stringify(schema)}`), first!.raw);
  assert.deepEqual(bench.host.requests[0]?.args, { id: 5, n: "7", bogus: null });
  const results = bench.sent().filter(({ role }) => role === "tool").map(({ content }) => content);
  assert.deepEqual(results.slice(0, 5), [
    '{"id":5,"n":"7","bogus":null}',
    "",
    " \n ",
    "boom: change X",
    "Tool show not found",
  ]);
  assert.match(
    String(results[5]),
    /^Invalid arguments for tool "echo": .*JSON.*\. Write them again, as one JSON object\. Received:\n\{"id": "A-$/s,
  );
  assert.match(String(results[6]), /must be a JSON object/);
  assert.equal(results[7], "{}");
  const calls = bench.report.messages[1]!.tools;
  assert.deepEqual(calls.map(({ status }) => status), [
    "completed",
    "completed",
    "completed",
    "error",
    "error",
    "error",
    "error",
    "completed",
  ]);
  assert.deepEqual(calls.map(({ error }) => error).slice(3, 5), ["boom: change X", "Tool show not found"]);
  assert.deepEqual([calls[5]?.args, calls[6]?.args], ['{"id": "A-', "[1]"]);
});

Deno.test("turn: a tool of another agent is hidden and not found", async () => {
  await using bench = await TurnBench.start({ agents: { beeuni: ["echo"], other: [] } });
  await bench.turn([{ tool: "echo", args: {} }, { text: "no" }], { agent: "other" });
  assert.equal(bench.model.requests[0]?.body.tools, undefined);
  const [call] = bench.report.messages[1]!.tools;
  assert.deepEqual([call?.status, call?.error], ["refused", "Tool echo not found"]);
  await assert.rejects(bench.turn([], { agent: "nobody" }), { code: "agent_forbidden" });
});

Deno.test("turn: calls of one message run at the same time, each with an id of its own", async () => {
  let running = 0;
  let most = 0;
  await using bench = await TurnBench.start({
    tools: {
      slow: async () => {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, 20));
        running--;
        return "ok";
      },
    },
  });
  await bench.turn([{ tools: [{ tool: "slow" }, { tool: "slow" }, { tool: "slow" }] }, { text: "x" }]);
  assert.equal(most, 3);
  const ids = bench.report.messages.flatMap(({ tools }) => tools.map(({ call }) => call));
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(bench.sent().filter(({ role }) => role === "tool").map((each) => each.tool_call_id), ids);
});

Deno.test("turn: a reload in its midst changes nothing of it; the next turn has the new tools and the old talk", async () => {
  await using bench = await TurnBench.start({ tools: { echo: () => "e", show: () => "s" } });
  bench.report.onCall = () => {
    bench.host.gone.add("show");
    bench.host.generation++;
    bench.report.onCall = () => {};
  };
  await bench.turn([{ tool: "echo" }, { text: "one" }]);
  const offered = bench.model.requests.map(({ body }) => body.tools?.map((tool) => tool.function.name));
  assert.deepEqual(offered, [["echo", "show"], ["echo", "show"]]);
  await bench.turn([{ tool: "show" }, { text: "two" }]);
  assert.deepEqual(bench.model.requests[2]?.body.tools?.map((tool) => tool.function.name), ["echo"]);
  assert.deepEqual(
    bench.sent().map(({ role, content }) => role === "assistant" ? content : [role, content]),
    [
      ["user", "prompt 1."],
      null,
      ["tool", "e"],
      "one",
      ["user", "prompt 2."],
      null,
      ["tool", "Tool show not found"],
    ],
  );
  assert.equal(bench.report.messages.at(-2)?.tools[0]?.status, "error");
  await new Promise((done) => setTimeout(done, 30));
  assert.match(bench.lines.join(""), /the session goes on with the new ones/);
});

Deno.test("turn: an abort ends it at once, also where a tool ignores the signal", async () => {
  for (const [name, code] of [["stubborn", "aborted"], ["polite", "aborted"]] as const) {
    await using bench = await TurnBench.start({
      tools: {
        stubborn: () => new Promise<string>(() => {}),
        polite: ({ signal }) =>
          new Promise<string>((_, no) => signal.addEventListener("abort", () => no(signal.reason))),
      },
    });
    const stop = new AbortController();
    bench.report.onCall = () => setTimeout(() => stop.abort(), 20);
    await assert.rejects(bench.turn([{ tool: name }, { text: "never" }], { signal: stop.signal }), { code });
    assert.equal(bench.report.messages[1]?.tools[0]?.status, "aborted");
    assert.equal(bench.model.requests.length, 1);
    bench.report.onCall = () => {};
    await bench.turn([{ text: "again" }]);
    assert.deepEqual(bench.sent().map(({ role }) => role), ["user", "assistant", "tool", "user"]);
    assert.equal(bench.report.messages.at(-1)?.text, "again");
  }
});

Deno.test("turn: an abort while the model writes keeps what it wrote", async () => {
  await using bench = await TurnBench.start();
  const stop = new AbortController();
  const run = bench.turn([{ text: "half of", silent: true }], { signal: stop.signal });
  while (bench.report.messages[1]?.text !== "half of") await new Promise((done) => setTimeout(done, 5));
  stop.abort();
  await assert.rejects(run, { code: "aborted" });
  assert.deepEqual([bench.report.messages[1]?.text, bench.report.messages[1]?.error], [
    "half of",
    "the turn was stopped",
  ]);
  await assert.rejects(bench.turn([{ text: "x" }], { signal: stop.signal }), { code: "aborted" });
  await bench.turn([{ text: "more" }]);
  assert.deepEqual(bench.sent().map(({ role, content }) => [role, content]), [
    ["user", "prompt 1."],
    ["assistant", "half of"],
    ["user", "prompt 2."],
    ["user", "prompt 3."],
  ]);
});

Deno.test("turn: what can go wrong with a model is said, and the session goes on", async () => {
  const rows = [
    {
      step: { status: 401 },
      code: "model_key",
      message: /refused the key in BEEUNI_MODEL_API_KEY \(HTTP 401\)/,
    },
    {
      step: { status: 400, body: '{"error":{"message":"maximum context length is 10 tokens"}}' },
      code: "model_failed",
      message: /the conversation is longer than the model/,
    },
    { step: { status: 404 }, code: "model_failed", message: /was not found \(HTTP 404\)/ },
    { step: { silent: true, text: "so" }, code: "model_failed", message: /sent nothing for 0 s/ },
    { step: { silent: true }, code: "model_failed", message: /sent nothing for 0 s/ },
    { step: { cut: true, text: "so" }, code: "model_failed", message: /can't be (?:reached|used)/ },
  ] as const;
  for (const { step, code, message } of rows) {
    await using bench = await TurnBench.start({ key: "the-key", limits: { silenceMs: 200 } });
    await assert.rejects(bench.turn([step]), (error) => {
      assert.ok(error instanceof BeeuniError);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /the-key/);
      assert.match(error.message, /scripted\/model at 127\.0\.0\.1:\d+/);
      assert.equal(bench.report.messages[1]?.error, error.message);
      assert.equal(bench.model.requests.length, 1);
      return true;
    });
    await bench.turn([{ text: "fine" }]);
    assert.equal(bench.report.messages.at(-1)?.text, "fine");
  }
});

Deno.test("turn: a busy model is asked again as it says, a few times", async () => {
  await using bench = await TurnBench.start();
  const headers = { "retry-after-ms": "5" };
  await bench.turn([{ status: 429, headers, times: 1 }, { status: 503, headers, times: 1 }, {
    text: "at last",
  }]);
  assert.equal(bench.report.messages.at(-1)?.text, "at last");
  await assert.rejects(bench.turn([{ status: 500, headers }]), { code: "model_failed", message: /HTTP 500/ });
  assert.equal(bench.model.requests.length, 3 + 4);
});

Deno.test("turn: no server, and no model", async () => {
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const host = `127.0.0.1:${closed.addr.port}`;
  closed.close();
  await using bench = await TurnBench.start({ env: { BEEUNI_MODEL_BASE_URL: `http://${host}/v1` } });
  await assert.rejects(bench.turn([]), {
    code: "model_failed",
    message: new RegExp(`scripted/model at ${host} can't be reached: .*refused`, "i"),
  });
  await assert.rejects(bench.turn([], { model: "none" }), { code: "no_model" });
});

Deno.test("turn: it has a bound", async () => {
  await using bench = await TurnBench.start({ limits: { requests: 3 } });
  const steps = Array.from({ length: 5 }, () => ({ tool: "echo", args: {} }));
  await assert.rejects(bench.turn(steps), { code: "harness_failed", message: /after 3 requests/ });
  assert.equal(bench.model.requests.length, 3);
  await bench.turn([{ text: "on" }]);
  assert.equal(bench.sent().filter(({ role }) => role === "tool").length, 3);
});

Deno.test("turn: rules are asked before each call, and a person where they say so", async () => {
  await using bench = await TurnBench.start({
    tools: { free: () => "f", asked: () => "a", closed: () => "c" },
    declared: {
      beeuni: {
        permission: rules({ asked: "ask", closed: "deny" }),
      },
    },
  });
  bench.report.answers = ["once", "reject", null, "always"];
  await bench.turn([
    { tools: [{ tool: "free" }, { tool: "closed" }, { tool: "asked" }] },
    { tool: "asked", args: { id: "A-1" } },
    { tools: [{ tool: "asked" }, { tool: "asked" }] },
    { tools: [{ tool: "asked" }, { tool: "asked" }] },
    { text: "done" },
  ]);
  const calls = bench.report.messages.flatMap(({ tools }) => tools);
  assert.deepEqual(calls.map(({ tool, status }) => `${tool} ${status}`), [
    "free completed",
    "closed refused",
    "asked completed",
    "asked refused",
    "asked refused",
    "asked refused",
    "asked completed",
    "asked completed",
  ]);
  assert.match(calls[1]!.error!, /the permission rules of agent beeuni deny it/);
  assert.match(calls[3]!.error!, /the user said no/);
  assert.match(calls[4]!.error!, /nobody answered in time/);
  assert.match(calls[5]!.error!, /nobody answered in time/);
  assert.equal(bench.report.questions.length, 4);
  assert.deepEqual(
    { ...bench.report.questions[0], text: "" },
    { kind: "permission", call: calls[2]!.call, tool: "asked", text: "" },
  );
  assert.equal(bench.report.questions[1]?.text, '{"id":"A-1"}');
  // `always` is remembered for the session, also by another daemon.
  await bench.turn([{ tool: "asked" }, { text: "done" }]);
  assert.equal(bench.report.questions.length, 4);
});

Deno.test("turn: a stop while a question waits ends it", async () => {
  await using bench = await TurnBench.start({
    declared: { beeuni: { permission: rules({ "*": "ask" }) } },
  });
  const stop = new AbortController();
  bench.report.onCall = () => setTimeout(() => stop.abort(), 20);
  await assert.rejects(bench.turn([{ tool: "echo" }], { signal: stop.signal }), { code: "aborted" });
  assert.equal(bench.report.messages[1]?.tools[0]?.status, "aborted");
  assert.equal(bench.host.requests.length, 0);
});

Deno.test("turn: what is stored of arguments and errors has no secret in it", async () => {
  await using bench = await TurnBench.start({
    tools: { echo: ({ args }) => `it is ${JSON.stringify(args)}` },
  });
  bench.host.secrets.add("hunter2-hunter2");
  await bench.turn([{ tool: "echo", args: { key: "hunter2-hunter2" } }, { text: "done" }]);
  const [call] = bench.report.messages[1]!.tools;
  assert.deepEqual(call?.args, { key: "***" });
  assert.equal(call?.output, 'it is {"key":"hunter2-hunter2"}');
  assert.deepEqual(bench.host.requests[0]?.args, { key: "hunter2-hunter2" });
  const saved = JSON.parse(bench.report.saved!);
  assert.deepEqual(saved.messages[1].content[0].arguments, { key: "***" });
});

Deno.test("turn: a secret is masked in all that is saved of a call, wherever the model wrote it", async () => {
  const secret = "hunter2-hunter2";
  await using bench = await TurnBench.start({ tools: { echo: () => "it is" } });
  bench.host.secrets.add(secret);
  await bench.turn([
    {
      tools: [
        { tool: secret, args: {} },
        { tool: "echo", raw: `{ no object ${secret}` },
        { tool: "echo", args: { [secret]: secret } },
      ],
    },
    { text: "done" },
  ]);
  const saved = bench.report.saved ?? secret;
  assert.ok(!saved.includes(secret), saved);
  assert.equal(bench.report.messages[1]?.tools.length, 3);
});

Deno.test("turn: what can't be stored fails it, and ends what runs beside", async () => {
  let stopped = false;
  await using bench = await TurnBench.start({
    tools: {
      echo: () => "e",
      slow: ({ signal }) =>
        new Promise<string>((_, reject) =>
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(signal.reason);
          })
        ),
    },
  });
  bench.report.endCall = () => {
    throw new Error("the disk is full");
  };
  await assert.rejects(bench.turn([{ tools: [{ tool: "slow" }, { tool: "echo" }] }]), {
    code: "harness_failed",
    message: "the turn failed: the disk is full",
  });
  assert.equal(stopped, true);
});

Deno.test("turn: a harness that is closed ends the turns that run", async () => {
  const bench = await TurnBench.start({ tools: { slow: () => new Promise<string>(() => {}) } });
  const begun = Promise.withResolvers<void>();
  bench.report.onCall = () => begun.resolve();
  const run = assert.rejects(bench.turn([{ tool: "slow" }]), { code: "aborted" });
  await begun.promise;
  await bench[Symbol.asyncDispose]();
  await run;
});

Deno.test("turn: killed in the midst of its calls, the next one has all that was finished", async () => {
  await using bench = await TurnBench.start({
    tools: { quick: () => "q", slow: () => new Promise<string>(() => {}) },
  });
  const stop = new AbortController();
  const run = bench.turn([
    { text: "one", tool: "quick" },
    { text: "two", tools: [{ tool: "quick" }, { tool: "slow" }] },
  ], { signal: stop.signal }).catch(() => {});
  while (bench.report.messages[2]?.tools[0]?.status !== "completed") {
    await new Promise((done) => setTimeout(done, 5));
  }
  // What a daemon finds that starts after a SIGKILL, once it has marked the turn as interrupted.
  const { messages, saved } = structuredClone({ messages: bench.report.messages, saved: bench.report.saved });
  messages[2]!.tools[1]!.status = "aborted";
  stop.abort();
  await run;
  bench.report = new BenchReport(messages);
  bench.report.saved = saved;
  await bench.turn([{ text: "on" }]);
  assert.deepEqual(bench.sent().map(({ role, content }) => `${role}: ${content}`), [
    "user: prompt 1.",
    "assistant: one",
    "tool: q",
    "assistant: two",
    "tool: q",
    "tool: The call was interrupted before it ended; whether it had an effect is not known.",
    "user: prompt 2.",
  ]);
});
