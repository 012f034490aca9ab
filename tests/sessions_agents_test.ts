import assert from "node:assert/strict";
import type { HarnessName } from "../src/agents/may_use.ts";
import { type ExpectedCall, runScenario, type Scenario } from "./support/scenario.ts";
import { offeredTools } from "./support/scripted_model.ts";
import { HARNESSES, SessionBench } from "./support/sessions.ts";

// Who may call what, by lists (specification 1.5, 4.1, 4.3) and by permission rules (4.1, 4.2), on both harnesses.

const HOSTED = [
  "given",
  "image_search",
  "leak",
  "long_output",
  "lookup_order",
  "memory",
  "odd_schema",
  "scrape_webpage",
  "show",
  "slow",
  "version",
  "web_search",
];
/** What the experimental harness has of its own; `helper` is there for `task`. */
const OWN = ["bash", "edit", "glob", "grep", "question", "read", "skill", "task", "write"];
const GIVEN = { tool: "given", args: { text: "x" } };
const GIVEN_DONE: ExpectedCall = { tool: "given", status: "completed", output: '{\n  "text": "x"\n}' };
const LOOK_UP = { tool: "lookup_order", args: { id: "A-1043" } };
const PACKED = '{\n  "id": "A-1043",\n  "status": "packed",\n  "items": []\n}';
const LOOK_UP_DONE: ExpectedCall = { tool: "lookup_order", status: "completed", output: PACKED };

/** A call that the agent's list does not allow. */
function hidden(tool: string): (harness: HarnessName) => ExpectedCall {
  return (harness) => ({
    tool,
    status: "refused",
    error: harness === "experimental" ? `Tool ${tool} not found` : new RegExp(tool),
  });
}

/** Who is offered what; a call of what is hidden is refused, on the way around the harness too. */
const LISTS: {
  agent: string;
  /** Of the hosted tools. */
  hosted: string[];
  /** Of the harness's own: `true` and `false` on both, otherwise where it is offered. */
  own: Record<string, boolean | HarnessName>;
  refused?: string;
}[] = [
  {
    agent: "beeuni",
    hosted: HOSTED,
    own: { bash: true, read: true, write: true, edit: true, task: true, skill: true },
  },
  {
    agent: "lister",
    hosted: ["lookup_order", "memory"],
    own: { read: true, bash: false, write: false, edit: false, task: false, skill: false, glob: false },
    refused: "given",
  },
  {
    agent: "excluder",
    hosted: HOSTED.filter((name) => name !== "lookup_order"),
    own: { bash: false, read: true, write: true, edit: true },
    refused: "lookup_order",
  },
  {
    agent: "greeter",
    hosted: [],
    own: Object.fromEntries(OWN.map((name) => [name, false])),
    refused: "given",
  },
  {
    agent: "mapper",
    hosted: HOSTED.filter((name) => name !== "lookup_order"),
    own: { bash: false, read: true, write: true, edit: true },
    refused: "lookup_order",
  },
  {
    agent: "only_map",
    hosted: ["given"],
    own: Object.fromEntries(OWN.map((name) => [name, false])),
    refused: "lookup_order",
  },
  {
    agent: "writer",
    hosted: ["given"],
    own: { write: true, edit: "standard", bash: false, read: false },
    refused: "lookup_order",
  },
  {
    agent: "no_writer",
    hosted: HOSTED,
    own: { write: false, edit: "experimental", bash: true, read: true },
  },
];

const RULES: Scenario[] = [
  {
    name: "deny by the tool's own name",
    agent: "denied",
    steps: [LOOK_UP, GIVEN],
    calls: () => [{ tool: "lookup_order", status: "refused", error: /lookup_order|denied|rule/ }, GIVEN_DONE],
  },
  {
    name: "deny of edit: memory may be viewed and not changed",
    agent: "denied",
    steps: [
      { tool: "memory", args: { command: "create", path: "memory/no.md", file_text: "x" } },
      { tool: "memory", args: { command: "view", path: "memory" } },
    ],
    calls: () => [
      { tool: "memory", status: "refused", error: /./ },
      {
        tool: "memory",
        status: "completed",
        output: "The path memory does not exist. Please provide a valid path.",
      },
    ],
    check: (_, { project }) => assert.throws(() => Deno.lstatSync(project.path("memory"))),
  },
  {
    name: "deny of websearch and webfetch; an own name wins over its capability",
    agent: "searcher",
    steps: [
      { tool: "web_search", args: { query: "x" } },
      { tool: "scrape_webpage", args: { urls: "https://x.example" } },
      { tool: "image_search", args: { query: "x" } },
    ],
    calls: () => [
      { tool: "web_search", status: "refused", error: /./ },
      { tool: "scrape_webpage", status: "refused", error: /./ },
      { tool: "image_search", status: "error", error: /^SERPER_API_KEY is not set: / },
    ],
  },
  {
    name: "a pattern decides about a command",
    agent: "shell",
    steps: [
      { tool: "bash", args: { command: "echo permitted", description: "Prints" } },
      { tool: "bash", args: { command: "touch forbidden", description: "Makes a file" } },
    ],
    calls: () => [
      { tool: "bash", status: "completed", output: /permitted/ },
      { tool: "bash", status: "refused", error: /./ },
    ],
    check: (_, { project }) => assert.throws(() => Deno.lstatSync(project.path("forbidden"))),
  },
  {
    name: "ask, answered once for each call",
    agent: "asked",
    steps: [LOOK_UP, LOOK_UP],
    answers: ["once", "once"],
    calls: [LOOK_UP_DONE, LOOK_UP_DONE],
    check: ({ questions }) => {
      for (const { kind, tool } of questions) {
        assert.deepEqual([kind, tool], ["permission", "lookup_order"]);
      }
    },
  },
  {
    name: "ask, answered with always: this session is not asked again, another is",
    agent: "asked",
    steps: [LOOK_UP, LOOK_UP],
    answers: ["always"],
    calls: [LOOK_UP_DONE, LOOK_UP_DONE],
    check: async ({ session }, bench, harness) => {
      const next = await bench.turn([LOOK_UP], { harness, session: session.id });
      assert.deepEqual(next.calls.map(({ status }) => status), ["completed"]);
      const other = await bench.turn([LOOK_UP], { harness, agent: "asked", answers: ["once"] });
      assert.equal(other.questions.length, 1);
    },
  },
  {
    name: "ask, answered with reject",
    agent: "asked",
    steps: [LOOK_UP],
    answers: ["reject"],
    calls: () => [{ tool: "lookup_order", status: "refused", error: /./ }],
  },
];

let bench: SessionBench;

Deno.test.beforeAll(async () => {
  bench = await SessionBench.start({ fixture: "sessions/main" });
});

Deno.test.afterAll(() => bench[Symbol.asyncDispose]());

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `sessions, who may: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

for (const row of LISTS) {
  test(`the list of ${row.agent}`, async () => {
    const { agent, refused } = row;
    const calls = (harness: HarnessName) => refused === undefined ? [] : [hidden(refused)(harness)];
    await runScenario(bench, {
      name: agent,
      agent,
      steps: refused === undefined ? [{ text: "hello" }] : [{ tool: refused, args: { id: "A-1042" } }],
      calls,
      check: ({ offered }, _, harness) => {
        assert.deepEqual(offered.filter((name) => HOSTED.includes(name)), row.hosted, harness);
        const own = Object.entries(row.own).map((
          [name, where],
        ) => [name, where === true || where === harness]);
        assert.deepEqual(own.map(([name]) => [name, offered.includes(String(name))]), own, harness);
        if (harness === "experimental") {
          assert.deepEqual(offered.filter((name) => ![...HOSTED, ...OWN].includes(name)), []);
        }
      },
    });
    if (refused === undefined) return;
    const answer = await bench.daemon.call(refused, { agent, args: {} });
    assert.deepEqual([answer.status, answer.body.error], [403, `agent ${agent} may not use ${refused}`]);
  });
}

test("write, edit and apply_patch are one on the standard harness, whichever a model is offered", async () => {
  const offered = async (agent: string, model: string) =>
    (await bench.turn([{ text: "hello" }], { harness: "standard", agent, model })).offered
      .filter((name) => ["apply_patch", "edit", "write"].includes(name));
  // OpenCode offers the models of one family apply_patch in place of the other two.
  const families = [["scripted/gpt-5", ["apply_patch"]], ["scripted/other", ["edit", "write"]]] as const;
  for (const [model, tools] of families) {
    assert.deepEqual(await offered("writer", model), tools);
    assert.deepEqual(await offered("no_writer", model), []);
  }
});

for (const scenario of RULES) test(scenario.name, () => runScenario(bench, scenario));

for (const harness of HARNESSES) {
  test(`a question ends as a no: after a minute with nobody there, otherwise after ten (${harness})`, async () => {
    for (const [attended, seconds] of [[false, 60], [true, 600]] as const) {
      const prompt = bench.prompt([LOOK_UP]);
      const { id } = await bench.begin(prompt, { harness, agent: "asked", attended });
      const { created, deadline, kind, tool } = await bench.question(id);
      assert.deepEqual([kind, tool], ["permission", "lookup_order"]);
      assert.equal(Math.round((Date.parse(deadline) - Date.parse(created)) / 1_000), seconds);
      assert.equal((await bench.post(`/beeuni/sessions/${id}/stop`)).status, 202);
      assert.equal((await bench.ended(id)).state, "stopped");
      assert.deepEqual((await bench.session(id)).questions, []);
      const calls = (await bench.messages(id)).flatMap(({ tools }) => tools);
      assert.deepEqual(calls.map(({ status }) => status), ["aborted"]);
    }
  });

  test(`a subagent has on ${harness} ${harness === "standard" ? "its own list" : "what both lists allow"}`, async () => {
    const inner = bench.prompt([LOOK_UP, GIVEN, { text: "The helper is done." }]);
    const args = { description: "look it up", prompt: inner, subagent_type: "helper" };
    const turn = await bench.turn([{ tool: "task", args }, { text: "done" }], { harness, agent: "lead" });
    assert.equal(turn.state, "completed", JSON.stringify(turn.messages));
    assert.deepEqual(turn.offered, ["given", "memory", "task"]);
    const task = turn.calls.find(({ tool }) => tool === "task");
    assert.match(task?.output ?? "", /The helper is done\./);
    const [first, second] = bench.model.turns(inner);
    const offered = offeredTools(first!.body).filter((name) => HOSTED.includes(name));
    assert.deepEqual(offered, harness === "standard" ? ["given", "lookup_order"] : ["given"]);
    const own = offeredTools(first!.body);
    if (harness === "experimental") {
      assert.ok(!own.includes("task") && !own.includes("question"), String(own));
    }
    const told = JSON.stringify(second!.body.messages.at(-1));
    if (harness === "standard") assert.match(told, /packed/);
    else assert.match(told, /Tool lookup_order not found/);
  });
}
