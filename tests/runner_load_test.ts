import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HARNESS_TOOL_REASON } from "../src/host/runner/contract.ts";
import { startRunner } from "./support/runner_process.ts";

const HEAD = 'description: "d", parameters: { type: "object" }';
/** A tool that answers an expression, after some other lines. */
const answers = (expression: string, before = "") =>
  `${before}\nexport default { ${HEAD}, execute() { return ${expression}; } };\n`;

const FILES = {
  // packages
  "node_modules/dep/package.json": '{"name":"dep","type":"module","exports":{".":"./index.js"}}',
  "node_modules/dep/index.js":
    'import data from "./data.json" with { type: "json" }; export const dep = data.d;',
  "node_modules/dep/data.json": '{"d":1}',
  "node_modules/cjs/package.json": '{"name":"cjs"}',
  "node_modules/cjs/index.js": 'let o = "none"; try { require("optional-peer") } catch (e) { o = e.code }\n' +
    'module.exports = { inner: require("./inner"), optional: o };',
  "node_modules/cjs/inner.js": 'exports.data = require("./data.json").c;',
  "node_modules/cjs/data.json": '\ufeff{"c":2}',
  "node_modules/hungry/package.json": '{"name":"hungry","type":"module","exports":"./index.js"}',
  "node_modules/hungry/index.js": 'import "not-there";',
  // helpers
  "lib/data.json": '{"a":[1,2],"__proto__":{"x":1}}',
  "lib/text.txt": "hello",
  "lib/helper.ts": "export const h: number = 3;",
  "lib/needs_zod.ts": 'import { z } from "zod"; export { z };',
  "lib/common.js": "module.exports = 1;",
  "lib/typed.ts": "export const t: number = 4;",
  "lib/broken.json": "{a}",
  "lib/empty.wasm": new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
};

/** Modules that load, with what a call of theirs gives and the graph beside the module itself. */
const GOOD: [path: string, source: string, output: unknown, graph: string[]][] = [
  ["esm.ts", answers("h", 'import { h } from "../lib/helper.ts";'), 3, ["lib/helper.ts"]],
  ["without_extension.ts", answers("h", 'import { h } from "../lib/helper";'), 3, ["lib/helper.ts"]],
  ["js_for_ts.ts", answers("h", 'import { h } from "../lib/helper.js";'), 3, ["lib/helper.ts"]],
  [
    "data.ts",
    answers("[d.a, Object.keys(d), t]", 'import d from "../lib/data.json"; import t from "../lib/text.txt";'),
    [[1, 2], ["a", "__proto__"], "hello"],
    ["lib/data.json", "lib/text.txt"],
  ],
  [
    "data_with_attributes.ts",
    answers(
      "[d.a, t, d2.a]",
      'import d from "../lib/data.json" with { type: "json" }; import t from "../lib/text.txt" with { type: "text" };\n' +
        'import d2 from "../lib/data.json";',
    ),
    [[1, 2], "hello", [1, 2]],
    ["lib/data.json", "lib/text.txt"],
  ],
  [
    "packages.ts",
    answers("[dep, cjs]", 'import { dep } from "dep"; import cjs from "cjs";'),
    [1, { inner: { data: 2 }, optional: "MODULE_NOT_FOUND" }],
    [
      "node_modules/dep/index.js",
      "node_modules/cjs/index.js",
      "node_modules/dep/data.json",
      "node_modules/cjs/inner.js",
      "node_modules/cjs/data.json",
    ],
  ],
  [
    "common.cjs",
    `const cjs = require("cjs"); const { t } = require("../lib/typed");\n` +
    `module.exports = { ${HEAD}, execute: () => [cjs.inner.data, t, require("../lib/data.json").a[1], require("../lib/text.txt")] };`,
    [2, 4, 2, "hello"],
    [
      "node_modules/cjs/index.js",
      "node_modules/cjs/inner.js",
      "node_modules/cjs/data.json",
      "lib/typed.ts",
    ],
  ],
  [
    "compiled.cjs",
    `Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = { ${HEAD}, execute: () => "compiled" };`,
    "compiled",
    [],
  ],
  ["typed.cts", `const n: number = 5; export = { ${HEAD}, execute: () => n };`, 5, []],
  ["enum.mts", answers("[A.X, A.Y]", "enum A { X, Y }"), [0, 1], []],
  [
    "required.ts",
    answers(
      "[r('cjs').inner.data, r('../lib/helper.ts').h]",
      'import { createRequire } from "node:module"; const r = createRequire(import.meta.url);',
    ),
    [2, 3],
    [],
  ],
  ["wasm.ts", answers("Object.keys(w)", 'import * as w from "../lib/empty.wasm";'), [], ["lib/empty.wasm"]],
  [
    "types.ts",
    answers("1", 'import type { Plugin } from "@opencode-ai/plugin"; export type P = Plugin;'),
    1,
    [],
  ],
  [
    "optional.ts",
    answers("code", 'let code; try { await import("not-there" as string); } catch (e) { code = e.code; }'),
    "ERR_MODULE_NOT_FOUND",
    [],
  ],
  [
    "instance.ts",
    `class Tool { description = "d"; parameters = { type: "object" }; #n = 7; execute() { return this.#n; } }\n` +
    "export default new Tool();",
    7,
    [],
  ],
  ["bun.ts", answers("[typeof Bun, file === Bun.file]", 'import { file } from "bun";'), ["object", true], []],
  ["debug.ts", answers("[typeof d, d]", "const d = process.env.DEBUG;"), ["undefined", null], []],
];

/** Modules that don't load, and why. `<root>` stands for the project's path. */
const BROKEN: [path: string, source: string | undefined, reason: string][] = [
  ["missing.ts", undefined, "tools/missing.ts does not exist"],
  [
    "zod.ts",
    'import { z } from "zod"; export default z;',
    "Cannot find package 'zod' imported from tools/zod.ts (looked in tools/node_modules, node_modules)",
  ],
  [
    "zod_sub.ts",
    'import { z } from "zod/v4"; export default z;',
    "Cannot find package 'zod' imported from tools/zod_sub.ts (looked in tools/node_modules, node_modules)",
  ],
  [
    "scoped.ts",
    'import x from "@scope/name/sub"; export default x;',
    "Cannot find package '@scope/name' imported from tools/scoped.ts (looked in tools/node_modules, node_modules)",
  ],
  [
    "dynamic.ts",
    'const { z } = await import("zod"); export default z;',
    "Cannot find package 'zod' imported from tools/dynamic.ts (looked in tools/node_modules, node_modules)",
  ],
  [
    "computed.ts",
    'const { z } = await import("z" + "od"); export default z;',
    "Cannot find package 'zod' imported from tools/computed.ts (looked in tools/node_modules, node_modules)",
  ],
  [
    "require.cjs",
    'const z = require("zod"); module.exports = z;',
    "Cannot find package 'zod' imported from tools/require.cjs (looked in tools/node_modules, node_modules)",
  ],
  [
    "create_require.ts",
    'import { createRequire } from "node:module"; export default createRequire(import.meta.url)("zod");',
    "Cannot find package 'zod' imported from tools/create_require.ts (looked in tools/node_modules, node_modules)",
  ],
  [
    "by_helper.ts",
    'import { z } from "../lib/needs_zod.ts"; export default z;',
    "Cannot find package 'zod' imported from lib/needs_zod.ts (looked in lib/node_modules, node_modules)",
  ],
  [
    "by_package.ts",
    'import "hungry";',
    "Cannot find package 'not-there' imported from node_modules/hungry/index.js " +
    "(looked in node_modules/hungry/node_modules, node_modules)",
  ],
  ...["npm:zod", "jsr:@std/yaml", "https://example.com/x.ts", "http://example.com/x.ts"].flatMap((
    specifier,
    index,
  ): [string, string, string][] => {
    const reason = "remote imports are not available: install the package beside the module";
    return [
      [`remote_${index}.ts`, `import "${specifier}";`, reason],
      [`remote_late_${index}.ts`, `await import("${specifier}");`, reason],
    ];
  }),
  [
    "no_helper.ts",
    'import "../lib/not_there.ts";',
    "Cannot find module '../lib/not_there.ts' imported from tools/no_helper.ts",
  ],
  ["throws.ts", 'throw new Error("boom at import");', "tools/throws.ts: boom at import"],
  [
    "throws_null.ts",
    "throw null;",
    "tools/throws_null.ts: the module threw null: throw an Error with a message",
  ],
  [
    "syntax.ts",
    "const x: = 3;",
    "tools/syntax.ts: SyntaxError: Unexpected token `=`. Expected an identifier, void, yield, null, await, break, a " +
    "string literal, a numeric literal, true, false, `, -, import, this, typeof, {, [, ( at tools/syntax.ts:1:10",
  ],
  [
    "no_export.ts",
    'import { nothing } from "../lib/helper.ts"; export default nothing;',
    "tools/no_export.ts: The requested module '../lib/helper.ts' does not provide an export named 'nothing' " +
    "at tools/no_export.ts:1:10",
  ],
  [
    "common.js",
    "module.exports = {};",
    "tools/common.js: it is CommonJS (`module` is not defined in a module): rename it to .cjs or use `export default`",
  ],
  [
    "require.js",
    'const fs = require("node:fs"); exports.a = fs;',
    "tools/require.js: it is CommonJS (`require` is not defined in a module): rename it to .cjs or use `export default`",
  ],
  [
    "common_helper.ts",
    'import c from "../lib/common.js"; export default c;',
    "lib/common.js: it is CommonJS: rename it to .cjs or use `export default`",
  ],
  ["link.ts", undefined, "tools/link.ts leaves the project"],
  ["by_link.ts", 'import "./link.ts";', "tools/link.ts leaves the project"],
  ["by_linked_folder.ts", 'import "../linked/x.ts";', "linked/x.ts leaves the project"],
  ["outside.ts", 'import "../../outside/x.ts";', "<base>/outside/x.ts leaves the project"],
  [
    "outside_json.ts",
    'import x from "../../outside/x.json"; export default x;',
    "<base>/outside/x.json leaves the project",
  ],
  [
    "outside_text.ts",
    'import x from "../../outside/x.txt" with { type: "text" }; export default x;',
    "<base>/outside/x.txt leaves the project",
  ],
  [
    "outside_require.cjs",
    'module.exports = require("../../outside/x.cjs");',
    "<base>/outside/x.cjs leaves the project",
  ],
  ["by_link.cjs", 'module.exports = require("./link.ts");', "tools/link.ts leaves the project"],
  [
    "outside_late.ts",
    'await import("file://<base>/outside/x.ts");',
    "<base>/outside/x.ts leaves the project",
  ],
  [
    "broken_json.ts",
    'import x from "../lib/broken.json"; export default x;',
    "tools/broken_json.ts: lib/broken.json is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
  ],
  ["harness.ts", 'import { tool } from "@opencode-ai/plugin"; export default tool({});', HARNESS_TOOL_REASON],
  [
    "harness_sub.ts",
    'import { tool } from "@opencode-ai/plugin/tool"; export default tool({});',
    HARNESS_TOOL_REASON,
  ],
  ["harness_args.ts", 'export default { description: "d", args: {}, execute() {} };', HARNESS_TOOL_REASON],
  [
    "factory.ts",
    `export default () => ({ ${HEAD} });`,
    "the module has no default export object: the default export is a function; " +
    "export the object itself: `export default { description, parameters, execute }`",
  ],
  [
    "named.ts",
    `export const tool = { ${HEAD} };`,
    "the module has no default export object, only the named export `tool`: " +
    "write `export default { description, parameters, execute }`",
  ],
  [
    "exits.ts",
    "process.exit(0);",
    "tools/exits.ts: a tool may not exit the process: return a value, or throw an error instead",
  ],
  [
    "exits_caught.ts",
    `try { Deno.exit(1); } catch { /* on we go */ }\n${answers("1")}`,
    "tools/exits_caught.ts: a tool may not exit the process: return a value, or throw an error instead",
  ],
  [
    "reads.ts",
    'Deno.readTextFileSync("/etc/passwd");',
    'tools/reads.ts: reads may not read "/etc/passwd": add it under tool_settings.reads.permissions.read',
  ],
  [
    "rejects.ts",
    `Promise.reject(new Error("nobody waits")); await new Promise((r) => setTimeout(r, 20));\n${
      answers("1")
    }`,
    "tools/rejects.ts: nobody waits",
  ],
  [
    "bun_sqlite.ts",
    'import { Database } from "bun:sqlite"; export default Database;',
    "tools/bun_sqlite.ts: bun:sqlite is not available in this runtime: use node:sqlite",
  ],
];

Deno.test("runner, loading: what loads, what it answers and of which files it is made", async (t) => {
  const files = Object.fromEntries(GOOD.map(([path, source]) => [`tools/${path}`, source]));
  await using runner = await startRunner({ files: { ...FILES, ...files } });
  for (const [path, , output, graph] of GOOD) {
    await t.step(path, async () => {
      const id = await runner.makeWorker(`tools/${path}`);
      const { body } = await runner.loaded(id);
      if ("reason" in body) assert.fail(body.reason);
      const expected = [`tools/${path}`, ...graph].map((file) => join(runner.places.root, file));
      assert.equal(body.graph[0], expected[0]);
      assert.deepEqual(body.graph.toSorted(), expected.toSorted());
      const text = await runner.output(id);
      assert.deepEqual(typeof output === "string" ? text : JSON.parse(text), output);
      assert.equal(await runner.retire(id), true);
    });
  }
});

Deno.test("runner, loading: why a module does not load", async (t) => {
  await using runner = await startRunner({ files: FILES });
  const { base, root } = runner.places;
  const fill = (text: string) => text.replaceAll("<base>", base);
  for (const [path, source] of BROKEN) {
    if (source !== undefined) await write(join(root, "tools", path), fill(source));
  }
  for (const name of ["x.ts", "x.json", "x.txt", "x.cjs"]) {
    await write(
      join(base, "outside", name),
      name === "x.json" ? '{"evaluated":1}' : "globalThis.evaluated = 1;",
    );
  }
  await Deno.symlink(join(base, "outside/x.ts"), join(root, "tools/link.ts"));
  await Deno.symlink(join(base, "outside"), join(root, "linked"));
  for (const [path, , reason] of BROKEN) {
    await t.step(path, async () => {
      const body = await runner.load(`tools/${path}`);
      assert.ok("reason" in body, `${path} loaded`);
      assert.equal(body.reason, fill(reason));
    });
  }
});

Deno.test("runner, loading: a module read late is told", async () => {
  await using runner = await startRunner({
    files: { ...FILES, "tools/late.ts": answers('import("../lib/helper.ts").then((m) => m.h)') },
  });
  const id = await runner.worker("tools/late.ts");
  assert.equal(await runner.output(id), "3");
  const frame = await runner.frame((frame) => frame.kind === "graph" && frame.id === id);
  assert.deepEqual(frame.body, { graph: [join(runner.places.root, "lib/helper.ts")] });
});

Deno.test("runner, loading: the project may be reached through a link", async () => {
  await using runner = await startRunner({
    files: { ...FILES, "tools/a.ts": answers("h", 'import { h } from "../lib/helper.ts";') },
  });
  const link = join(runner.places.base, "tmp/link");
  await Deno.symlink(runner.places.root, link);
  const id = await runner.makeWorker("tools/a.ts", {
    root: link,
    url: pathToFileURL(join(link, "tools/a.ts")).href,
  });
  const { body } = await runner.loaded(id);
  assert.ok("graph" in body && !("reason" in body), JSON.stringify(body));
  assert.deepEqual(body.graph, ["tools/a.ts", "lib/helper.ts"].map((file) => join(runner.places.root, file)));
});

Deno.test("runner, loading: `loadOnly` ends the worker, and retiring it still answers", async () => {
  await using runner = await startRunner({ files: { "tools/a.ts": answers("1") } });
  const id = await runner.makeWorker("tools/a.ts", { loadOnly: true });
  assert.equal((await runner.loaded(id)).kind, "loaded");
  assert.equal(await runner.retire(id), true);
});

Deno.test("runner, loading: an endless import is told as not stopped, and others load", async () => {
  await using runner = await startRunner({
    files: { "tools/loop.ts": "while (true);", "tools/a.ts": answers("1") },
  });
  const loop = await runner.makeWorker("tools/loop.ts");
  const other = await runner.worker("tools/a.ts");
  assert.equal(await runner.retire(loop), false);
  assert.equal(await runner.output(other), "1");
});

Deno.test("runner, loading: a module whose import never ends can be retired", async () => {
  await using runner = await startRunner({ files: { "tools/hang.ts": "await new Promise(() => {});" } });
  assert.equal(await runner.retire(await runner.makeWorker("tools/hang.ts")), true);
});

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(path, text);
}
