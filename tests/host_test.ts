import assert from "node:assert/strict";
import { join } from "node:path";
import { findEngine } from "../src/engine/engine.ts";
import { startHost } from "../src/host/host.ts";
import type { HostOptions } from "../src/host/options.ts";
import type { CallRequest, HostEvent, ToolHost } from "../src/host/types.ts";
import { createLogger } from "../src/log/logger.ts";
import { readManifest } from "../src/manifest/read.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { httpAnswer, Listener } from "./support/listener.ts";
import { Project } from "./support/project.ts";

// The tool host with real processes, as the daemon, `tools call` and the experimental harness use it.

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

/** A module whose `execute` has this body. */
function tool(body: string, head = ""): string {
  return `${head}
export default {
  description: "A tool.",
  parameters: { type: "object", properties: {} },
  async execute(args, context) { ${body} },
};
`;
}

/** Tries to do something and answers what came of it: `ok` with a value, or the message. */
const ATTEMPTS = tool(
  `
  const results = {};
  for (const [name, [how, ...rest]] of Object.entries(args)) {
    try { results[name] = "ok " + (await HOW[how](...rest)); } catch (error) { results[name] = error.message; }
  }
  return results;`,
  `
import fs from "node:fs";
import process from "node:process";
const HOW = {
  read: (path) => fs.readFileSync(path, "utf8").trim(),
  write: (path) => { fs.writeFileSync(path, "written"); return "written"; },
  list: (path) => fs.readdirSync(path).length,
  fetch: async (url) => (await fetch(url)).status,
  env: (name) => process.env[name],
  run: async (name) => (await new Deno.Command(name, { args: ["--version"] }).output()).code,
  hostname: () => Deno.hostname() !== "",
  tmp: () => { const path = process.env.TMPDIR + "/x"; fs.writeFileSync(path, "t"); return fs.readFileSync(path, "utf8"); },
  late: async (path) => (await import(path)).default,
};`,
);

/** A host on a project, and everything it told. */
class Bench implements AsyncDisposable {
  readonly project: Project;
  readonly host: ToolHost;
  readonly events: HostEvent[] = [];
  log = "";

  constructor(project: Project, options: Partial<HostOptions> = {}) {
    this.project = project;
    this.host = startHost({
      manifest: readManifest({ project: project.root }),
      stateDir: project.state,
      engine: findEngine(),
      logger: createLogger({
        json: true,
        write: (bytes) => {
          this.log += new TextDecoder().decode(bytes);
          return Promise.resolve(bytes.length);
        },
      }),
      tempDir: project.tmp,
      containerEnv: containerEnv(project),
      ...options,
    });
    this.host.subscribe((event) => this.events.push(event));
  }

  /** What a call returned, parsed when it is JSON. */
  async call(tool: string, request: Partial<CallRequest> = {}): Promise<unknown> {
    const { output } = await this.host.call({ tool, args: {}, agent: "beeuni", ...request });
    try {
      return JSON.parse(output);
    } catch {
      return output;
    }
  }

  /** What became of each attempt. */
  async attempt(
    tool: string,
    attempts: Record<string, string[]>,
    agent = "beeuni",
  ): Promise<Record<string, string>> {
    return await this.call(tool, { args: attempts, agent }) as Record<string, string>;
  }

  get runners(): number {
    return this.host.stats().runners;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.stop();
    this.project[Symbol.dispose]();
  }
}

function containerEnv(project: Project): Record<string, string> {
  const { PATH = "", HOME = "" } = Deno.env.toObject();
  return { PATH, HOME, TMPDIR: project.tmp };
}

async function bench(files: Record<string, string>, options: Partial<HostOptions> = {}): Promise<Bench> {
  const made = new Bench(new Project({ files }), options);
  await made.host.ready;
  return made;
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `host: ${name}`, ...LENIENT, fn });
}

test("tools with the default rights share their agent's process; other agents and wider rights do not", async () => {
  const manifest = `
tools: { a: tools/a.ts, b: tools/a.ts, narrow: tools/a.ts, runs: tools/a.ts, runs_too: tools/a.ts, show: beeuni:show }
tool_settings:
  narrow: { permissions: { net: false, write: false, env: [HOME] } }
  runs: { permissions: { run: [sh] } }
  runs_too: { permissions: { run: [sh], net: [a.test] } }
agents: { beeuni: { tools: all }, other: { tools: all } }
`;
  await using it = await bench({ "beeuni.yaml": manifest, "tools/a.ts": tool(`return context.agent;`) });
  for (const name of ["a", "b", "narrow"]) assert.equal(await it.call(name), "beeuni");
  assert.equal(it.runners, 1);
  await it.call("show", { args: { type: "text", content: "x" } });
  assert.equal(it.runners, 1);
  await it.call("runs");
  await it.call("runs_too");
  assert.equal(it.runners, 2);
  assert.equal(await it.call("a", { agent: "other" }), "other");
  assert.equal(it.runners, 3);
  assert.equal(it.host.stats().workers, 7);
});

test("each setting gives exactly what it says", async () => {
  await using server = new Listener({ answer: httpAnswer("hello") });
  await using other = new Listener({ answer: httpAnswer("hello") });
  const project = new Project();
  const outside = (name: string) => join(project.outside, name);
  const manifest = `
tools:
  plain: tools/x.ts
  no_net: tools/x.ts
  one_host: tools/x.ts
  no_write: tools/x.ts
  no_read: tools/x.ts
  reads_more: tools/x.ts
  reads_link: tools/x.ts
  writes_more: tools/x.ts
  opens_lib: tools/x.ts
  opens_below: tools/x.ts
  variables: tools/x.ts
  runs: tools/x.ts
  system: tools/x.ts
  lib_tool: lib/y.ts
tool_settings:
  no_net: { permissions: { net: false } }
  one_host: { permissions: { net: ["127.0.0.1:${server.port}"] } }
  no_write: { permissions: { write: false } }
  no_read: { permissions: { read: false } }
  reads_more: { permissions: { read: [${project.outside}] } }
  reads_link: { permissions: { read: [link] } }
  writes_more: { permissions: { write: [${project.outside}] } }
  opens_lib: { permissions: { write: [lib] } }
  opens_below: { permissions: { write: [lib/out] } }
  variables: { permissions: { env: [WANTED, BEEUNI_TOKEN, OPENCODE_X] } }
  runs: { permissions: { run: [git] } }
  system: { permissions: { sys: [hostname] } }
`;
  const files: Record<string, string> = {
    "beeuni.yaml": manifest,
    "tools/x.ts": ATTEMPTS + `import "../helpers/h";\nimport "pkg";\n`,
    "helpers/h.ts": "export default 1;",
    "helpers/late.ts": `import "./later.ts"; export default "late";`,
    "helpers/later.ts": "",
    "node_modules/pkg/package.json": `{ "name": "pkg", "main": "i.js" }`,
    "node_modules/pkg/i.js": "module.exports = require('./j.js');",
    "node_modules/pkg/j.js": "",
    "lib/y.ts": tool("return 1;"),
    "lib/out/old.txt": "old",
    "data/d.txt": "data",
  };
  files["tools/x.ts"] = files["tools/x.ts"]!.replace(
    "const HOW",
    `const lateHelper = () => import("../helpers/late.ts");\nconst HOW`,
  );
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  Deno.writeTextFileSync(outside("o.txt"), "outside");
  Deno.symlinkSync(project.outside, project.path("link"));
  await using it = new Bench(project, {
    containerEnv: { ...containerEnv(project), WANTED: "w", OTHER: "o", BEEUNI_TOKEN: "t", OPENCODE_X: "x" },
  });
  await it.host.ready;
  assert.deepEqual(it.host.catalogue().failed, []);
  const data = project.path("data/d.txt");
  const everything: Record<string, string[]> = {
    read: ["read", data],
    outside: ["read", outside("o.txt")],
    link: ["read", project.path("link/o.txt")],
    write: ["write", project.path("data/new.txt")],
    write_outside: ["write", outside("new.txt")],
    tools: ["write", project.path("tools/x.ts")],
    lib: ["write", project.path("lib/new.txt")],
    lib_module: ["write", project.path("lib/y.ts")],
    lib_out: ["write", project.path("lib/out/new.txt")],
    helper: ["write", project.path("helpers/h.ts")],
    helper_rival: ["write", project.path("helpers/h.js")],
    helper_packages: ["write", project.path("helpers/node_modules")],
    git: ["write", project.path(".git/x")],
    tmp: ["tmp"],
    server: ["fetch", server.url],
    other: ["fetch", other.url],
    wanted: ["env", "WANTED"],
    not_wanted: ["env", "OTHER"],
    token: ["env", "BEEUNI_TOKEN"],
    harness: ["env", "OPENCODE_X"],
    git_program: ["run", "git"],
    another_program: ["run", "ls"],
    hostname: ["hostname"],
    late: ["late", project.path("helpers/late.ts")],
  };
  const nothing = Object.keys(everything).map((name): [string, boolean] => [name, false]);
  const byDefault = { read: true, write: true, tmp: true, server: true, other: true, late: true };
  const cases: [tool: string, change: Record<string, boolean>][] = [
    ["plain", {}],
    ["no_net", { server: false, other: false }],
    ["one_host", { other: false }],
    ["no_write", { write: false, tmp: false }],
    ["no_read", { read: false, tmp: false }],
    // A link to what may be read may be followed.
    ["reads_more", { outside: true, link: true }],
    ["reads_link", { link: true }],
    ["writes_more", { write_outside: true }],
    ["variables", { wanted: true }],
    ["runs", { git_program: true }],
    ["system", { hostname: true }],
    ["opens_below", { lib_out: true, lib: true }],
    ["opens_lib", { lib_out: true, lib: true, lib_module: true }],
  ];
  for (const [name, change] of cases) {
    const results = await it.attempt(name, everything);
    const found = Object.fromEntries(
      Object.entries(results).map(([what, result]) => [what, /^ok (?!undefined)/.test(result)]),
    );
    const expected = { ...Object.fromEntries(nothing), ...byDefault, ...change };
    assert.deepEqual(found, expected, `${name}: ${JSON.stringify(results, null, 1)}`);
  }
});

for (const folder of ["a,b", "sp ace", "st*ar", "co:lon", 'quo"te', "ünï🌍", "per%20cent", "#hash?"]) {
  test(`a project in a folder named ${folder}`, async () => {
    const base = new Project();
    const root = join(base.base, folder);
    Deno.renameSync(base.root, root);
    Deno.mkdirSync(join(root, "tools"));
    Deno.mkdirSync(join(root, folder));
    Deno.writeTextFileSync(join(root, folder, "f"), "inner");
    Deno.writeTextFileSync(join(root, "tools/x.ts"), ATTEMPTS);
    Deno.writeTextFileSync(join(root, "beeuni.yaml"), "tools: { x: tools/x.ts, memory: beeuni:memory }\n");
    Deno.symlinkSync(base.outside, join(root, "link"));
    Deno.writeTextFileSync(join(base.outside, "o"), "outside");
    await using it = new Bench(Object.assign(base, { root }));
    await it.host.ready;
    assert.deepEqual(it.host.catalogue().failed, []);
    const results = await it.attempt("x", {
      read: ["read", join(root, folder, "f")],
      write: ["write", join(root, "new.txt")],
      tools: ["write", join(root, "tools/x.ts")],
      git: ["write", join(root, ".git")],
      manifest: ["write", join(root, "beeuni.yaml")],
      link: ["read", join(root, "link/o")],
      outside: ["read", join(base.outside, "o")],
      tmp: ["tmp"],
    });
    const allowed = Object.entries(results).filter(([, result]) => result.startsWith("ok")).map(([name]) =>
      name
    );
    assert.deepEqual(allowed, ["read", "write", "tmp"], JSON.stringify(results));
    const made = await it.call("memory", {
      args: { command: "create", path: "memory/a.md", file_text: "x" },
    });
    assert.equal(made, "File created successfully at: memory/a.md");
    assert.equal(Deno.readTextFileSync(join(root, "memory/a.md")), "x");
  });
}

test("links and files with a comma are closed, not open", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml": "tools: { x: tools/x.ts, y: 'odd,ly/y.ts' }\n",
      "tools/x.ts": ATTEMPTS,
      "odd,ly/y.ts": tool("return 1;"),
      "pics/ok.txt": "ok",
    },
  });
  Deno.writeTextFileSync(join(project.outside, "o"), "outside");
  Deno.symlinkSync(project.outside, project.path("pics/a,b"));
  await using it = new Bench(project);
  await it.host.ready;
  const results = await it.attempt("x", {
    link: ["read", project.path("pics/a,b/o")],
    module: ["write", project.path("odd,ly/y.ts")],
    written: ["write", project.path("fine.txt")],
  });
  assert.doesNotMatch(results.link ?? "", /^ok/);
  assert.doesNotMatch(results.module ?? "", /^ok/);
  assert.equal(project.read("odd,ly/y.ts"), tool("return 1;"));
});

test("an edit is seen when the next worker is made, never before, also under the old time stamp", async () => {
  await using it = await bench({
    "beeuni.yaml":
      "tools: { x: tools/x.ts, fresh: tools/fresh.ts }\ntool_settings: { fresh: { fresh: true } }\n",
    "tools/x.ts": tool(
      `return word + (await import("../lib/late.ts")).late;`,
      `import { word } from "../lib/h.ts";`,
    ),
    "tools/fresh.ts": tool(`return word;`, `import { word } from "../lib/h.ts";`),
    "lib/h.ts": `export const word: string = "one";`,
    "lib/late.ts": `export const late: string = "!";`,
  });
  const edit = (path: string, content: string) => {
    const before = Deno.statSync(it.project.path(path));
    it.project.write(path, content);
    Deno.utimeSync(it.project.path(path), before.atime ?? 0, before.mtime ?? 0);
  };
  assert.equal(await it.call("x"), "one!");
  assert.equal(await it.call("fresh"), "one");
  const { generation } = it.host.catalogue();
  edit("lib/h.ts", `export const word: string = "two";`);
  assert.equal(await it.call("x"), "one!", "a warm worker goes on with what it loaded");
  assert.equal(await it.call("fresh"), "two", "a new worker reads the disk");
  assert.equal(it.host.catalogue().generation, generation + 1);
  assert.deepEqual(await it.host.reload(), { generation: generation + 2, changed: ["x"], failed: [] });
  assert.equal(await it.call("x"), "two!");
  edit("lib/late.ts", `export const late: string = "?";`);
  assert.deepEqual((await it.host.reload()).changed, ["x"], "a helper that is imported later counts");
  assert.equal(await it.call("x"), "two?");
  assert.deepEqual((await it.host.reload()).changed, []);

  // One that does not load any more is failed from then on, the others stay.
  edit("lib/h.ts", `export const other = 1;`);
  await assert.rejects(it.call("fresh"), {
    code: "tool_not_found",
    message: "no tool named fresh is loaded",
  });
  assert.deepEqual(it.host.catalogue().failed.map(({ name }) => name), ["fresh"]);
  assert.match(it.host.catalogue().failed[0]?.error ?? "", /^tools\/fresh\.ts: .*word/);
  assert.equal(await it.call("x"), "two?");
  edit("lib/h.ts", `export const word: string = "new";`);
  await assert.rejects(it.call("fresh"), { code: "tool_not_found" }, "until a reload tries it again");
  assert.deepEqual((await it.host.reload()).changed, ["x", "fresh"]);
  assert.equal(await it.call("fresh"), "new");

  Deno.removeSync(it.project.path("tools/fresh.ts"));
  await assert.rejects(it.call("fresh"), { code: "tool_not_found" });
  assert.equal(it.host.catalogue().failed[0]?.error, "tools/fresh.ts does not exist");
});

test("a start with nothing changed imports nothing; a broken cache is as good as none", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml":
        "tools: { x: tools/x.ts, broken: tools/broken.ts, show: beeuni:show }\nagents: { beeuni: {}, none: { tools: none } }\n",
      "tools/x.ts": tool("return 1;", `console.log("imported");`),
      "tools/broken.ts": "export default 1;",
    },
  });
  const imports = async (prepare: () => void = () => {}): Promise<number> => {
    prepare();
    // The project stays for the next round.
    const it = new Bench(project);
    await it.host.ready;
    assert.deepEqual(it.host.catalogue().tools.map(({ name }) => name), ["show", "x"]);
    assert.deepEqual(it.host.catalogue().failed.map(({ name }) => name), ["broken"]);
    await it.host.stop();
    return it.events.filter((event) => event.type === "tool_log" && event.text === "imported").length;
  };
  const cache = join(project.state, "catalogue.json");
  try {
    assert.equal(await imports(), 1);
    assert.equal(await imports(), 0);
    assert.equal(await imports(() => Deno.writeTextFileSync(cache, "{")), 1);
    assert.equal(await imports(), 0);
    assert.equal(await imports(() => project.write("tools/x.ts", project.read("tools/x.ts") + " ")), 1);
    const settings = "tool_settings: { x: { permissions: { net: false } } }\n";
    assert.equal(
      await imports(() => project.write("beeuni.yaml", project.read("beeuni.yaml") + settings)),
      1,
    );
    assert.equal(await imports(() => Deno.removeSync(cache)), 1);
  } finally {
    project[Symbol.dispose]();
  }
});

test("what no agent may use is never imported, and neither offered nor failed", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { used: tools/a.ts, unused: tools/b.ts }\nagents: { beeuni: { tools: [used] } }\n",
    "tools/a.ts": tool("return 1;"),
    "tools/b.ts": `throw new Error("imported");`,
  });
  const { tools, failed, unused } = it.host.catalogue();
  assert.deepEqual([tools.map(({ name }) => name), failed, unused], [["used"], [], ["unused"]]);
  await assert.rejects(it.call("unused"), { code: "tool_not_found" });
  await assert.rejects(it.call("used", { agent: "nobody" }), {
    code: "agent_forbidden",
    message: "agent nobody may not use used",
  });
});

test("a call to a tool that is still loading waits for it, and can be cancelled", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml": "tools: { slow: tools/slow.ts, bad: tools/bad.ts }\n",
      "tools/slow.ts": tool("return 1;", "await new Promise((resolve) => setTimeout(resolve, 600));"),
      "tools/bad.ts": "await new Promise((resolve) => setTimeout(resolve, 300)); throw new Error('no');",
    },
  });
  await using it = new Bench(project);
  assert.equal(it.host.state, "loading");
  const controller = new AbortController();
  const calls = [
    it.call("slow"),
    it.call("bad").catch((error) => error.code),
    it.call("slow", { call: "mine" }).catch((error) => error.code),
    it.call("slow", { signal: controller.signal }).catch((error) => error.code),
    it.call("nothing").catch((error) => error.code),
  ];
  await sleep(50);
  assert.equal(it.host.cancel("mine"), true);
  controller.abort();
  assert.deepEqual(await Promise.all(calls), [1, "tool_not_found", "aborted", "aborted", "tool_not_found"]);
  assert.equal(it.host.cancel("mine"), false);
});

test("one module that loops, ends its process or floods the log costs its own tool", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  await using it = await bench({
    "beeuni.yaml": `tools: { loop: tools/loop.ts, kill: tools/kill.ts, flood: tools/flood.ts, ${
      names.map((name) => `${name}: tools/x.ts`).join(", ")
    } }\n`,
    "tools/loop.ts": "for (;;);",
    "tools/kill.ts": "const all = []; for (;;) all.push(new Array(1e6).fill(all.length));",
    "tools/flood.ts": tool("return 1;", `for (let i = 0; i < 20000; i++) console.log("x".repeat(1000));`),
    "tools/x.ts": tool("return 1;"),
  }, { containerEnv: { ...containerEnv(new Project()), BEEUNI_TOOL_HEAP_MB: "100" } });
  const { tools, failed } = it.host.catalogue();
  assert.deepEqual(tools.map(({ name }) => name), ["flood", ...names]);
  const errors = Object.fromEntries(failed.map(({ name, error }) => [name, error]));
  assert.deepEqual(errors, {
    loop: "tools/loop.ts: it did not load within 10 s",
    kill: "tools/kill.ts: its sandbox ran out of memory",
  });
  assert.ok(it.log.length < 10_000_000);
});

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

test("a reload retires the workers whose tool or rights changed, and no other", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { a: tools/a.ts, b: tools/b.ts, c: tools/c.ts }\n",
    "tools/a.ts": tool("return ++calls;", "let calls = 0;"),
    "tools/b.ts": tool("return ++calls;", "let calls = 0;"),
    "tools/c.ts": tool("return ++calls;", "let calls = 0;"),
  });
  const calls = async () => [await it.call("a"), await it.call("b"), await it.call("c")];
  await calls();
  assert.deepEqual(await calls(), [2, 2, 2]);
  it.project.write("tools/a.ts", it.project.read("tools/a.ts") + "\n");
  const yaml = it.project.read("beeuni.yaml");
  it.project.write("beeuni.yaml", yaml + "tool_settings: { b: { permissions: { net: false } } }\n");
  assert.deepEqual((await it.host.reload()).changed, ["a", "b"]);
  assert.deepEqual(await calls(), [1, 1, 3]);
  it.project.write("beeuni.yaml", "tools: { a: tools/a.ts");
  await assert.rejects(
    it.host.reload(),
    (error: Error & { code?: string; details?: { issues?: unknown[] } }) => {
      assert.equal(error.code, "manifest_invalid");
      return (error.details?.issues?.length ?? 0) > 0;
    },
  );
  assert.deepEqual(await calls(), [2, 2, 4], "the old tools stay");
  it.project.write("beeuni.yaml", "tools: { a: tools/a.ts }\n");
  assert.deepEqual((await it.host.reload()).changed, ["b", "c"]);
  await assert.rejects(it.call("b"), { code: "tool_not_found" });
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

test("a web tool reaches its provider and nothing else, also when that moves", async () => {
  const answer = httpAnswer(JSON.stringify({ query: "q", answer: "a", results: [] }), {
    "content-type": "application/json",
  });
  await using first = new Listener({ answer });
  await using second = new Listener({ answer });
  const project = new Project({
    files: {
      "beeuni.yaml":
        "tools: { web_search: beeuni:web_search, x: tools/x.ts }\nagents: { beeuni: { secrets: all } }\n",
      "tools/x.ts": ATTEMPTS,
    },
  });
  const envFile = join(project.base, "env");
  const use = (url: string) => Deno.writeTextFileSync(envFile, `TAVILY_API_KEY=k\nTAVILY_BASE_URL=${url}\n`);
  use(first.url);
  await using it = new Bench(project, { envFile, daemonPort: second.port });
  await it.host.ready;
  const search = () => it.call("web_search", { args: { query: "q" } }) as Promise<{ success: boolean }>;
  assert.equal((await search()).success, true);
  assert.ok(first.connections > 0);
  // The daemon's own port is denied, whatever the variable says.
  use(second.url);
  await assert.rejects(search(), { code: "tool_failed" });
  assert.equal(second.connections, 0);
  use(first.url);
  assert.equal((await search()).success, true);
  const { denied } = await it.attempt("x", { denied: ["fetch", second.url] });
  assert.doesNotMatch(denied ?? "", /^ok/);
});

test("memory has its folder and no other; show reads and nothing more", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml": "tools: { memory: tools/probe.ts, show: tools/probe.ts }\n",
      "tools/probe.ts": ATTEMPTS,
      "data/d.txt": "d",
      "memory/m.txt": "m",
    },
  });
  // The very rights of the built-in tools, with a module that tries more than theirs do.
  const engine = findEngine();
  const tools = join(project.base, "engine-tools");
  Deno.mkdirSync(tools);
  for (const name of ["memory", "show"]) Deno.writeTextFileSync(join(tools, `${name}.ts`), ATTEMPTS);
  project.write("beeuni.yaml", "tools: { memory: beeuni:memory, show: beeuni:show }\n");
  await using server = new Listener({ answer: httpAnswer("hello") });
  await using it = new Bench(project, { engine: { ...engine, tools } });
  await it.host.ready;
  const attempts = {
    read: ["read", project.path("data/d.txt")],
    memory: ["read", project.path("memory/m.txt")],
    write: ["write", project.path("data/new.txt")],
    write_memory: ["write", project.path("memory/new.txt")],
    list: ["list", project.root],
    net: ["fetch", server.url],
    tmp: ["tmp"],
  };
  const allowed = async (name: string) => {
    const results = await it.attempt(name, attempts);
    return Object.entries(results).filter(([, result]) => result.startsWith("ok")).map(([what]) => what);
  };
  assert.deepEqual(await allowed("memory"), ["memory", "write_memory"]);
  assert.deepEqual(await allowed("show"), ["read", "memory", "list"]);
  assert.equal(server.connections, 0);
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

test("only what is asked for is loaded", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { a: tools/a.ts, b: tools/b.ts, show: beeuni:show }\n",
    "tools/a.ts": tool("return 1;"),
    "tools/b.ts": `throw new Error("imported");`,
  }, { onlyTools: ["a"] });
  const { tools, failed } = it.host.catalogue();
  assert.deepEqual([tools.map(({ name }) => name), failed], [["a"], []]);
  assert.equal(await it.call("a"), 1);
});
