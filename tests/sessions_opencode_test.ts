import assert from "node:assert/strict";
import { isHarnessTool } from "../src/manifest/harness_tools.ts";
import { BareOpenCode } from "./support/bare_opencode.ts";
import { runScenario, type Scenario } from "./support/scenario.ts";
import { SessionBench } from "./support/sessions.ts";

// A project that removed Beeuni tools, replaced one, and has files for OpenCode of its own (specification 4.1, 4.3).

const SCENARIOS: Scenario[] = [
  {
    name: "a module in the place of a Beeuni tool",
    steps: [{ tool: "web_search", args: { query: "tea" } }],
    calls: [{
      tool: "web_search",
      status: "completed",
      output: '{\n  "query": "tea",\n  "success": true,\n  "answer": "from the project"\n}',
    }],
  },
  {
    name: "a removed Beeuni tool is not offered; a call of it fails, and the turn goes on",
    steps: [{ tool: "show", args: { action: "show", type: "text", content: "x" } }, { tool: "good" }],
    calls: (harness) => [
      { tool: "show", status: "error", error: harness === "experimental" ? "Tool show not found" : /show/ },
      { tool: "good", status: "completed", output: "good" },
    ],
    check: ({ offered }) => {
      for (const name of ["show", "memory", "image_search", "broken"]) {
        assert.ok(!offered.includes(name), name);
      }
      for (const name of ["web_search", "scrape_webpage", "good"]) assert.ok(offered.includes(name), name);
    },
  },
  {
    name: "an agent's list adds no Beeuni tool that the project does not load",
    agent: "wishful",
    steps: [{ tool: "good" }],
    calls: [{ tool: "good", status: "completed", output: "good" }],
    check: ({ offered }) => assert.deepEqual(offered, ["good"]),
  },
  {
    name: "a skill that names a removed tool still loads",
    steps: [{ tool: "skill", args: { name: "beeuni-memory" } }],
    calls:
      () => [{ tool: "skill", status: "completed", output: /Call `memory` with the command `view` first\./ }],
  },
  {
    name: "a file in harnesses/opencode/tools wins over a hosted tool of its name, on the standard harness",
    steps: [{ tool: "note", args: { text: "tea" } }],
    calls: (harness) => [{
      tool: "note",
      status: "completed",
      output: harness === "standard" ? "own note: tea" : "hosted note: tea",
    }],
  },
  {
    name: "tools that import @opencode-ai/plugin, with a relative import and a named export",
    steps: [
      { tool: "legacy", args: { name: "Ada", loud: true } },
      { tool: "math_add", args: { a: 1, b: 2 } },
    ],
    calls: (harness) =>
      harness === "standard"
        ? [
          { tool: "legacy", status: "completed", output: "Hello Ada! (beeuni)" },
          { tool: "math_add", status: "completed", output: "3" },
        ]
        : [
          { tool: "legacy", status: "error", error: "Tool legacy not found" },
          { tool: "math_add", status: "error", error: "Tool math_add not found" },
        ],
    check: ({ offered }, _, harness) => {
      const own = offered.filter((name) => ["legacy", "math_add", "throws"].includes(name));
      assert.deepEqual(own, harness === "standard" ? ["legacy", "math_add"] : []);
    },
  },
];

let bench: SessionBench;

Deno.test.beforeAll(async () => {
  bench = await SessionBench.start({ fixture: "sessions/trimmed" });
});

Deno.test.afterAll(() => bench[Symbol.asyncDispose]());

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `sessions, trimmed project: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

for (const scenario of SCENARIOS) test(scenario.name, () => runScenario(bench, scenario));

test("a removed tool is 404 on the route", async () => {
  const { status, body } = await bench.daemon.call("show", { args: {} });
  assert.deepEqual([status, body.error], [404, "no tool named show is loaded"]);
});

test("a file for OpenCode that does not load is left out and listed", async () => {
  await bench.turn([{ text: "hello" }], { harness: "standard" });
  const { body } = await bench.daemon.request("/beeuni/tools");
  const [failed] = body.failed.filter(({ source }: { source: string }) => source.includes("throws"));
  assert.equal(failed?.source, "harnesses/opencode/tools/throws.ts", JSON.stringify(body.failed));
  assert.match(failed.error, /this file does not load/);
});

test("nothing was written into the checkout", async () => {
  await bench.turn([{ text: "hello" }], { harness: "standard" });
  const names = [...Deno.readDirSync(bench.project.root)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["beeuni.yaml", "harnesses", "skills", "tools"]);
  const own = [...Deno.readDirSync(bench.project.path("harnesses/opencode"))].map(({ name }) => name);
  assert.deepEqual(own, ["tools"]);
});

Deno.test("the reserved names hold every tool of OpenCode itself", async () => {
  await using server = await BareOpenCode.start();
  const ids = await server.toolIds();
  assert.ok(ids.length >= 10, String(ids));
  assert.deepEqual(ids.filter((id) => !isHarnessTool(id)), []);
});
