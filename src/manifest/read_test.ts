import assert from "node:assert/strict";
import { agentMayUse } from "../agents/may_use.ts";
import { decidePermission } from "../agents/permission.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Manifest } from "./model.ts";
import { readManifest } from "./read.ts";
import { requireComplete } from "./require_complete.ts";
import { TempProject, type TempProjectFiles } from "./testing/temp_project.ts";

function read(manifest: string | Uint8Array, files: TempProjectFiles = {}): Manifest {
  using project = new TempProject({ "beeuni.yaml": manifest, ...files });
  return readManifest({ project: project.root });
}

/** `severity FILE:LINE:COL path: message` of each issue. */
function issuesOf(manifest: Manifest): string[] {
  return manifest.issues.map(({ severity, file, line, column, path, message }) =>
    `${severity} ${file}:${line}:${column} ${path}: ${message}`
  );
}

/** `name kind source` of each tool. */
function toolsOf({ tools }: Manifest): string[] {
  return tools.map(({ name, kind, source }) => `${name} ${kind} ${source}`);
}

const NO_BEEUNI_TOOL =
  "Sessions of this project get no Beeuni tool (web_search, image_search, scrape_webpage, memory, show). " +
  "Add `<name>: beeuni:<name>` to keep one.";

Deno.test("selection: no tools key gives all five, without a place", () => {
  for (const text of ["", "agents: {beeuni: {}}\n", "tool_settings: {show: {timeout: 5s}}\n"]) {
    const manifest = read(text);
    assert.equal(manifest.toolsKey, false);
    assert.deepEqual(manifest.tools, [
      { name: "web_search", kind: "beeuni", source: "beeuni:web_search" },
      { name: "image_search", kind: "beeuni", source: "beeuni:image_search" },
      { name: "scrape_webpage", kind: "beeuni", source: "beeuni:scrape_webpage" },
      { name: "memory", kind: "beeuni", source: "beeuni:memory" },
      { name: "show", kind: "beeuni", source: "beeuni:show" },
    ]);
    assert.deepEqual([manifest.removed, manifest.issues], [[], []]);
  }
});

Deno.test("selection: a tools key, even empty or in an imported file, gives only what it lists", () => {
  const all = ["web_search", "image_search", "scrape_webpage", "memory", "show"];
  for (const text of ["tools:\n", "tools: {}\n", "tools:\n  # show: beeuni:show\n", "tools: null\n"]) {
    const manifest = read(text);
    assert.deepEqual([manifest.toolsKey, manifest.tools, manifest.removed], [true, [], all], text);
    assert.deepEqual(issuesOf(manifest), [`warning beeuni.yaml:1:1 tools: ${NO_BEEUNI_TOOL}`]);
  }
  const imported = read("imports: [a.yaml]\n", { "a.yaml": "\ntools:\n" });
  assert.deepEqual([imported.toolsKey, imported.tools, imported.removed], [true, [], all]);
  assert.deepEqual(issuesOf(imported), [`warning a.yaml:2:1 tools: ${NO_BEEUNI_TOOL}`]);
});

Deno.test("selection: registry order, then file order, root file first", () => {
  const manifest = read(
    "imports: [b.yaml, a.yaml]\ntools:\n  zeta: ./tools//z.ts\n  show: beeuni:show\n  web_search: tools/z.ts\n",
    {
      "a.yaml": "tools:\n  alpha: tools/z.ts\n  memory: beeuni:memory\n",
      "b.yaml": "tools:\n  beta: tools/z.ts\n",
      "tools/z.ts": "",
    },
  );
  assert.deepEqual(toolsOf(manifest), [
    "web_search beeuni (overridden) tools/z.ts",
    "memory beeuni beeuni:memory",
    "show beeuni beeuni:show",
    "zeta project tools/z.ts",
    "beta project tools/z.ts",
    "alpha project tools/z.ts",
  ]);
  assert.deepEqual(manifest.removed, ["image_search", "scrape_webpage"]);
  assert.deepEqual(manifest.files, ["beeuni.yaml", "b.yaml", "a.yaml"]);
  assert.deepEqual(manifest.tools.map(({ position }) => position), [
    { file: "beeuni.yaml", line: 5, column: 3 },
    { file: "a.yaml", line: 3, column: 3 },
    { file: "beeuni.yaml", line: 4, column: 3 },
    { file: "beeuni.yaml", line: 3, column: 3 },
    { file: "b.yaml", line: 2, column: 3 },
    { file: "a.yaml", line: 2, column: 3 },
  ]);
  assert.deepEqual(manifest.issues, []);
});

Deno.test("a project with tools of its own and no Beeuni tool is warned", () => {
  const manifest = read("a: 1\ntools:\n  x: x.ts\n", { "x.ts": "" });
  assert.deepEqual(issuesOf(manifest), [`warning beeuni.yaml:2:1 tools: ${NO_BEEUNI_TOOL}`]);
  // an override, and a broken line, list one
  assert.deepEqual(issuesOf(read("tools:\n  show: x.ts\n", { "x.ts": "" })), []);
  assert.equal(read("tools:\n  show: 5\n").issues.filter(({ code }) => code === "no_beeuni_tool").length, 0);
});

Deno.test("a broken entry costs one entry", () => {
  const manifest = read(
    [
      "tools:",
      "  web_search: beeuni:image_search",
      "  show: beeuni:show",
      "  gone: tools/gone.ts",
      "  folder: tools/folder.ts",
      "  bash: tools/x.ts",
      "  5: tools/x.ts",
      "  good: tools/x.ts",
      "  twice: tools/x.ts",
      "  twice: tools/x.ts",
      "  fifth: tools/x.ts/y.ts",
    ].join("\n"),
    { "tools/x.ts": "", "tools/folder.ts/x": "" },
  );
  assert.deepEqual(toolsOf(manifest), ["show beeuni beeuni:show", "good project tools/x.ts"]);
  assert.deepEqual(
    manifest.removed,
    ["image_search", "scrape_webpage", "memory"],
    "a broken override is not removed",
  );
  assert.deepEqual(manifest.broken.map(({ name, source, error }) => [name, source, error]), [
    [
      "web_search",
      "beeuni:image_search",
      "must be `beeuni:web_search` (the Beeuni tool) or a repo-relative path to a .ts or .js module " +
      "(e.g. `tools/web_search.ts`) that replaces it.",
    ],
    ["gone", "tools/gone.ts", '"tools/gone.ts" does not exist in the project files.'],
    ["folder", "tools/folder.ts", '"tools/folder.ts" is a directory: name the module\'s file.'],
    ["bash", "tools/x.ts", '"bash" is a harness tool: give this tool another name.'],
    [
      "5",
      "tools/x.ts",
      '"5" is not a tool name: use snake_case with at most 64 characters (^[a-z][a-z0-9_]{0,63}$).',
    ],
    ["twice", "", '"twice" stands twice, on line 9 and line 10: remove one.'],
    ["fifth", "tools/x.ts/y.ts", '"tools/x.ts/y.ts" does not exist in the project files.'],
  ]);
  assert.ok(!manifest.incomplete);
});

Deno.test("a name in two files costs that name", () => {
  const manifest = read("imports: [a.yaml]\ntools:\n  x: x.ts\n  y: x.ts\n", {
    "x.ts": "",
    "a.yaml": "tools:\n  x: x.ts\n",
  });
  assert.deepEqual(toolsOf(manifest), ["y project x.ts"]);
  assert.deepEqual(manifest.broken, [{
    name: "x",
    source: "x.ts",
    error: '"x" is declared in beeuni.yaml:3 and in a.yaml:2: remove one.',
  }]);
});

Deno.test("L8: a module reached through a link that leaves the project is refused", () => {
  const leaves = (path: string) => `"${path}" is reached through a symlink that leaves the repository.`;
  const manifest = read(
    "tools:\n  link: tools/link.ts\n  way: way/x.ts\n  inner: tools/inner.ts\n  round: tools/round.ts\n  gone: tools/gone.ts\n",
    {
      "../x.ts": "",
      "tools/x.ts": "",
      "tools/link.ts": { link: "../../x.ts" },
      "tools/inner.ts": { link: "x.ts" },
      "tools/round.ts": { link: "round.ts" },
      "tools/gone.ts": { link: "nothing.ts" },
      "way": { link: ".." },
    },
  );
  assert.deepEqual(manifest.broken.map(({ name, error }) => [name, error]), [
    ["link", leaves("tools/link.ts")],
    ["way", leaves("way/x.ts")],
    ["round", '"tools/round.ts" does not exist in the project files.'],
    ["gone", '"tools/gone.ts" does not exist in the project files.'],
  ]);
  assert.deepEqual(manifest.issues.filter(({ code }) => code === "module_symlink").map(({ path }) => path), [
    "tools.link",
    "tools.way",
  ]);
  assert.deepEqual(toolsOf(manifest), ["inner project tools/inner.ts"]);
});

Deno.test("L9: the project folder itself may be reached through a link", () => {
  using project = new TempProject({
    "beeuni.yaml": "imports: [a.yaml]\n",
    "a.yaml": "tools:\n  show: beeuni:show\n  x: tools/x.ts\n",
    "tools/x.ts": "",
    "../link": { link: "project" },
  });
  const manifest = readManifest({ project: project.path("../link") });
  assert.equal(manifest.root, project.path("../link"));
  assert.equal(manifest.file, `${project.path("../link")}/beeuni.yaml`);
  assert.deepEqual([toolsOf(manifest), manifest.issues], [
    ["show beeuni beeuni:show", "x project tools/x.ts"],
    [],
  ]);
});

Deno.test("M1: CRLF, BOM, quotes and flow style read the same, with the same lines", () => {
  const text =
    "agents:\n  a:\n    tools: none\ntools:\n  \"web_search\": 'tools/x.ts' # mine\n  gone: tools/gone.ts";
  const plain = read(text, { "tools/x.ts": "" });
  for (
    const variant of [text.replaceAll("\n", "\r\n"), `\ufeff${text}`, `${text}\n`, `--- # x\n${text}\n...\n`]
  ) {
    const { issues, tools } = read(variant, { "tools/x.ts": "" });
    const shift = variant.startsWith("---") ? 1 : 0;
    assert.deepEqual(issues, plain.issues.map((issue) => ({ ...issue, line: issue.line + shift })));
    assert.deepEqual(
      tools.map(({ position: _, ...tool }) => tool),
      plain.tools.map(({ position: _, ...tool }) => tool),
    );
  }
  const flow = read("tools: {web_search: beeuni:web_search, memory: beeuni:memory}\n");
  assert.deepEqual(toolsOf(flow), ["web_search beeuni beeuni:web_search", "memory beeuni beeuni:memory"]);
});

Deno.test("M2: an alias is read as what it stands for; a merge key is refused", () => {
  const alias = read("x: &t\n  show: beeuni:show\ntools: *t\n");
  assert.deepEqual([toolsOf(alias), alias.issues], [["show beeuni beeuni:show"], []]);
  const merge = read("x: &t\n  show: beeuni:show\ntools:\n  <<: *t\n  memory: beeuni:memory\n");
  assert.deepEqual(toolsOf(merge), ["memory beeuni beeuni:memory"]);
  assert.deepEqual(issuesOf(merge), [
    "error beeuni.yaml:4:3 tools.<<: YAML 1.2 has no merge key (`<<`): write the entries out.",
  ]);
});

Deno.test("M3: odd keys are names as written, and the name rule decides", () => {
  const keys = ["1", "null", "0x10", "no", "on", "true", "__proto__", "constructor"];
  const manifest = read(`tools:\n${keys.map((key) => `  ${key}: x.ts\n`).join("")}`, { "x.ts": "" });
  assert.deepEqual(manifest.tools.map(({ name }) => name), ["null", "no", "on", "true", "constructor"]);
  assert.deepEqual(manifest.broken.map(({ name }) => name), ["1", "0x10", "__proto__"]);
  const agents = read("agents:\n  __proto__: {tools: none}\n  constructor: {secrets: [A]}\n").agents;
  assert.deepEqual([...agents.keys()], ["__proto__", "constructor"]);
});

Deno.test("M4: a file that can't be read as a manifest is one error with a place, and nothing is allowed", () => {
  const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= 9; level++) {
    bomb.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`);
  }
  const cases: [what: string, content: string | Uint8Array, code: string, line: number][] = [
    ["two documents", "a: b\n---\ntools:\n", "several_documents", 2],
    ["an alias bomb", bomb.join("\n"), "alias_bomb", 5],
    ["10,000 levels", `tools: ${"[".repeat(10_000)}${"]".repeat(10_000)}`, "too_deep", 1],
    ["20 MB", new Uint8Array(20 * 1024 * 1024).fill(0x0a), "file_too_large", 1],
    ["invalid UTF-8", new Uint8Array([0x61, 0x3a, 0x0a, 0xff]), "not_utf8", 2],
    ["NUL", "a: b\n\0", "control_character", 2],
    ["a syntax error", "a: b\ntools: [\n", "syntax", 2],
    ["a list", "- tools\n", "not_a_map", 1],
    ["tools twice", "tools:\n\ntools:\n", "duplicate_key", 3],
    ["tools as a list", "tools: [show]\n", "tools_type", 1],
    ["agents as a list", "agents: [beeuni]\n", "agents_type", 1],
    ["settings as text", "tool_settings: x\n", "settings_type", 1],
    ["a merge key", "x: &x {tools: {}}\n<<: *x\n", "merge_key", 2],
  ];
  for (const [what, content, code, line] of cases) {
    const manifest = read(content);
    assert.deepEqual(manifest.issues.map((issue) => [issue.code, issue.line]), [[code, line]], what);
    assert.deepEqual([manifest.incomplete, manifest.tools, manifest.agents.size], [true, [], 0], what);
    assert.equal(agentMayUse(manifest, "beeuni", "bash", "standard"), false, what);
    assert.throws(() => requireComplete(manifest), (error) => {
      assert.ok(error instanceof BeeuniError && error.code === "manifest_invalid" && error.exitCode === 1);
      assert.ok(error.message.startsWith(`beeuni.yaml can't be used: beeuni.yaml:${line}:`), error.message);
      return true;
    });
  }
});

Deno.test("tool_settings: read into milliseconds; an error in them costs the tool", () => {
  const manifest = read(
    [
      "tools:",
      "  show: beeuni:show",
      "  a: x.ts",
      "  b: x.ts",
      "  c: x.ts",
      "tool_settings:",
      "  show: {timeout: 1m}",
      "  a: {timeout: 1500ms, fresh: true, permissions: {net: [a.example.com], read: false, write: [out], run: [git]}}",
      "  b: {permissions: {ffi: true}}",
      "  c: {permissions: {net: ['127.0.0.1:9229']}}",
      "  d: {fresh: true}",
      "  memry: {fresh: true}",
      "  shw: {fresh: true}",
    ].join("\n"),
    { "x.ts": "" },
  );
  assert.deepEqual([...manifest.settings], [
    ["show", { timeoutMs: 60_000 }],
    [
      "a",
      {
        timeoutMs: 1500,
        fresh: true,
        permissions: { net: ["a.example.com"], read: false, write: ["out"], run: ["git"] },
      },
    ],
  ]);
  assert.deepEqual(manifest.tools.map(({ name }) => name), ["show", "a"]);
  assert.deepEqual(manifest.broken.map(({ name, error }) => `${name}: ${error}`), [
    'b: tool_settings.b.permissions.ffi: "ffi" is not a permission. Known are net, read, write, run, env, sys.',
    'c: tool_settings.c.permissions.net.0: "127.0.0.1:9229" can\'t be granted: no tool may reach this address.',
  ]);
  assert.deepEqual(issuesOf(manifest).slice(2), [
    'error beeuni.yaml:11:3 tool_settings.d: "d" is not declared under `tools`. Did you mean "a"?',
    'error beeuni.yaml:12:3 tool_settings.memry: "memry" is not declared under `tools`.',
    'error beeuni.yaml:13:3 tool_settings.shw: "shw" is not declared under `tools`. Did you mean "show"?',
  ]);
});

Deno.test("tool_settings: without a tools key the five Beeuni tools are declared", () => {
  assert.deepEqual(read("tool_settings: {memory: {fresh: true}}\n").issues, []);
  const manifest = read("tool_settings: {memory: {fresh: 1}}\n");
  assert.deepEqual(manifest.broken.map(({ name, source }) => [name, source]), [["memory", "beeuni:memory"]]);
  assert.equal(manifest.tools.length, 4);
  assert.deepEqual(issuesOf(read("tools: {show: beeuni:show}\ntool_settings: {memory: {fresh: true}}\n")), [
    'error beeuni.yaml:2:17 tool_settings.memory: "memory" is not declared under `tools`.',
  ]);
});

Deno.test("agents: none declared gives the implied one; what is wrong closes", () => {
  for (const text of ["", "agents:\n", "agents: {}\n"]) {
    const { agents, agentsDeclared } = read(text);
    assert.equal(agentsDeclared, false);
    assert.deepEqual([...agents.values()], [{
      name: "beeuni",
      tools: { entries: new Map(), otherwise: true },
      secrets: "all",
    }]);
  }
  const manifest = read(
    [
      "agents:",
      "  plain:",
      "  full: {tools: [show], secrets: [A, B], model: p/m, prompt: x, description: y, mode: subagent}",
      "  bad_tools: {tools: 5, secrets: all}",
      "  bad_secrets: {secrets: [low]}",
      "  not_a_map: 5",
      "  twice: {tools: all}",
      "  twice: {tools: all}",
      "  merged: {<<: {tools: none}}",
      "  a/b: {}",
    ].join("\n"),
  );
  const of = (name: string) => manifest.agents.get(name);
  assert.deepEqual([...manifest.agents.keys()], [
    "plain",
    "full",
    "bad_tools",
    "bad_secrets",
    "not_a_map",
    "twice",
  ]);
  assert.deepEqual(of("plain"), {
    name: "plain",
    position: { file: "beeuni.yaml", line: 2, column: 3 },
    tools: { entries: new Map(), otherwise: true },
    secrets: "none",
  });
  assert.deepEqual(of("full"), {
    name: "full",
    position: { file: "beeuni.yaml", line: 3, column: 3 },
    tools: { entries: new Map([["show", true]]), otherwise: false },
    secrets: ["A", "B"],
    secretPositions: [{ file: "beeuni.yaml", line: 3, column: 35 }, {
      file: "beeuni.yaml",
      line: 3,
      column: 38,
    }],
    model: "p/m",
    prompt: "x",
    description: "y",
    mode: "subagent",
  });
  const closed = { entries: new Map(), otherwise: false };
  assert.deepEqual([of("bad_tools")?.tools, of("bad_tools")?.secrets], [closed, "all"]);
  assert.deepEqual(of("bad_secrets")?.secrets, "none");
  assert.deepEqual([of("not_a_map")?.tools, of("not_a_map")?.secrets], [closed, "none"]);
  assert.deepEqual([of("twice")?.tools, of("twice")?.secrets], [closed, "none"]);
});

Deno.test("an agent's permission, model and mode: what is wrong says so, and a broken rule denies", () => {
  const one = "or a map from tools to one of them (e.g. `bash: ask`).";
  const rule = 'must be allow, ask or deny, or a map from patterns to one of them (e.g. `"git *": allow`).';
  const noTool = "is not a harness, Beeuni or project tool.";
  const nothing = "A rule for an unknown name decides nothing.";
  const cases: [agent: string, issue: string | undefined][] = [
    ["permission: deny", undefined],
    ["permission: {}", undefined],
    [
      'permission: {"*": ask, bash: {"git *": allow, "*": ask}, edit: deny, own: ask, pty_x: deny}',
      undefined,
    ],
    [
      'permission: {bash: {"git commit -m \\"a\\nb\\"": deny}, external_directory: {"/tmp/*": allow}}',
      undefined,
    ],
    [
      "permission: alow",
      `error 5:17 permission: must be allow, ask or deny for every call, ${one} Did you mean "allow"?`,
    ],
    ["permission: [bash]", `error 5:17 permission: must be allow, ask or deny for every call, ${one}`],
    ["permission: true", `error 5:17 permission: must be allow, ask or deny for every call, ${one}`],
    ["permission:", `error 5:5 permission: must be allow, ask or deny for every call, ${one}`],
    ["permission: {bash: denny}", `error 5:24 permission.bash: ${rule} Did you mean "deny"?`],
    ["permission: {bash: false}", `error 5:24 permission.bash: ${rule}`],
    ["permission: {bash: [git]}", `error 5:24 permission.bash: ${rule}`],
    [
      'permission: {bash: {"git *": Ask}}',
      'error 5:34 permission.bash.git *: must be allow, ask or deny. Did you mean "ask"?',
    ],
    [
      'permission: {bash: {"git *": {x: allow}}}',
      "error 5:34 permission.bash.git *: must be allow, ask or deny.",
    ],
    [
      'permission: {bash: {"": allow}}',
      "error 5:25 permission.bash.: must be a pattern: text, with `*` for any text in it.",
    ],
    [
      'permission: {"web*": deny}',
      'error 5:18 permission.web*: "web*" is not the name of a tool: write `*` for every tool, or the name of one.',
    ],
    [
      "permission: {<<: {bash: deny}}",
      "error 5:18 permission.<<: YAML 1.2 has no merge key (`<<`): write the entries out.",
    ],
    ["permission: {bash: ask, bash: allow}", "error 5:29 permission.bash: the key stands twice"],
    [
      "permission: {bassh: deny}",
      `warning 5:18 permission.bassh: "bassh" ${noTool} Did you mean "bash"? ${nothing}`,
    ],
    ["permission: {xyzxyz: deny}", `warning 5:18 permission.xyzxyz: "xyzxyz" ${noTool} ${nothing}`],
    [
      "permission: {constructor: deny}",
      `warning 5:18 permission.constructor: "constructor" ${noTool} ${nothing}`,
    ],
    [
      'permission: {own: {Berlin: deny, "*": ask}}',
      'warning 5:24 permission.own.Berlin: A call of "own" has nothing to compare "Berlin" with: only the pattern `*` decides about it.',
    ],
    [
      "permission: {show: {x: deny}}",
      'warning 5:25 permission.show.x: A call of "show" has nothing to compare "x" with: only the pattern `*` decides about it.',
    ],
    [
      "permissions: {bash: ask}",
      'warning 5:5 permissions: "permissions" is not a known key and is ignored. Did you mean "permission"?',
    ],
    ["model: openai/gpt-5.1", undefined],
    ["model: openrouter/meta/llama", undefined],
    ["model: gpt-5.1", "error 5:12 model: must be `<provider>/<model>` (e.g. `openai/gpt-5.1`)."],
    ["model: openai/", "error 5:12 model: must be `<provider>/<model>` (e.g. `openai/gpt-5.1`)."],
    ["model: /x", "error 5:12 model: must be `<provider>/<model>` (e.g. `openai/gpt-5.1`)."],
    ["model: 5", "error 5:12 model: must be text."],
    ["mode: primary", undefined],
    ["mode: sub-agent", 'error 5:11 mode: must be primary, subagent or all. Did you mean "subagent"?'],
    ["mode: everyone", "error 5:11 mode: must be primary, subagent or all."],
    ["mode: [all]", "error 5:11 mode: must be text."],
    ["prompt: Be brief.", undefined],
    ["prompt: [x]", "error 5:13 prompt: must be text."],
  ];
  for (const [agent, expected] of cases) {
    const manifest = read(`tools:\n  own: x.ts\nagents:\n  a:\n    ${agent}\n`, { "x.ts": "" });
    const issues = issuesOf(manifest).filter((issue) => issue.includes("agents.a"))
      .map((issue) => issue.replace("beeuni.yaml:", "").replace("agents.a.", ""));
    if (expected === undefined) assert.deepEqual(issues, [], agent);
    else if (expected.endsWith("twice")) {
      assert.match(issues.join("\n"), /^error 5:29 permission\.bash: .*twice/, agent);
    } else assert.deepEqual(issues, [expected], agent);
    const broken = expected?.startsWith("error") && agent.startsWith("permission");
    // An agent that is not there may use nothing.
    const agents = manifest.agents;
    assert.equal(
      !agents.has("a") ||
        decidePermission(agents.get("a")?.permission, "read", { filePath: "a" }, { root: "/" }) === "deny",
      broken === true || agent === "permission: deny",
      agent,
    );
  }
});

Deno.test("default_agent must be declared", () => {
  assert.equal(read("default_agent: beeuni\n").defaultAgent, "beeuni");
  assert.deepEqual(read("default_agent: beeuni\n").issues, []);
  const manifest = read("default_agent: beeuny\nagents: {beeuni: {}}\n");
  assert.equal(manifest.defaultAgent, "beeuny", "it is refused later, not replaced");
  assert.deepEqual(issuesOf(manifest), [
    'error beeuni.yaml:1:16 default_agent: "beeuny" is not declared under `agents`. Did you mean "beeuni"?',
  ]);
});

Deno.test("names in an agent's tools", () => {
  const warnings = (tools: string): string[] =>
    issuesOf(
      read(
        `tools:\n  memory: beeuni:memory\n  own: x.ts\n  broken: 5\nagents:\n  a:\n    tools: ${tools}\n`,
        { "x.ts": "" },
      ),
    )
      .filter((issue) => issue.startsWith("warning"))
      .map((issue) => issue.replace(/^warning beeuni\.yaml:\d+:\d+ agents\.a\.tools: /, ""));
  const notLoaded =
    '"show" is a Beeuni tool this project does not load: add `show: beeuni:show` under the top-level ' +
    "`tools`, or remove it here.";
  const unknown = "is not a harness, Beeuni or project tool.";
  const cases: [tools: string, expected: string[]][] = [
    ["all", []],
    ["[bash, pty_spawn, memory, own, broken, '*']", []],
    ["[show]", [notLoaded]],
    ["{exclude: [show]}", [notLoaded]],
    ["{show: false}", [notLoaded]],
    ["[bassh]", [`"bassh" ${unknown} Did you mean "bash"?`]],
    ["[memry]", [`"memry" ${unknown} Did you mean "memory"?`]],
    ["[onw, xyzxyz]", [`"onw" ${unknown}`, `"xyzxyz" ${unknown}`]],
    ["{exclude: [bassh]}", [
      `"bassh" ${unknown} Did you mean "bash"? An unknown name here leaves the real tool on.`,
    ]],
    ["{exclude: [xyzxyz]}", [`"xyzxyz" ${unknown} An unknown name here leaves the real tool on.`]],
    ["{bassh: false, '*': true}", [`"bassh" ${unknown} Did you mean "bash"?`]],
    ["[constructor, __proto__]", [`"constructor" ${unknown}`, `"__proto__" ${unknown}`]],
  ];
  for (const [tools, expected] of cases) assert.deepEqual(warnings(tools), expected, tools);
  assert.deepEqual(
    issuesOf(read("agents:\n  a:\n    tools:\n      - bash\n      - bassh\n")),
    [`warning beeuni.yaml:5:9 agents.a.tools: "bassh" ${unknown} Did you mean "bash"?`],
  );
});

Deno.test("an unknown key near a known one is a warning, any other is ignored", () => {
  const manifest = read(
    "tool: {}\nagent: {}\nx-common: 1\nfoo: 1\nagents:\n  a: {tols: none, temperature: 1}\n",
  );
  assert.deepEqual(issuesOf(manifest), [
    'warning beeuni.yaml:1:1 tool: "tool" is not a known key and is ignored. Did you mean "tools"?',
    'warning beeuni.yaml:2:1 agent: "agent" is not a known key and is ignored. Did you mean "agents"?',
    'warning beeuni.yaml:6:7 agents.a.tols: "tols" is not a known key and is ignored. Did you mean "tools"?',
  ]);
});

Deno.test("issues: errors first, then by file and place, always inside the file", () => {
  const manifest = read(
    "imports: [a.yaml]\nagents:\n  a: {tools: [bassh]}\n  b: {model: 5}\ntools:\n  show: beeuni:show\n  x: \n",
    { "a.yaml": "tool_settings:\n  y: {}\n" },
  );
  assert.deepEqual(issuesOf(manifest).map((issue) => issue.split(" ").slice(0, 3).join(" ")), [
    "error beeuni.yaml:4:14 agents.b.model:",
    "error beeuni.yaml:7:3 tools.x:",
    "error a.yaml:2:3 tool_settings.y:",
    "warning beeuni.yaml:3:15 agents.a.tools:",
  ]);
});

Deno.test("issues stay on one line and bounded, whatever the names are", () => {
  const manifest = read(
    `agents: {"a\\n\\e[31m\\u202eb": {tols: x}}\ntools: {"${"x".repeat(5000)}\\r": x.ts}\n`,
  );
  assert.equal(manifest.issues.length, 4);
  for (const { message, path } of manifest.issues) {
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(message + path, /[\x00-\x1f\x7f\u202e]/);
    assert.ok(message.length < 400 && path.length < 400);
  }
});
