import assert from "node:assert/strict";
import type { ToolKind, ToolPermissions } from "../manifest/model.ts";
import type { Places } from "./places.ts";
import { type PlanInput, planLoadRunner, type PlannedTool, planRunners } from "./runner_plan.ts";

const PLACES: Places = {
  root: "/p",
  realRoot: "/p",
  nodeModulesAbove: [],
  spillRoot: "/tmp/spill",
  beeuniTools: "/e/tools",
  engine: "/e",
  secret: [],
};

function tool(
  name: string,
  permissions: ToolPermissions = {},
  change: Partial<PlannedTool> = {},
): PlannedTool {
  const kind: ToolKind = name.startsWith("web_") ? "beeuni" : "project";
  return {
    entry: { name, kind, source: kind === "beeuni" ? `beeuni:${name}` : `tools/${name}.ts` },
    settings: { permissions },
    revision: 1,
    layout: 0,
    modules: [`/p/tools/${name}.ts`],
    alone: false,
    ...change,
  };
}

function input(tools: PlannedTool[], change: Partial<PlanInput> = {}): PlanInput {
  return { agent: "a", tools, places: PLACES, tmp: "/t", containerEnv: {}, env: {}, ...change };
}

/** Which tools share a process, as names joined. */
function groups(tools: PlannedTool[], change: Partial<PlanInput> = {}): string[] {
  const byKey = new Map<string, string[]>();
  for (const [name, { runner }] of planRunners(input(tools, change))) {
    byKey.set(runner.key, [...byKey.get(runner.key) ?? [], name]);
  }
  return [...byKey.values()].map((names) => names.join("+"));
}

Deno.test("planRunners: narrower tools share, wider ones are by themselves with their like", () => {
  const tools = [
    tool("plain"),
    tool("web_search"),
    tool("no_net", { net: false, write: false, env: ["X"] }),
    tool("git", { run: ["git"] }),
    tool("git_too", { run: ["git"], net: false }),
    tool("ls", { run: ["ls"] }),
    tool("reads", { read: ["/srv"] }),
    tool("blind", { read: false }),
    tool("crashed", {}, { alone: true }),
  ];
  assert.deepEqual(groups(tools), [
    "plain+web_search+no_net",
    "git+git_too",
    "ls",
    "reads",
    "blind",
    "crashed",
  ]);
});

Deno.test("planRunners: a tool whose files became others needs a process that is younger", () => {
  const tools = [tool("x"), tool("moved", {}, { layout: 2 }), tool("too", {}, { layout: 2 }), tool("y")];
  assert.deepEqual(groups(tools), ["x+y", "moved+too"]);
  assert.deepEqual(groups([tool("a", {}, { layout: 2, alone: true }), tool("b", {}, { layout: 2 })]), [
    "a",
    "b",
  ]);
});

Deno.test("planRunners: two agents never share, whatever is alike", () => {
  const key = (agent: string) => planRunners(input([tool("x")], { agent })).get("x")?.runner.key;
  assert.notEqual(key("a"), key("b"));
  assert.equal(key("a"), key("a"));
});

Deno.test("planRunners: the process has no more than its tools need together", () => {
  const web = planRunners(input([tool("web_search")])).get("web_search")!.runner.rights;
  assert.deepEqual(web, {
    read: ["/e/tools/web_search.ts", "/e", "/tmp/spill"],
    write: ["/tmp/spill"],
    net: ["api.tavily.com:443"],
    run: [],
    sys: [],
  });
});

Deno.test("planRunners: the stamp tells when a worker must not be used any more", () => {
  const stamp = (one: PlannedTool, change: Partial<PlanInput> = {}) =>
    planRunners(input([one], change)).get(one.entry.name)!.stamp;
  const base = stamp(tool("x"));
  assert.equal(stamp(tool("x")), base);
  assert.notEqual(stamp(tool("x", {}, { revision: 2 })), base, "other code");
  assert.notEqual(stamp(tool("x", { net: false })), base, "other rights");
  const env = { permissions: { env: ["X"] } };
  const one = stamp(tool("x", {}, { settings: env }), { containerEnv: { X: "1" } });
  assert.notEqual(
    stamp(tool("x", {}, { settings: env }), { containerEnv: { X: "2" } }),
    one,
    "another variable",
  );
  const provider = (TAVILY_BASE_URL: string) => stamp(tool("web_search"), { env: { TAVILY_BASE_URL } });
  assert.notEqual(provider("http://a.test"), provider("http://b.test"), "another provider");
  assert.equal(provider("http://a.test/x"), provider("http://a.test/y"));
});

Deno.test("planRunners: process.env has the variables that were asked for, never a credential of ours", () => {
  const asked = tool("x", { env: ["A", "MISSING", "BEEUNI_TOKEN", "BEEUNI_TOOL_HEAP_MB", "OPENCODE_X"] });
  const containerEnv = {
    A: "1",
    B: "2",
    BEEUNI_TOKEN: "t",
    BEEUNI_TOOL_HEAP_MB: "64",
    OPENCODE_X: "o",
    TMPDIR: "/elsewhere",
  };
  assert.deepEqual(planRunners(input([asked], { containerEnv })).get("x")?.env, { A: "1", TMPDIR: "/t" });
});

Deno.test("planLoadRunner: nothing to write, no program; who may not read the checkout has no net meanwhile", () => {
  const tools = [
    tool("plain"),
    tool("git", { run: ["git"] }),
    tool("blind", { read: false }),
    tool("hosts", { net: ["a.test"] }),
  ];
  const plans = planLoadRunner(input(tools, { agent: undefined }));
  const [first] = plans.values();
  assert.deepEqual([first?.runner.rights.write, first?.runner.rights.run, first?.runner.agent], [
    [],
    [],
    undefined,
  ]);
  assert.equal(new Set([...plans.values()].map(({ runner }) => runner)).size, 1);
  assert.deepEqual(plans.get("blind")?.rights.net, []);
  assert.deepEqual(plans.get("blind")?.rights.read, plans.get("plain")?.rights.read);
  assert.deepEqual(plans.get("hosts")?.rights.net, ["a.test"]);
  assert.equal(plans.get("plain")?.rights.net, true);
});
