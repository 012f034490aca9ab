import assert from "node:assert/strict";
import { parseSource } from "./source_file.ts";

/** `code line:column path: message` of each problem of a file, in the order of the text. */
function problemsOf(text: string): string[] {
  const { problems, lines } = parseSource(new TextEncoder().encode(text), "beeuni.yaml");
  return problems.sort((a, b) => a.offset - b.offset).map(({ code, offset, segments, message }) => {
    const { line, column } = lines.at(offset);
    return `${code} ${line}:${column} ${segments.join(".")}: ${message}`;
  });
}

const NOT_A_NAME = "is not a tool name: use snake_case with at most 64 characters (^[a-z][a-z0-9_]{0,63}$).";
const MERGE = "YAML 1.2 has no merge key (`<<`): write the entries out.";
const HOST = "is not a host: write name, name:port, *.name, an IP or [ip6]:port, without scheme and path.";
const SYS =
  "hostname, osRelease, osUptime, loadavg, networkInterfaces, systemMemoryInfo, uid, gid, username, cpus, " +
  "homedir, statfs, getPriority, setPriority, userInfo.";

Deno.test("names under tools", () => {
  const cases: [key: string, problem: string | undefined][] = [
    ["a", undefined],
    ["a".repeat(64), undefined],
    ["read_it", undefined],
    ["lookup_2", undefined],
    ["a".repeat(65), `tool_name 2:3 tools.${"a".repeat(65)}: "${"a".repeat(65)}" ${NOT_A_NAME}`],
    ["Lookup", `tool_name 2:3 tools.Lookup: "Lookup" ${NOT_A_NAME}`],
    ["look-up", `tool_name 2:3 tools.look-up: "look-up" ${NOT_A_NAME}`],
    ["_a", `tool_name 2:3 tools._a: "_a" ${NOT_A_NAME}`],
    // M3: the source text decides; `null`, `no`, `on` and `true` are good names
    ["null", undefined],
    ["no", undefined],
    ["on", undefined],
    ["true", undefined],
    ["constructor", undefined],
    ["1", `tool_name 2:3 tools.1: "1" ${NOT_A_NAME}`],
    ["0x10", `tool_name 2:3 tools.0x10: "0x10" ${NOT_A_NAME}`],
    ["__proto__", `tool_name 2:3 tools.__proto__: "__proto__" ${NOT_A_NAME}`],
    ['"a\\nb"', `tool_name 2:3 tools.a\nb: "a\\nb" ${NOT_A_NAME}`],
    ["bash", 'tool_name_harness 2:3 tools.bash: "bash" is a harness tool: give this tool another name.'],
    ["lsp", 'tool_name_harness 2:3 tools.lsp: "lsp" is a harness tool: give this tool another name.'],
    ["pty_x", 'tool_name_harness 2:3 tools.pty_x: "pty_x" is a harness tool: give this tool another name.'],
    ["<<", `merge_key 2:3 tools.<<: ${MERGE}`],
  ];
  for (const [key, problem] of cases) {
    assert.deepEqual(
      problemsOf(`tools:\n  ${key}: tools/x.ts\n`),
      problem === undefined ? [] : [problem],
      key,
    );
  }
  // the key says all about its entry
  assert.deepEqual(problemsOf("tools:\n  bash: 5\n"), [
    'tool_name_harness 2:3 tools.bash: "bash" is a harness tool: give this tool another name.',
  ]);
});

Deno.test("values under tools: a module's path, or a Beeuni tool under its own name", () => {
  const start = "must be a repo-relative path to a .ts or .js module (e.g. `tools/lookup.ts`).";
  const own = " `beeuni:<name>` names a Beeuni tool under its own name";
  const endings = "does not end in .ts, .js, .mts, .mjs, .cts, .cjs.";
  const cases: [value: string, end: string | undefined][] = [
    ["tools/lookup.ts", undefined],
    ["./tools//lookup.js", undefined],
    ["a.mts", undefined],
    ["a/b/c.mjs", undefined],
    ["'a b/ü.cts'", undefined],
    ["a..b/..c.cjs", undefined],
    ["*x", ""], // an alias without an anchor
    ["", " It is empty."],
    ["''", " It is empty."],
    ["null", " It is empty."],
    ["5", " This is a number."],
    ["true", " This is true or false."],
    ["[tools/x.ts]", " This is a list."],
    ["{path: tools/x.ts}", " This is a map."],
    ["https://example.com/x.ts", ' "https://example.com/x.ts" is a URL.'],
    ["npm:zod/x.ts", ' "npm:zod/x.ts" is a URL.'],
    ["file:///x.ts", ' "file:///x.ts" is a URL.'],
    ["C:/x.ts", ' "C:/x.ts" is a URL.'],
    ["/tools/x.ts", " It can't start with `/`."],
    ["../x.ts", " It can't contain `..`."],
    ["a/../x.ts", " It can't contain `..`."],
    ["tools\\x.ts", " Write `/` between folders."],
    ["tools/x.py", ` "tools/x.py" ${endings}`],
    ["tools/x.TS", ` "tools/x.TS" ${endings}`],
    ["tools/x.ts/", ` "tools/x.ts/" ${endings}`],
    ["tools/x.d", ` "tools/x.d" ${endings}`],
    [".ts", ""],
    ["tools/.ts", ""],
    ['"tools/\\x1b.ts"', ""],
    ["beeuni:lookup", `${own}.`],
    ["beeuni:web_serch", `${own}: did you mean \`web_search: beeuni:web_search\`?`],
    ["beeuni:memory", `${own}: did you mean \`memory: beeuni:memory\`?`],
    ["beeuni:show/x.ts", `${own}.`],
  ];
  for (const [value, end] of cases) {
    const expected = end === undefined || value.startsWith("*") ? [] : [start + end];
    const messages = problemsOf(`tools:\n  lookup: ${value}\n`)
      .filter((problem) => problem.startsWith("tool_value"))
      .map((problem) => problem.replace(/^tool_value 2:\d+ tools\.lookup: /, ""));
    assert.deepEqual(messages, expected, value);
  }
});

Deno.test("the required messages about beeuni:<name>", () => {
  assert.deepEqual(problemsOf("tools:\n  web_search: beeuni:image_search\n"), [
    "tool_value 2:15 tools.web_search: must be `beeuni:web_search` (the Beeuni tool) or a repo-relative path to a .ts " +
    "or .js module (e.g. `tools/web_search.ts`) that replaces it.",
  ]);
  assert.deepEqual(problemsOf("tools:\n  web_serch: beeuni:web_serch\n"), [
    "tool_value 2:14 tools.web_serch: must be a repo-relative path to a .ts or .js module (e.g. `tools/web_serch.ts`). " +
    "`beeuni:<name>` names a Beeuni tool under its own name: did you mean `web_search: beeuni:web_search`?",
  ]);
  assert.deepEqual(problemsOf("tools:\n  crm: beeuni:crm\n"), [
    "tool_value 2:8 tools.crm: must be a repo-relative path to a .ts or .js module (e.g. `tools/crm.ts`). " +
    "`beeuni:<name>` names a Beeuni tool under its own name.",
  ]);
});

Deno.test("sections, top level and imports", () => {
  const path =
    "must be a repo-relative path of a .yaml or .yml file or of a folder (e.g. `agents/support.yaml`).";
  const cases: [text: string, problems: string[]][] = [
    ["tools:\ntool_settings:\nagents:\nimports:\n", []],
    ["tools: {}\nagents: {beeuni: }\n", []],
    ["env: 5\nproject: [x]\nconnectors: x\ntriggers: 1\nx: y\nbeeuni_version: 2\n", []],
    ["<<: x\n", [`merge_key 1:1 <<: ${MERGE}`]],
    ["default_agent: [a]\n", ["default_agent 1:16 default_agent: must be the name of an agent."]],
    [
      "tools: [web_search]\n",
      ["tools_type 1:8 tools: must be a map from each tool's name to `beeuni:<name>` or to its module."],
    ],
    ["tools: 5\n", [
      "tools_type 1:8 tools: must be a map from each tool's name to `beeuni:<name>` or to its module.",
    ]],
    ["tool_settings: x\n", [
      "settings_type 1:16 tool_settings: must be a map from a tool's name to its settings.",
    ]],
    ["agents: []\n", ["agents_type 1:9 agents: must be a map from an agent's name to its settings."]],
    ["imports: a.yaml\n", [
      "import_list 1:10 imports: must be a list of repo-relative paths (e.g. `- agents/support.yaml`).",
    ]],
    ["imports: [a.yaml, parts, ./b/c.yml]\n", []],
    ["imports: [/a.yaml]\n", [`import_path 1:11 imports.0: ${path} It can't start with \`/\`.`]],
    ["imports: [../a.yaml]\n", [`import_path 1:11 imports.0: ${path} It can't contain \`..\`.`]],
    ["imports: ['parts/*.yaml']\n", [
      `import_path 1:11 imports.0: ${path} Patterns such as \`*\` are not read here.`,
    ]],
    ["imports: [https://x/a.yaml]\n", [`import_path 1:11 imports.0: ${path} "https://x/a.yaml" is a URL.`]],
    ["imports:\n  - a.yaml\n  - 5\n", [`import_path 3:5 imports.1: ${path} This is a number.`]],
    ["imports: ['']\n", [`import_path 1:11 imports.0: ${path} It is empty.`]],
  ];
  for (const [text, problems] of cases) assert.deepEqual(problemsOf(text), problems, text);
});

Deno.test("tool_settings", () => {
  const duration = "must be a duration with its unit (e.g. `30s`, `500ms`, `2m`)";
  const path = "must be a repo-relative or absolute path without `..`.";
  const cases: [settings: string, problem: string | undefined][] = [
    ["timeout: 30s", undefined],
    ["timeout: 100ms", undefined],
    ["timeout: 3600000ms", undefined],
    ["timeout: 3600s", undefined],
    ["timeout: 60m", undefined],
    ["timeout: 1h", undefined],
    ["timeout: 30", `settings_timeout timeout: ${duration}: a bare number is refused.`],
    ["timeout: '30'", `settings_timeout timeout: ${duration}, from 100ms to 1h.`],
    ["timeout: 0s", `settings_timeout timeout: ${duration}, from 100ms to 1h.`],
    ["timeout: 1.5s", `settings_timeout timeout: ${duration}, from 100ms to 1h.`],
    ["timeout: 30 s", `settings_timeout timeout: ${duration}, from 100ms to 1h.`],
    ["timeout: 1d", `settings_timeout timeout: ${duration}, from 100ms to 1h.`],
    ["timeout: ", `settings_timeout timeout: ${duration}, from 100ms to 1h.`],
    ["timeout: 99ms", "settings_timeout timeout: must be from 100ms to 1h."],
    ["timeout: 3600001ms", "settings_timeout timeout: must be from 100ms to 1h."],
    ["timeout: 3601s", "settings_timeout timeout: must be from 100ms to 1h."],
    ["timeout: 61m", "settings_timeout timeout: must be from 100ms to 1h."],
    ["timeout: 2h", "settings_timeout timeout: must be from 100ms to 1h."],
    ["timeout: 99999999999999999999s", "settings_timeout timeout: must be from 100ms to 1h."],
    ["fresh: true", undefined],
    ["fresh: yes", "settings_fresh fresh: must be true or false."],
    ["tiemout: 30s", 'settings_key tiemout: "tiemout" is not a setting. Did you mean "timeout"?'],
    ["cpu: 1", 'settings_key cpu: "cpu" is not a setting. Known are timeout, fresh, permissions.'],
    ["permissions: {}", undefined],
    [
      "permissions: all",
      "settings_permissions permissions: must be a map with `net`, `read`, `write`, `run`, `env` or `sys`.",
    ],
    [
      "permissions: {nett: true}",
      'permission_key permissions.nett: "nett" is not a permission. Did you mean "net"?',
    ],
    [
      "permissions: {ffi: true}",
      'permission_key permissions.ffi: "ffi" is not a permission. Known are net, read, write, run, env, sys.',
    ],
    [
      "permissions: {__proto__: true}",
      'permission_key permissions.__proto__: "__proto__" is not a permission. Known are net, read, write, run, env, sys.',
    ],
    ["permissions: {net: true}", undefined],
    ["permissions: {net: false}", undefined],
    ["permissions: {net: []}", undefined],
    [
      "permissions: {net: orders.example.com}",
      "permission_value permissions.net: must be a list of hosts, true or false.",
    ],
    ["permissions: {read: [data, /etc/hosts, ./x, a b]}", undefined],
    ["permissions: {read: false, write: false}", undefined],
    [
      "permissions: {read: true}",
      "permission_value permissions.read: can't be true: list the paths the tool may read.",
    ],
    [
      "permissions: {write: true}",
      "permission_value permissions.write: can't be true: list the paths the tool may write.",
    ],
    ["permissions: {read: data}", "permission_value permissions.read: must be a list of paths, or false."],
    ["permissions: {read: [a, ../b]}", `permission_value permissions.read.1: ${path}`],
    ["permissions: {write: [/a/../b]}", `permission_value permissions.write.0: ${path}`],
    ["permissions: {write: ['']}", `permission_value permissions.write.0: ${path}`],
    ["permissions: {write: ['file:///x']}", `permission_value permissions.write.0: ${path}`],
    ["permissions: {run: [git, g++, python3.12]}", undefined],
    [
      "permissions: {run: true}",
      "permission_value permissions.run: can't be true: list the programs by name.",
    ],
    ["permissions: {run: false}", "permission_value permissions.run: must be a list of programs by name."],
    [
      "permissions: {run: [/bin/git]}",
      'permission_value permissions.run.0: "/bin/git" is not the name of a program: name it without a path.',
    ],
    ["permissions: {env: [AWS_REGION, _x]}", undefined],
    ["permissions: {env: true}", "permission_value permissions.env: must be a list of names of variables."],
    [
      "permissions: {env: ['A=B']}",
      'permission_value permissions.env.0: "A=B" is not the name of a variable.',
    ],
    ["permissions: {env: ['*']}", 'permission_value permissions.env.0: "*" is not the name of a variable.'],
    ["permissions: {sys: [hostname, cpus]}", undefined],
    ["permissions: {sys: true}", `permission_value permissions.sys: must be a list of: ${SYS}`],
    [
      "permissions: {sys: [hostnam]}",
      `permission_value permissions.sys.0: "hostnam" is not known: use ${SYS}`,
    ],
  ];
  for (const [settings, problem] of cases) {
    const found = problemsOf(`tool_settings:\n  x: {${settings}}\n`)
      .map((line) => line.replace(/ 2:\d+ tool_settings\.x\./, " "));
    assert.deepEqual(found, problem === undefined ? [] : [problem], settings);
  }
  assert.deepEqual(problemsOf("tool_settings:\n  x: 30s\n"), [
    "settings_type 2:6 tool_settings.x: must be a map with `timeout`, `fresh` or `permissions`.",
  ]);
});

Deno.test("hosts of permissions.net", () => {
  const good = [
    "orders.example.com",
    "api.example.com:8443",
    "localhost",
    "localhost:1",
    "x:65535",
    "a-b_c.example",
    "EXAMPLE.com",
    "example.com.",
    "*.example.com",
    "1.2.3.4",
    "1.2.3.4:80",
    "::1",
    "2001:db8::8a2e:370:7334",
    "::ffff:1.2.3.4",
    "[::1]",
    "[fe80::1]:443",
    "1:2:3:4:5:6:7:8",
  ];
  const bad = [
    "http://example.com",
    "example.com/x",
    "example.com:0",
    "example.com:65536",
    "example.com:http",
    "user@example.com",
    "*",
    "*.",
    "a.*.example.com",
    "*.example.com:443",
    "-a.com-",
    "a..b",
    "",
    "1.2.3.256",
    "1.2.3",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::1",
    "[1.2.3.4]",
    "1:2:3",
    ":::",
    "::1:80:",
    "12345::",
    "exa mple.com",
    "bücher.example",
  ];
  const check = (host: string) =>
    problemsOf(`tool_settings: {x: {permissions: {net: [${JSON.stringify(host)}]}}}`)
      .map((problem) => problem.replace(/^\S+ \S+ \S+ /, ""));
  for (const host of good) assert.deepEqual(check(host), [], host);
  for (const host of bad) assert.deepEqual(check(host), [`${JSON.stringify(host)} ${HOST}`], host);
});

Deno.test("agents", () => {
  const forms = "must be all, none, a list of tools, `exclude: [..]`, or a map of true and false.";
  const cases: [agent: string, problems: string[]][] = [
    ["{}", []],
    ["{tools: all, secrets: all, model: a/b, prompt: x, description: y, mode: primary}", []],
    ["{tools: none, secrets: none, permission: {bash: ask}, temperature: 1}", []],
    ["{tools: [read, '*'], secrets: [A_B]}", []],
    ["{tools: {exclude: [bash]}}", []],
    ["{tools: {bash: false, '*': true, exclude: false}}", []],
    ["5", ["agents_type a: must be a map with `tools`, `secrets`, `model` and the like."]],
    ["[read]", ["agents_type a: must be a map with `tools`, `secrets`, `model` and the like."]],
    ["{tools: }", [`agent_tools a.tools: ${forms}`]],
    ["{tools: bash}", [`agent_tools a.tools: ${forms}`]],
    ["{tools: '*'}", [`agent_tools a.tools: ${forms}`]],
    ["{tools: true}", [`agent_tools a.tools: ${forms}`]],
    ["{tools: [read, 5]}", ["agent_tools a.tools.1: must be the name of a tool."]],
    ["{tools: [read, true]}", ["agent_tools a.tools.1: must be the name of a tool."]],
    ["{tools: {exclude: bash}}", ["agent_tools a.tools.exclude: must be a list of names of tools."]],
    ["{tools: {exclude: [[bash]]}}", ["agent_tools a.tools.exclude.0: must be the name of a tool."]],
    [
      "{tools: {exclude: [bash], read: false}}",
      ["agent_tools a.tools: `exclude` stands alone: list every tool to leave out below it."],
    ],
    ["{tools: {bash: no}}", [
      "agent_tools a.tools.bash: must be true or false: `bash: false` takes the tool away.",
    ]],
    ["{tools: {0: x}}", ["agent_tools a.tools.0: must be true or false: `0: false` takes the tool away."]],
    ["{tools: {<<: {bash: false}}}", [`merge_key a.tools.<<: ${MERGE}`]],
    ["{<<: {tools: none}}", [`merge_key a.<<: ${MERGE}`]],
    ["{secrets: }", ["agent_secrets a.secrets: must be all, none or a list of names of secrets."]],
    ["{secrets: A_B}", ["agent_secrets a.secrets: must be all, none or a list of names of secrets."]],
    [
      "{secrets: [lower]}",
      ['agent_secrets a.secrets.0: "lower" is not the name of a secret (^[A-Z_][A-Z0-9_]{0,63}$).'],
    ],
    ["{secrets: ['*']}", [
      'agent_secrets a.secrets.0: "*" is not the name of a secret (^[A-Z_][A-Z0-9_]{0,63}$).',
    ]],
    ["{model: 5}", ["agent_value a.model: must be text."]],
    ["{prompt: [x]}", ["agent_value a.prompt: must be text."]],
  ];
  for (const [agent, problems] of cases) {
    const found = problemsOf(`agents:\n  a: ${agent}\n`).map((line) => line.replace(/ 2:\d+ agents\./, " "));
    assert.deepEqual(found, problems, agent);
  }
  for (const name of ["../x", "a/b", "..", ".", "", "a".repeat(129)]) {
    assert.deepEqual(problemsOf(`agents: {${JSON.stringify(name)}: {}}`), [
      `agent_name 1:10 agents.${name}: ${
        name.length > 120 ? `"${name.slice(0, 120)}…"` : JSON.stringify(name)
      } is not an agent's name: use 1 to 128 characters without / and \\.`,
    ]);
  }
});

Deno.test("an alias brings its errors along", () => {
  assert.deepEqual(problemsOf("x: &t {a: b, a: c}\nagents:\n  one: {tools: *t}\n"), [
    "agent_tools 1:11 agents.one.tools.a: must be true or false: `a: false` takes the tool away.",
    'duplicate_key 1:14 x.a: "a" stands twice, on line 1 and line 1: remove one.',
  ]);
});
