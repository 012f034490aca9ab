import assert from "node:assert/strict";
import type { Manifest } from "../../manifest/model.ts";
import { TempProject, type TempProjectFiles } from "../../manifest/testing/temp_project.ts";
import { validate, type ValidateOptions } from "./validate.ts";

const FIXTURES = new URL("../../../fixtures/manifests/", import.meta.url).pathname;

async function run(manifest: string, options: ValidateOptions = {}, files: TempProjectFiles = {}) {
  using project = new TempProject({ "beeuni.yaml": manifest, ...files });
  const { stdout, exitCode } = await validate({ project: project.root, ...options });
  return { stdout: stdout.replaceAll(project.root, "<root>"), exitCode };
}

Deno.test("validate: a clean manifest", async () => {
  assert.deepEqual(await run("tools: {show: beeuni:show}\n"), {
    stdout: "✓ beeuni.yaml is valid\n",
    exitCode: 0,
  });
  assert.deepEqual(await validate({ project: `${FIXTURES}published` }), {
    stdout: "✓ beeuni.yaml is valid\n",
    exitCode: 0,
  });
});

Deno.test("validate: one line per issue, errors first, then the counts", async () => {
  const { stdout, exitCode } = await validate({ project: `${FIXTURES}broken` });
  const path = "must be a repo-relative path to a .ts or .js module";
  assert.deepEqual(stdout.split("\n"), [
    'error  beeuni.yaml:2:16  default_agent  "beeuny" is not declared under `agents`. Did you mean "beeuni"?',
    "error  beeuni.yaml:7:15  tools.web_search  must be `beeuni:web_search` (the Beeuni tool) or a repo-relative path to a " +
    ".ts or .js module (e.g. `tools/web_search.ts`) that replaces it.",
    `error  beeuni.yaml:8:14  tools.web_serch  ${path} (e.g. \`tools/web_serch.ts\`). \`beeuni:<name>\` names a Beeuni ` +
    "tool under its own name: did you mean `web_search: beeuni:web_search`?",
    'error  beeuni.yaml:9:17  tools.lookup_order  "tools/lookup_order.ts" does not exist in the project files.',
    'error  beeuni.yaml:10:3  tools.bash  "bash" is a harness tool: give this tool another name.',
    'error  beeuni.yaml:11:3  tools.Lookup  "Lookup" is not a tool name: use snake_case with at most 64 characters ' +
    "(^[a-z][a-z0-9_]{0,63}$).",
    `error  beeuni.yaml:12:12  tools.weather  ${path} (e.g. \`tools/weather.ts\`). "https://example.com/weather.ts" is a URL.`,
    "error  beeuni.yaml:16:14  tool_settings.good.timeout  must be a duration with its unit (e.g. `30s`, `500ms`, `2m`): " +
    "a bare number is refused.",
    'error  beeuni.yaml:17:3  tool_settings.lookup  "lookup" is not declared under `tools`. Did you mean "Lookup"?',
    'error  parts/more.yaml:2:3  tools.good  "good" is declared in beeuni.yaml:13 and in parts/more.yaml:2: remove one.',
    'error  parts/more.yaml:3:1  env  "env" can\'t stand in the imported file "parts/more.yaml": move it to beeuni.yaml.',
    'warning  beeuni.yaml:5:1  tool  "tool" is not a known key and is ignored. Did you mean "tools"?',
    'warning  beeuni.yaml:21:13  agents.beeuni.tools  "bassh" is not a harness, Beeuni or project tool. Did you mean "bash"?',
    'warning  beeuni.yaml:21:20  agents.beeuni.tools  "show" is a Beeuni tool this project does not load: add ' +
    "`show: beeuni:show` under the top-level `tools`, or remove it here.",
    'warning  beeuni.yaml:25:17  agents.support.tools  "memry" is not a harness, Beeuni or project tool. Did you mean ' +
    '"memory"? An unknown name here leaves the real tool on.',
    "11 errors, 4 warnings",
    "",
  ]);
  assert.equal(exitCode, 1);
});

Deno.test("validate: the count line names what there is", async () => {
  const last = async (manifest: string) => {
    const { stdout, exitCode } = await run(manifest);
    return [stdout.split("\n").at(-2), exitCode];
  };
  assert.deepEqual(await last("tool: x\n"), ["1 warning", 0]);
  assert.deepEqual(await last("tool: x\nagen: y\nagent: x\n"), ["3 warnings", 0]);
  assert.deepEqual(await last("default_agent: 5\n"), ["1 error", 1]);
  assert.deepEqual(await last("tools: {}\ndefault_agent: x\nagents: {a: {model: 1}}\n"), [
    "2 errors, 1 warning",
    1,
  ]);
});

Deno.test("validate: a file as a whole has no path", async () => {
  assert.deepEqual(await run("a: [\n"), {
    stdout:
      "error  beeuni.yaml:1:5  -  The `{` or `[` is not closed, or its lines are not indented enough.\n1 error\n",
    exitCode: 1,
  });
});

Deno.test("validate --json", async () => {
  const { stdout, exitCode } = await run("tool: x\ntools:\n  x: tools/x.ts\n", { json: true, color: true });
  assert.equal(exitCode, 1);
  assert.equal(
    stdout,
    JSON.stringify(
      {
        valid: false,
        manifest: "<root>/beeuni.yaml",
        issues: [
          {
            severity: "error",
            code: "module_missing",
            path: "tools.x",
            message: '"tools/x.ts" does not exist in the project files.',
            file: "beeuni.yaml",
            line: 3,
            column: 6,
          },
          {
            severity: "warning",
            code: "unknown_key",
            path: "tool",
            message: '"tool" is not a known key and is ignored. Did you mean "tools"?',
            file: "beeuni.yaml",
            line: 1,
            column: 1,
          },
          {
            severity: "warning",
            code: "no_beeuni_tool",
            path: "tools",
            message:
              "Sessions of this project get no Beeuni tool (web_search, image_search, scrape_webpage, memory, show). " +
              "Add `<name>: beeuni:<name>` to keep one.",
            file: "beeuni.yaml",
            line: 2,
            column: 1,
          },
        ],
      },
      null,
      2,
    ) + "\n",
  );
  assert.deepEqual(await run("", { json: true }), {
    stdout: `{\n  "valid": true,\n  "manifest": "<root>/beeuni.yaml",\n  "issues": []\n}\n`,
    exitCode: 0,
  });
});

Deno.test("validate: colour only when told so", async () => {
  assert.equal((await run("", { color: true })).stdout, "\x1b[32m✓\x1b[0m beeuni.yaml is valid\n");
  const { stdout } = await run("tool: x\ndefault_agent: 5\n", { color: true });
  assert.ok(stdout.startsWith("\x1b[31merror\x1b[0m  beeuni.yaml:2:16  "), stdout);
  assert.ok(stdout.includes("\n\x1b[33mwarning\x1b[0m  beeuni.yaml:1:1  "), stdout);
});

Deno.test("validate --load: what the tool host found stands at the tool's line", async () => {
  const seen: Manifest[] = [];
  const { stdout, exitCode } = await run(
    "tools:\n  memory: beeuni:memory\n  x: x.ts\n  y: x.ts\n",
    {
      load: (manifest) => {
        seen.push(manifest);
        return Promise.resolve([
          { tool: "y", severity: "warning", message: "`parameters.anyOf`: some providers refuse it." },
          { tool: "x", severity: "error", message: "x.ts: first\nsecond" },
        ]);
      },
    },
    { "x.ts": "" },
  );
  assert.deepEqual(seen[0]?.tools.map(({ name }) => name), ["memory", "x", "y"]);
  assert.equal(exitCode, 1);
  assert.equal(
    stdout,
    "error  beeuni.yaml:3:3  tools.x  x.ts: first\\nsecond\n" +
      "warning  beeuni.yaml:4:3  tools.y  `parameters.anyOf`: some providers refuse it.\n" +
      "1 error, 1 warning\n",
  );
  // an implied tool has no line
  const implied = await run("", {
    load: () => Promise.resolve([{ tool: "show", severity: "warning", message: "m" }]),
  });
  assert.equal(implied.stdout, "warning  beeuni.yaml:1:1  tools.show  m\n1 warning\n");
  // nothing is loaded from a manifest of which part is unknown
  await run("a: [\n", { load: () => Promise.reject(new Error("not called")) });
});

Deno.test("validate: a granted secret that is nowhere set", async () => {
  const manifest = "agents:\n  a:\n    secrets: [SET, UNSET]\n  b: {secrets: all}\n";
  assert.deepEqual(await run(manifest), { stdout: "✓ beeuni.yaml is valid\n", exitCode: 0 });
  assert.deepEqual(await run(manifest, { secretNames: new Set(["SET"]) }), {
    stdout:
      'warning  beeuni.yaml:3:20  agents.a.secrets  "UNSET" is nowhere set: run `beeuni secrets set UNSET=-`, or ' +
      "remove it here.\n1 warning\n",
    exitCode: 0,
  });
});

Deno.test("validate: copies of Beeuni tools in the harness's folder", async () => {
  const { stdout, exitCode } = await run("", {}, {
    "harnesses/opencode/tools/web_search.ts": "",
    "harnesses/opencode/tools/memory.js": "",
    "harnesses/opencode/tools/memory.md": "",
    "harnesses/opencode/tools/own.ts": "",
  });
  assert.equal(
    stdout,
    "warning  harnesses/opencode/tools/memory.js:1:1  tools.memory  This copy wins over the Beeuni tool memory on the " +
      "standard harness: delete it.\n" +
      "warning  harnesses/opencode/tools/web_search.ts:1:1  tools.web_search  This copy wins over the Beeuni tool " +
      "web_search on the standard harness: delete it.\n" +
      "2 warnings\n",
  );
  assert.equal(exitCode, 0);
});

Deno.test("validate: no manifest", async () => {
  using project = new TempProject({});
  await assert.rejects(validate({ project: project.root }), {
    code: "no_manifest",
    exitCode: 2,
    message: `beeuni.yaml not found in ${project.root} or any parent directory.`,
  });
});
