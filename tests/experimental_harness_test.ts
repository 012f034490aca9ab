import assert from "node:assert/strict";
import { findEngine } from "../src/engine/engine.ts";
import { createExperimentalHarness } from "../src/harness/experimental/harness.ts";
import { BenchReport } from "../src/harness/experimental/testing/turn_bench.ts";
import { startHost } from "../src/host/host.ts";
import type { ToolHost } from "../src/host/types.ts";
import { createLogger } from "../src/log/logger.ts";
import { Masker } from "../src/log/masker.ts";
import { readManifest } from "../src/manifest/read.ts";
import type { Harness, ToolCallRecord } from "../src/sessions/types.ts";
import { Project } from "./support/project.ts";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "./support/scripted_model.ts";

// The experimental harness on the real tool host, with the real harness tools: what a session of the daemon runs.

const SECRET = "sekret-4f1c-77aa";

function tool(body: string, parameters: unknown = { type: "object", properties: {} }): string {
  return `export default {
  description: "A tool.",
  parameters: ${JSON.stringify(parameters)},
  async execute(args, context) { ${body} },
};
`;
}

const FILES = {
  "beeuni.yaml": `tools:
  memory: beeuni:memory
  given: tools/given.ts
  long: tools/long.ts
  leak: tools/leak.ts
  version: tools/version.ts
agents:
  main:
    tools: { exclude: [leak] }
    secrets: none
  helper:
    mode: subagent
    tools: [given, leak]
    secrets: [TOKEN]
`,
  "tools/given.ts": tool(
    "return { args, agent: context.agent, session: context.sessionId, token: context.env.TOKEN ?? null };",
    { type: "object", required: ["n"], properties: { n: { type: "integer" } }, additionalProperties: false },
  ),
  "tools/long.ts": tool("return Array.from({ length: 5000 }, (_, i) => `line ${i}`).join('\\n');"),
  "tools/leak.ts": tool("throw new Error(`the token is ${context.env.TOKEN}`);"),
  "tools/version.ts": tool("return 'one';"),
  "notes.txt": "needle in the checkout\n",
  "skills/greet/SKILL.md": "---\nname: greet\ndescription: How to greet.\n---\nSay hello.\n",
};

/** A session of an agent on a project. */
class Bench implements AsyncDisposable {
  readonly project = new Project({ files: FILES });
  readonly host: ToolHost;
  readonly harness: Harness;
  readonly model: ScriptedModel;
  readonly report = new BenchReport();
  log = "";

  private constructor(model: ScriptedModel) {
    this.model = model;
    const logger = createLogger({
      write: (bytes) => {
        this.log += new TextDecoder().decode(bytes);
        return Promise.resolve(bytes.length);
      },
    });
    const masker = new Masker();
    masker.add([SECRET]);
    const { PATH = "", HOME = "" } = Deno.env.toObject();
    this.host = startHost({
      manifest: readManifest({ project: this.project.root }),
      stateDir: this.project.state,
      engine: findEngine(),
      logger,
      tempDir: this.project.tmp,
      containerEnv: { PATH, HOME, TMPDIR: this.project.tmp },
      masker,
      secrets: (agent) => (agent === "helper" ? { TOKEN: SECRET } : {}) as Record<string, string>,
    });
    this.harness = createExperimentalHarness({
      root: this.project.root,
      stateDir: this.project.state,
      host: this.host,
      models: {
        env: (name) => name === "BEEUNI_MODEL_BASE_URL" ? model.url : undefined,
        secret: () => undefined,
      },
      logger,
    });
  }

  static async start(): Promise<Bench> {
    const bench = new Bench(await startScriptedModel());
    await bench.host.ready;
    return bench;
  }

  /** Runs a turn; answers its calls. */
  async turn(steps: readonly ScriptStep[], signal = new AbortController().signal): Promise<ToolCallRecord[]> {
    const { report } = this;
    const prompt = `prompt ${crypto.randomUUID()}`;
    this.model.on(prompt, steps);
    const history = structuredClone(report.messages);
    report.user(prompt);
    const record = { id: "ses-1", agent: "main", harness: "experimental", model: "any/model" } as const;
    await this.harness.run({
      session: { ...record, created: "", updated: "", state: "running", title: "" },
      prompt,
      history,
      signal,
      report,
      ...(report.saved !== undefined && { saved: report.saved }),
    });
    return report.messages.slice(history.length).flatMap(({ tools }) => tools);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    await this.host.stop();
    await this.model[Symbol.asyncDispose]();
    this.project[Symbol.dispose]();
  }
}

function test(name: string, fn: (bench: Bench) => Promise<void>): void {
  Deno.test({
    name: `experimental harness: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using bench = await Bench.start();
      await fn(bench);
    },
  });
}

test("hosted tools and its own; the same text as the host gives", async (bench) => {
  const args = { n: "7", extra: null };
  const calls = await bench.turn([
    {
      tools: [
        { tool: "given", args },
        { tool: "bash", args: { command: "echo from the shell", description: "say" } },
        { tool: "grep", args: { pattern: "needle" } },
        { tool: "skill", args: { name: "greet" } },
        { tool: "show", args: {} },
        { tool: "leak", args: {} },
      ],
    },
    { text: "done" },
  ]);
  const offered = bench.model.requests[0]!.body.tools!.map((tool) => tool.function.name).sort();
  assert.deepEqual(offered, [
    "bash",
    "edit",
    "given",
    "glob",
    "grep",
    "long",
    "memory",
    "question",
    "read",
    "skill",
    "task",
    "version",
    "write",
  ]);
  assert.ok(bench.model.requests[0]!.raw.includes(
    JSON.stringify(bench.host.catalogue().tools.find(({ name }) => name === "given")!.parameters),
  ));
  const [given, bash, grep, skill, show, leak] = calls;
  assert.deepEqual(JSON.parse(given!.output!), { args, agent: "main", session: "ses-1", token: null });
  assert.match(bash!.output!, /from the shell/);
  assert.match(grep!.output!, /notes\.txt/);
  assert.match(skill!.output!, /Say hello\./);
  assert.deepEqual([show!.status, show!.error], ["error", "Tool show not found"]);
  assert.deepEqual([leak!.status, leak!.error], ["refused", "Tool leak not found"]);
});

test("a long output is in a file that read may read", async (bench) => {
  const [long] = await bench.turn([{ tool: "long" }, { text: "done" }]);
  assert.match(long!.output!, /\[Output truncated: .* 5000 lines\. The whole output is in /);
  assert.ok(long!.file !== undefined && long!.file.startsWith(bench.host.spillFolder("ses-1")));
  const args = { filePath: long!.file, offset: 4990, limit: 5 };
  const [read, outside] = await bench.turn([
    { tools: [{ tool: "read", args }, { tool: "read", args: { filePath: "/etc/hostname" } }] },
    { text: "done" },
  ]);
  assert.match(read!.output!, /line 4990/);
  assert.equal(outside!.status, "error");
});

test("a subagent has its own grant, and its errors no secret", async (bench) => {
  bench.model.on("the errand", [{ tools: [{ tool: "given", args: { n: 1 } }, { tool: "leak" }] }, {
    echo: true,
  }]);
  const args = { description: "x", prompt: "the errand", subagent_type: "helper" };
  const calls = await bench.turn([{ tool: "task", args }, { text: "done" }]);
  assert.deepEqual(calls.map(({ tool, status }) => [tool, status]), [
    ["task", "completed"],
    ["helper/given", "completed"],
    // The session's agent may not use it.
    ["helper/leak", "refused"],
  ]);
  assert.deepEqual(JSON.parse(calls[1]!.output!), {
    args: { n: 1 },
    agent: "helper",
    session: "ses-1",
    token: SECRET,
  });
});

test("a changed and a removed tool: the conversation goes on with what there is then", async (bench) => {
  const before = await bench.turn([{ tool: "version" }, { text: "one it is" }]);
  bench.project.write("tools/version.ts", tool("return 'two';"));
  bench.project.write(
    "beeuni.yaml",
    FILES["beeuni.yaml"].replace("  memory: beeuni:memory\n", "").replace(
      "  given:",
      "  show: beeuni:show\n  given:",
    ),
  );
  await bench.host.reload();
  const after = await bench.turn([{ tools: [{ tool: "version" }, { tool: "memory" }] }, {
    text: "two it is",
  }]);
  assert.deepEqual(before.map(({ output }) => output), ["one"]);
  assert.deepEqual(after.map(({ output, error }) => output ?? error), ["two", "Tool memory not found"]);
  const names = bench.model.requests.at(-1)!.body.tools!.map((tool) => tool.function.name);
  assert.ok(names.includes("show") && !names.includes("memory"));
  const talk = JSON.stringify(bench.model.requests.at(-1)!.body.messages);
  assert.match(talk, /"one".*one it is.*"two"/s);
});

test("an abort ends bash and what it started", async (bench) => {
  const stop = new AbortController();
  const mark = `${bench.project.tmp}/started`;
  const run = bench.turn([
    { tool: "bash", args: { command: `sleep 300 & echo $! > ${mark}; wait`, description: "wait" } },
    { text: "never" },
  ], stop.signal);
  let pid = "";
  while (pid === "") {
    await new Promise((done) => setTimeout(done, 20));
    pid = await Deno.readTextFile(mark).then((text) => text.trim(), () => "");
  }
  stop.abort();
  await assert.rejects(run, { code: "aborted" });
  for (let tries = 0; await isAlive(pid); tries++) {
    assert.ok(tries < 250, "the process that bash started still runs");
    await new Promise((done) => setTimeout(done, 20));
  }
});

async function isAlive(pid: string): Promise<boolean> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/stat`);
    return !/\) [ZX] /.test(status);
  } catch {
    return false;
  }
}
