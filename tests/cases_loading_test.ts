import assert from "node:assert/strict";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { beeuni } from "./support/run.ts";
import { output, refusal } from "./support/told.ts";

// The module contract and loading (specification 2.1, 2.2): what is accepted, and the reason of what is not.

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/loading" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

/** Tools that load, and what a call answers. */
const LOADS: Record<string, string> = {
  plain: "plain",
  instance: "instance",
  this_object: "this",
  commonjs: "commonjs",
  commonjs_typescript: "commonjs typescript",
  compiled: "compiled",
  nested_default: "nested default",
  typed: "typed",
  module: "mts",
  script: "mjs",
  plain_javascript: "js",
  changes_itself: "changed",
  extra_keywords: "extra",
  draft_07: "draft_07",
  draft_2019: "draft_2019",
  draft_2020: "draft_2020",
  lint_any_of: "any of",
  lint_no_properties: "no properties",
  lint_untyped: "untyped",
  lint_required_unknown: "required unknown",
  prints_at_import: "printed",
  zod_schema: "zod",
};

const NO_DEFAULT = /^the module has no default export object/;
const DESCRIPTION = /^`description` must be a non-empty string/;
const PARAMETERS =
  /^`parameters` must be a JSON Schema object \(`\{ type: "object", properties: \{ … \} \}`\)[^a-z]+\S/;
const HARNESS_TOOL =
  "this is a tool of the standard harness: move it out of harnesses/opencode/tools/, export a plain object whose `parameters` is JSON Schema, read secrets from context.env and declare it under `tools:`";
const LOOKED_IN = "(looked in tools/node_modules, node_modules)";

/** Tools that do not, and why: exact where the specification words the reason. */
const FAILS: Record<string, string | RegExp> = {
  function_default: /function.*export|export.*function/is,
  class_default: /class/i,
  named_only: /named? export|`tool`|"tool"/i,
  commonjs_in_js: /\.cjs.*export default|export default.*\.cjs/s,
  null_default: NO_DEFAULT,
  number_default: NO_DEFAULT,
  string_default: NO_DEFAULT,
  empty_file: NO_DEFAULT,
  empty_object: DESCRIPTION,
  blank_description: DESCRIPTION,
  throwing_getter: /`?description`?.*a getter that throws/s,
  proxy_default: /a trap that throws/,
  no_execute: "`execute(args, context)` must be a function",
  no_parameters: PARAMETERS,
  parameters_function: PARAMETERS,
  parameters_symbol: PARAMETERS,
  parameters_bigint: PARAMETERS,
  parameters_nan: PARAMETERS,
  parameters_cycle: PARAMETERS,
  parameters_large: /^`parameters` must be a JSON Schema object .*(64 KiB|65,?536)/s,
  parameters_array: PARAMETERS,
  parameters_string: PARAMETERS,
  parameters_type_array: PARAMETERS,
  parameters_bad_type: PARAMETERS,
  parameters_bad_required: PARAMETERS,
  zod_object: /wrap it: `parameters: z\.toJSONSchema\(…\)`/,
  missing_package: `Cannot find package 'zod' imported from tools/missing_package.ts ${LOOKED_IN}`,
  missing_require: `Cannot find package 'zod' imported from tools/missing_require.cjs ${LOOKED_IN}`,
  missing_dynamic: `Cannot find package 'zod' imported from tools/missing_dynamic.ts ${LOOKED_IN}`,
  missing_scoped: `Cannot find package '@acme/missing' imported from tools/missing_scoped.ts ${LOOKED_IN}`,
  missing_in_helper:
    "Cannot find package 'zod' imported from tools/lib/needs_zod.ts (looked in tools/lib/node_modules, tools/node_modules, node_modules)",
  missing_in_package:
    /^Cannot find package 'never-installed' imported from node_modules\/broken-inside\/index\.js \(looked in .*node_modules\)$/,
  missing_file: /lib\/not_there\.ts/,
  syntax_error: /^tools\/syntax_error\.ts: ./,
  throws_at_import: "tools/throws_at_import.ts: the import says no",
  throws_null_at_import: /^tools\/throws_null_at_import\.ts: ./,
  rejects_at_import: "tools/rejects_at_import.ts: the import rejects",
  harness_args: HARNESS_TOOL,
  harness_import: HARNESS_TOOL,
};

interface Failed {
  name: string;
  source: string;
  error: string;
}

async function listed() {
  const { body } = await daemon.request("/beeuni/tools");
  return body as { tools: { name: string; description: string; parameters: object }[]; failed: Failed[] };
}

Deno.test({
  name: "loading: every tool is either loaded or failed, but for the one no agent may use (L2)",
  ...LENIENT,
  async fn() {
    const { tools, failed } = await listed();
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(LOADS).sort());
    assert.deepEqual(failed.map(({ name }) => name).sort(), Object.keys(FAILS).sort());
    assert.ok(!daemon.stderr.text.includes("the unused module was imported"));
    refusal(404, "tool_not_found", "no tool named unused is loaded")(await daemon.call("unused"));
  },
});

for (const [name, expected] of Object.entries(LOADS)) {
  Deno.test({
    name: `loading: ${name} works`,
    ...LENIENT,
    fn: async () => output(expected)(await daemon.call(name)),
  });
}

for (const [name, expected] of Object.entries(FAILS)) {
  Deno.test({
    name: `loading: ${name} fails with its reason`,
    ...LENIENT,
    async fn() {
      const found = (await listed()).failed.find((tool) => tool.name === name);
      assert.ok(found !== undefined);
      assert.equal(found.source, name === "zod_object" ? "zod_tools/zod_object.ts" : found.source);
      assertReadable(found.error);
      assert.doesNotMatch(found.error, /file:\/\//, "paths are told relative to the project");
      assert.ok(!found.error.includes(project.root), "paths are told relative to the project");
      if (typeof expected === "string") assert.equal(found.error, expected);
      else assert.match(found.error, expected);
    },
  });
}

Deno.test({
  name: "loading: one log line names every failure with path and reason",
  ...LENIENT,
  async fn() {
    const { failed } = await listed();
    const lines = daemon.log.filter(({ message }) => {
      return String(message).startsWith("[tools] project tools that did not load");
    });
    assert.equal(lines.length, 1);
    const text = JSON.stringify(lines[0]);
    for (const { name, source, error } of failed) {
      assert.ok(text.includes(name) && text.includes(source), name);
      assert.ok(text.includes(JSON.stringify(JSON.stringify(error).slice(1, 40)).slice(1, -1)), error);
    }
  },
});

Deno.test({
  name: "loading: the model keeps seeing what was loaded, read once (L4)",
  ...LENIENT,
  async fn() {
    output("changed")(await daemon.call("changes_itself"));
    const tool = (await listed()).tools.find(({ name }) => name === "changes_itself");
    assert.equal(tool?.description, "Read 1 times.");
    assert.deepEqual(tool?.parameters, { type: "object", properties: { word: { type: "string" } } });
  },
});

Deno.test({
  name: "loading: GET /beeuni/tools?agent= shows what the agent may use",
  ...LENIENT,
  async fn() {
    const names = async (agent: string) => {
      const { body } = await daemon.request(`/beeuni/tools?agent=${agent}`);
      return body.tools.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await names("narrow"), ["plain"]);
    assert.deepEqual(await names("none"), []);
  },
});

Deno.test({
  name: "validate --load: failures are errors, lints are warnings with their JSON path (L6)",
  ...LENIENT,
  async fn() {
    const plain = await beeuni(project, ["validate", "--json"]);
    assert.equal(plain.code, 0, plain.stdout + plain.stderr);
    const { code, stdout } = await beeuni(project, ["validate", "--load", "--json"]);
    assert.equal(code, 1);
    interface Issue {
      severity: string;
      path: string;
      message: string;
      file: string;
      line: number;
    }
    const { issues, valid } = JSON.parse(stdout) as { issues: Issue[]; valid: boolean };
    assert.equal(valid, false);
    const errors = new Map(issues.filter((issue) => issue.severity === "error").map((i) => [i.path, i]));
    assert.deepEqual([...errors.keys()].sort(), Object.keys(FAILS).map((name) => `tools.${name}`).sort());
    const failed = new Map((await listed()).failed.map((tool) => [tool.name, tool.error]));
    for (const [path, { message, file, line }] of errors) {
      assert.ok(message.includes(failed.get(path.slice("tools.".length)) ?? "?"), message);
      assert.equal(file, "beeuni.yaml");
      assert.match(project.read("beeuni.yaml").split("\n")[line - 1] ?? "", new RegExp(path.slice(6)));
    }
    const lints: Record<string, RegExp> = {
      lint_any_of: /anyOf/,
      lint_no_properties: /properties/,
      lint_untyped: /properties\.word|\/properties\/word/,
      lint_required_unknown: /required.*"?b"?/,
      draft_07: /\$ref/,
      draft_2019: /\$ref/,
      draft_2020: /\$ref/,
    };
    for (const [name, pattern] of Object.entries(lints)) {
      const warnings = issues.filter((issue) =>
        issue.severity === "warning" && issue.path.startsWith(`tools.${name}`)
      );
      assert.ok(
        warnings.some(({ path, message }) => pattern.test(path + message)),
        `${name}: ${JSON.stringify(warnings)}`,
      );
    }
    for (const name of ["plain", "extra_keywords", "zod_schema"]) {
      assert.ok(!issues.some((issue) => issue.path.startsWith(`tools.${name}`)), name);
    }
  },
});
