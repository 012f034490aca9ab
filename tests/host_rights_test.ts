import assert from "node:assert/strict";
import { join } from "node:path";
import { findEngine } from "../src/engine/engine.ts";
import { ATTEMPTS, Bench, bench, containerEnv, test, tool } from "./support/host_bench.ts";
import { httpAnswer, Listener } from "./support/listener.ts";
import { Project } from "./support/project.ts";

// What each tool may, by its settings and its name: real processes.

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
