import assert from "node:assert/strict";
import { BUN_MODULE_NAMES } from "../src/host/bun/module_names.ts";
import { BunBench } from "./support/bun_bench.ts";

// The Bun interfaces (specification 2.8) in real Deno processes with the flags of 2.3. The bench stands in for the
// bootstrap: it does what is said of `installBun` and no more.

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

let bench: BunBench;
Deno.test.beforeAll(() => {
  bench = new BunBench();
});
Deno.test.afterAll(() => bench[Symbol.dispose]());

Deno.test({
  name: "modules for Bun import each other as Bun allows it",
  ...LENIENT,
  async fn() {
    const { answers: [imports, trace] } = await bench.run("imports.ts", [["default"], ["trace"]], {
      env: { NAME: "value" },
    });
    assert.deepEqual(imports?.value, {
      word: "extension-less",
      written: ".js for .ts",
      view: "tsx",
      mts: "mts",
      common: "cjs",
      typed: "cts",
      config: "two extensions",
      both: "the file that is there",
      folder: "an index file",
      slash: "an index file",
      data: { n: 1, list: [true, null], "not a name": 2, default: 3 },
      n: 1,
      list: [true, null],
      noExtension: { from: "settings.json" },
      commented: { url: "http://x//y", list: [1, 2] },
      pkg: "bun-tools",
      odd: ["__proto__", "class", "\u2028"],
      bom: { bom: true },
      withAttribute: { n: 1, list: [true, null], "not a name": 2, default: 3 },
      note: "a text file with `ticks` and ${holes}\n",
      prompt: "# A prompt\n",
      page: "<p>\n",
      picture: true,
      shape: { sides: 3 },
      here: ["tools/lib", "tools/lib/here.ts", "here.ts", "value"],
    });
    assert.equal(trace?.value, "imports.ts:41:11)");
  },
});

Deno.test({
  name: "late imports work as static ones",
  ...LENIENT,
  async fn() {
    const specifiers = [
      "./lib/word",
      "./lib/word.js",
      "./lib/data",
      "./lib/note.txt",
      ".",
      "./lib/folder/../folder",
    ];
    const { answers } = await bench.run("imports.ts", specifiers.map((specifier) => ["late", specifier]));
    assert.deepEqual(answers.map(({ value, error }) => value ?? error), [
      ["word"],
      ["word"],
      { n: 1, list: [true, null], "not a name": 2, default: 3 },
      "a text file with `ticks` and ${holes}\n",
      "the index beside the tools",
      "an index file",
    ]);
  },
});

Deno.test({
  name: "an import that fails says why",
  ...LENIENT,
  async fn() {
    const tools = `file://${bench.project}/tools`;
    const reasons: [string, string][] = [
      ["sqlite.ts", "bun:sqlite is not available in this runtime: use node:sqlite"],
      ["ffi.ts", "bun:ffi is not available in this runtime: use node:child_process"],
      ["test_runner.ts", "bun:test is not available in this runtime: use node:test"],
      ["jsc.ts", "bun:jsc is not available in this runtime: use node:v8"],
      ["unknown_scheme.ts", "bun:whatever is not available in this runtime: use a node: module"],
      [
        "toml.ts",
        `${tools}/lib/table.toml can't be imported in this runtime: import it with { type: "text" } and parse it`,
      ],
      [
        "broken_json.ts",
        `${tools}/lib/broken.json is not valid JSON: Unexpected token '}', "{ "a": }" is not valid JSON`,
      ],
    ];
    const failures = await bench.load(reasons.map(([module]) => module));
    assert.deepEqual(failures, reasons.map(([, reason]) => reason));
    const [missing] = await bench.load(["missing.ts"]);
    assert.match(missing ?? "", /^Module not found "file:\/\/.*\/tools\/lib\/nowhere"/);
  },
});

Deno.test({
  name: "the import map alone makes bun: modules fail with the reason",
  ...LENIENT,
  async fn() {
    const reason = await bench.withoutHooks(`import { Database } from "bun:sqlite"; console.log(Database)`);
    assert.match(reason, /bun:sqlite is not available in this runtime: use node:sqlite/);
    const ffi = await bench.withoutHooks(
      `import { dlopen, suffix } from "bun:ffi"; console.log(dlopen, suffix)`,
    );
    assert.match(ffi, /bun:ffi is not available in this runtime: use node:child_process/);
  },
});

Deno.test({
  name: "bun is the Bun global, whole, by name, required, and from packages",
  ...LENIENT,
  async fn() {
    const { answers: [same, names, scheme] } = await bench.run("bun_module.ts", [["default"], ["names"], [
      "requireScheme",
    ]]);
    assert.deepEqual(same?.value, [
      true,
      true,
      true,
      true,
      true,
      true,
      "function",
      "function",
      "object",
      "function",
    ]);
    assert.deepEqual(names?.value, [...BUN_MODULE_NAMES, "default"].sort());
    assert.equal(scheme?.value, "bun:sqlite is not available in this runtime: use node:sqlite");
    const packages = await bench.run("packages.ts", [["default"]]);
    assert.deepEqual(packages.answers[0]?.value, [["&lt;", true], ["&gt;", true]], String(packages.failed));
  },
});

Deno.test({
  name: "what Bun's module has and this runtime does not throws what to use",
  ...LENIENT,
  async fn() {
    const { answers } = await bench.run("bun_module.ts", [["unavailable"], ["harmless"], ["properties"]], {
      env: { A: "1" },
    });
    const [unavailable, harmless, properties] = answers.map(({ value }) => value);
    assert.ok(Array.isArray(unavailable) && unavailable.length > 80);
    for (const message of unavailable) {
      assert.match(String(message), /^Bun\.[\w$]+ is not available in this runtime: use \S/);
    }
    assert.deepEqual(harmless, [
      "[object Bun]",
      "object",
      true,
      '{"redis":{}}',
      "Bun.Transpiler is not available in this runtime: use stripTypeScriptTypes from node:module",
      "Bun.Cookie is not available in this runtime: use the Set-Cookie header of a Response",
      "Bun.YAML is not available in this runtime: use a YAML package installed beside the module",
      "Bun.sql is not available in this runtime: use node:sqlite, or a database package installed beside the module",
      "Cannot assign to read only property 'version' of object '#<Object>'",
      true,
    ]);
    assert.deepEqual(properties, ["1.4.4", "", ["bun"], [], true, { A: "1" }]);
  },
});

const PROGRAMS = ["echo", "cat", "sh", "sleep", "yes", "env", "pwd", "wc", "nosuch-program"];

Deno.test({
  name: "Bun.spawn runs what is granted",
  ...LENIENT,
  async fn() {
    const calls = ["basic", "inputs", "outputs", "ends", "environment", "wrong"].map((name) => [name]);
    const { answers, failed } = await bench.run("programs.ts", calls, {
      run: PROGRAMS,
      env: { OWN: "tool" },
      runnerEnv: { RUNNER: "yes", HOME: "/home/runner" },
    });
    assert.equal(failed, undefined);
    const [basic, inputs, outputs, ends, environment, wrong] = answers.map(({ value, error }) =>
      value ?? error
    );
    assert.deepEqual(basic, ["hi\n", 0, 0, null, false, "number", true, true]);
    assert.deepEqual(inputs, ["blob", "bytes", "response", "request", "stream", "# A prompt\n", [
      3,
      3,
      0,
      "abc",
    ]]);
    assert.deepEqual(outputs, ["file\n", "err\n", true, true]);
    assert.deepEqual(ends, [
      ...[
        3,
        [3, 3, null, null],
        143,
        null,
        "SIGTERM",
        true,
        137,
        "SIGKILL",
        143,
        "SIGTERM",
        "SIGTERM",
        143,
        true,
      ],
    ]);
    // the runner's own variables, with the tool's or the given ones over them
    assert.deepEqual(environment, [
      ["HOME=/home/runner", "OWN=tool", "RUNNER=yes"],
      ["GIVEN=1", "HOME=/home/runner", "RUNNER=yes"],
      ["GIVEN=2", "HOME=/home/runner", "RUNNER=yes"],
      "/\n",
    ]);
    const messages = [
      /^cmd must not be empty$/,
      /^cmd must be an array$/,
      /^Executable not found in \$PATH: "nosuch-program"$/,
      /^Executable not found in \$PATH: "nosuch-program"$/,
      /^ENOENT: no such file or directory, posix_spawn 'pwd' \(no such folder: \/nowhere\)$/,
      /^stdio must be an array of/,
      /file descriptors are not available/,
      /^Bun\.spawn with the option "ipc" is not available in this runtime: use pipes$/,
      /aborted/,
      /^Bun\.spawnSync takes its input as bytes or as a Bun\.file in this runtime/,
    ];
    assert.ok(Array.isArray(wrong) && wrong.length === messages.length, String(wrong));
    messages.forEach((message, index) => assert.match(String(wrong[index]), message));
  },
});

Deno.test({
  name: "Bun.spawnSync runs what is granted",
  ...LENIENT,
  async fn() {
    const { answers: [sync] } = await bench.run("programs.ts", [["sync"]], { run: PROGRAMS });
    assert.deepEqual(sync?.value, [
      ...["a\n", "b\n", 2, false, "in", "# A prompt\n", null, "SIGTERM", true, "SIGTERM", true],
      ...[null, "SIGKILL", true, true],
    ], String(sync?.error));
    assert.equal(Deno.readTextFileSync(`${bench.project}/sync.txt`), "to a file\n");
  },
});

Deno.test({
  name: "Bun.$ runs in the sandbox, with the tool's rights",
  ...LENIENT,
  async fn() {
    const outside = `${bench.project}-outside`;
    const calls = [["shell"], ["shellFails"], ["shellOutside", outside], ["shellUngranted"], ["found"]];
    const { answers } = await bench.run("programs.ts", calls, { run: PROGRAMS, env: { OWN: "tool" } });
    const [shell, fails, out, ungranted, found] = answers;
    assert.deepEqual(shell?.value, [
      "a b; id\n",
      "2\n",
      `${bench.project}\n`,
      "tool\n",
      4,
      "# A prompt\n",
      "file\n",
      "copy.md\n",
      `${bench.tmp}\n`,
    ], String(shell?.error));
    assert.deepEqual(
      [fails?.error, fails?.name, fails?.exitCode, fails?.stdout, fails?.stderr],
      ["Failed with exit code 7", "ShellError", 7, "out\n", "err\n"],
    );
    assert.match(out?.error ?? "", /^Requires write access to ".*-outside"/);
    assert.match(ungranted?.error ?? "", /^Requires run access to "ls"/);
    assert.deepEqual(found?.value, [null, null, null]);
  },
});

Deno.test({
  name: "without a right to run, programs name the setting",
  ...LENIENT,
  async fn() {
    const calls = [["refused", "spawn", ["git"]], ["refused", "spawnSync", ["git"]], ["refused", "$", []]];
    const { answers } = await bench.run("programs.ts", calls);
    assert.deepEqual(answers.map(({ error }) => error), [
      'lookup may not run "git": add it under tool_settings.lookup.permissions.run',
      'lookup may not run "git": add it under tool_settings.lookup.permissions.run',
      "lookup may not run programs: add what it needs under tool_settings.lookup.permissions.run",
    ]);
    const granted = await bench.run("programs.ts", calls.slice(0, 2), { run: ["echo"] });
    for (const { error } of granted.answers) assert.match(error ?? "", /^Requires run access to "git"/);
  },
});
