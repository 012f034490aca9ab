import assert from "node:assert/strict";
import type { PermissionAction, PermissionRules, ToolList } from "../../manifest/model.ts";
import type { HarnessTool } from "./harness_tool.ts";
import { TurnBench, type TurnBenchOptions } from "./testing/turn_bench.ts";

const TASK: HarnessTool = {
  name: "task",
  description: "Starts a subagent.",
  parameters: { type: "object" },
  execute: async ({ agent, prompt }, context) => ({
    output: await context.runSubagent!({ agent: String(agent), prompt: String(prompt) }),
  }),
};

const QUESTION: HarnessTool = {
  name: "question",
  description: "Asks.",
  parameters: { type: "object" },
  execute: async ({ text }, context) => ({ output: String(await context.ask(String(text), ["a", "b"])) }),
};

function list(...tools: string[]): ToolList {
  return { entries: new Map(tools.map((tool) => [tool, true])), otherwise: false };
}

function rules(actions: Readonly<Record<string, PermissionAction>>): PermissionRules {
  return new Map(Object.entries(actions).map(([key, action]) => [key, new Map([["*", action]])]));
}

const PROJECT: TurnBenchOptions = {
  tools: { one: ({ agent }) => `one for ${agent}`, two: () => "two", three: () => "three" },
  agents: { main: ["one", "two"], helper: ["one", "three"], lead: ["one"] },
  harnessTools: [TASK, QUESTION],
  declared: {
    main: { tools: list("one", "two", "task", "question"), model: "main/model" },
    helper: { tools: list("one", "three", "task", "question"), model: "helper/model", prompt: "You help." },
    lead: { mode: "primary" },
  },
};

Deno.test("subagent: has what both lists allow, never task and question, and its own grant", async () => {
  await using bench = await TurnBench.start(PROJECT);
  bench.model.on("the errand", [
    { tools: [{ tool: "one" }, { tool: "two" }, { tool: "three" }, { tool: "task" }, { tool: "question" }] },
    { text: "the errand is done" },
  ]);
  await bench.turn([{ tool: "task", args: { agent: "helper", prompt: "Run the errand." } }, { echo: true }], {
    agent: "main",
  });
  const [first, second] = bench.model.requests;
  const names = (request = first) => request?.body.tools?.map((tool) => tool.function.name);
  assert.deepEqual(names(first), ["task", "question", "one", "two"]);
  assert.deepEqual(names(second), ["one"]);
  assert.match(String(second?.body.messages[0]?.content), /^You help\.[^]*started by the agent main/);
  assert.deepEqual(bench.host.requests.map(({ tool, agent }) => [tool, agent]), [["one", "helper"]]);
  const [message, answer] = bench.report.messages.slice(1);
  assert.deepEqual(message?.tools.map(({ tool, status }) => `${tool} ${status}`), [
    "task completed",
    "helper/one completed",
    "helper/two refused",
    "helper/three refused",
    "helper/task refused",
    "helper/question refused",
  ]);
  assert.equal(message?.tools[1]?.output, "one for helper");
  assert.equal(message?.tools[0]?.output, "the errand is done");
  assert.equal(answer?.text, "the errand is done");
  // The transcript has the call of `task` alone.
  await bench.turn([{ text: "next" }], { agent: "main" });
  assert.deepEqual(bench.sent().map(({ role }) => role), ["user", "assistant", "tool", "assistant", "user"]);
});

Deno.test("subagent: the stricter of both agents' rules decides", async () => {
  const { declared } = PROJECT;
  for (
    const [own, callers, status] of [
      ["allow", "deny", "refused"],
      ["deny", "allow", "refused"],
      ["ask", "deny", "refused"],
      ["allow", "ask", "completed"],
      ["ask", "allow", "completed"],
      ["allow", "allow", "completed"],
    ] as const
  ) {
    await using bench = await TurnBench.start({
      ...PROJECT,
      declared: {
        ...declared,
        main: { ...declared!.main, permission: rules({ one: callers }) },
        helper: { ...declared!.helper, permission: rules({ one: own }) },
      },
    });
    bench.model.on("the errand", [{ tool: "one" }, { text: "done" }]);
    bench.report.answers = ["once"];
    await bench.turn([{ tool: "task", args: { agent: "helper", prompt: "the errand" } }, { text: "ok" }], {
      agent: "main",
    });
    assert.equal(bench.report.messages[1]?.tools[1]?.status, status, `${own} ${callers}`);
    assert.equal(bench.report.questions.length, [own, callers].includes("deny") || own === callers ? 0 : 1);
  }
});

Deno.test("subagent: one that is not there, and one that fails, are errors of the call", async () => {
  await using bench = await TurnBench.start({ ...PROJECT, limits: { requests: 50 } });
  bench.model.on("a failing errand", [{ status: 400 }]);
  await bench.turn([
    { tool: "task", args: { agent: "lead", prompt: "x" } },
    { tool: "task", args: { agent: "main", prompt: "x" } },
    { tool: "task", args: { agent: "helper", prompt: "a failing errand" } },
    { text: "so be it" },
  ], { agent: "main" });
  const errors = bench.report.messages.flatMap(({ tools }) => tools.map(({ error }) => error ?? ""));
  assert.deepEqual(errors.slice(0, 2), [
    "no subagent named lead: there are helper",
    "no subagent named main: there are helper",
  ]);
  assert.match(errors[2]!, /the model helper\/model at 127\.0\.0\.1:\d+ refused the request \(HTTP 400\)/);
  assert.equal(bench.report.messages.at(-1)?.text, "so be it");
});

Deno.test("subagent: an abort reaches its call", async () => {
  let stopped = false;
  await using bench = await TurnBench.start({
    ...PROJECT,
    tools: {
      one: ({ signal }) =>
        new Promise<string>((_, reject) =>
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(signal.reason);
          })
        ),
      two: () => "",
      three: () => "",
    },
  });
  const stop = new AbortController();
  bench.model.on("the errand", [{ tool: "one" }, { text: "never" }]);
  bench.report.onCall = () => {
    if (bench.report.log.at(-1) === "begin helper/one") setTimeout(() => stop.abort(), 10);
  };
  const steps = [{ tool: "task", args: { agent: "helper", prompt: "the errand" } }, { text: "never" }];
  await assert.rejects(bench.turn(steps, { agent: "main", signal: stop.signal }), { code: "aborted" });
  assert.deepEqual(bench.report.messages[1]?.tools.map(({ status }) => status), ["aborted", "aborted"]);
  assert.equal(stopped, true);
});

Deno.test("question: the answer is what the agent asked for", async () => {
  await using bench = await TurnBench.start(PROJECT);
  bench.report.answers = ["a", null];
  await bench.turn([{ tool: "question", args: { text: "a or b?" } }, {
    tool: "question",
    args: { text: "?" },
  }], {
    agent: "main",
  });
  const calls = bench.report.messages.flatMap(({ tools }) => tools);
  assert.deepEqual(calls.map(({ output }) => output), ["a", "null"]);
  assert.deepEqual(bench.report.questions[0], {
    kind: "question",
    call: calls[0]!.call,
    tool: "question",
    text: "a or b?",
    options: ["a", "b"],
  });
});
