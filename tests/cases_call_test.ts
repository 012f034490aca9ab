import assert from "node:assert/strict";
import { beeuniCommand } from "./beeuni.ts";
import { testEnvironment } from "./support/environment.ts";
import { eventually } from "./support/eventually.ts";
import { isRunning, processTree } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { beeuni } from "./support/run.ts";
import { TextStream } from "./support/text_stream.ts";

// beeuni tools call, new and schema (specification 2.7).

let project: Project;

Deno.test.beforeAll(() => {
  project = new Project({ fixture: "cases/calls" });
});

Deno.test.afterAll(() => {
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

const CALLS: {
  name: string;
  args: string[];
  stdin?: string;
  code: number;
  stdout?: string | RegExp;
  stderr?: RegExp;
}[] = [
  {
    name: "output on stdout",
    args: ["echo", "--args", '{"id":"A-1"}'],
    code: 0,
    stdout: /^\{\n {2}"id": "A-1"\n\}\n?$/,
  },
  { name: "arguments from a file", args: ["echo", "--args", "@args.json"], code: 0, stdout: /from a file/ },
  {
    name: "arguments from stdin",
    args: ["echo", "--args", "-"],
    stdin: '{"id":"stdin"}',
    code: 0,
    stdout: /stdin/,
  },
  { name: "no arguments", args: ["where"], code: 0, stdout: /"agent": "beeuni"/ },
  { name: "another agent", args: ["where", "--agent", "poor"], code: 0, stdout: /"agent": "poor"/ },
  {
    name: "an agent that may not",
    args: ["forbidden", "--agent", "narrow"],
    code: 1,
    stdout: "",
    stderr: /^beeuni: agent narrow may not use forbidden$/m,
  },
  {
    name: "a tool that failed",
    args: ["fails"],
    code: 1,
    stdout: "",
    stderr: /^beeuni: orders API answered 500$/m,
  },
  { name: "a tool that does not load", args: ["broken"], code: 1, stdout: "", stderr: /it does not load/ },
  { name: "a tool that is not declared", args: ["ech"], code: 1, stdout: "", stderr: /^beeuni: .*ech\b/m },
  { name: "its own timeout", args: ["slow"], code: 124, stdout: "", stderr: /^beeuni: ./m },
  {
    name: "a timeout from the command line",
    args: ["hangs", "--args", '{"note":"t"}', "--timeout", "300ms"],
    code: 124,
  },
  { name: "a timeout that is none", args: ["echo", "--timeout", "300"], code: 2, stderr: /timeout/ },
  { name: "arguments that are no JSON", args: ["echo", "--args", "{id: 1}"], code: 2, stderr: /^beeuni: ./m },
  { name: "arguments that are no object", args: ["echo", "--args", "[1]"], code: 2, stderr: /^beeuni: ./m },
  {
    name: "a file of arguments that is not there",
    args: ["echo", "--args", "@nowhere.json"],
    code: 2,
    stderr: /nowhere\.json/,
  },
  { name: "no name", args: [], code: 2 },
  { name: "an unknown option", args: ["echo", "--agnet", "x"], code: 2, stderr: /--agent/ },
  {
    name: "--check-args that fit",
    args: ["echo", "--check-args", "--args", '{"id":"1","count":2}'],
    code: 0,
    stdout: /"count": 2/,
  },
  {
    name: "--check-args names what is missing",
    args: ["echo", "--check-args", "--args", '{"count":"many"}'],
    code: 1,
    stdout: "",
    stderr: /id[\s\S]*count|count[\s\S]*id/,
  },
  {
    name: "without it nothing is checked",
    args: ["echo", "--args", '{"count":"many"}'],
    code: 0,
    stdout: /many/,
  },
];

for (const { name, args, stdin, code, stdout, stderr } of CALLS) {
  Deno.test({
    name: `tools call: ${name}`,
    ...LENIENT,
    async fn() {
      project.write("args.json", '{ "id": "from a file" }');
      const result = await beeuni(project, ["tools", "call", ...args], stdin === undefined ? {} : { stdin });
      const what = JSON.stringify(result);
      assert.equal(result.code, code, what);
      if (typeof stdout === "string") assert.equal(result.stdout, stdout, what);
      else if (stdout !== undefined) assert.match(result.stdout, stdout);
      if (stderr !== undefined) assert.match(result.stderr, stderr);
      // Log lines stand beside the error: a stack is in the log.
      if (code !== 0) {
        assertReadable(result.stderr.split("\n").filter((line) => /^(beeuni:| {2}→ )/.test(line)).join("\n"));
      }
      const left = [...Deno.readDirSync(project.tmp)].map((entry) => entry.name);
      assert.deepEqual(
        left.filter((name) => name !== "beeuni-tool-output"),
        [],
        "left in the temporary folder",
      );
    },
  });
}

Deno.test({
  name: "tools call: --json is one document with stable keys",
  ...LENIENT,
  async fn() {
    const good = await beeuni(project, ["tools", "call", "where", "--json"]);
    assert.equal(good.code, 0, good.stderr);
    const document = JSON.parse(good.stdout);
    assert.equal(typeof document.output, "string");
    assert.match(String(document.duration_ms), /^\d+(\.\d{1,3})?$/);
    const failed = await beeuni(project, ["tools", "call", "fails", "--json"]);
    assert.equal(failed.code, 1);
    assert.deepEqual(JSON.parse(failed.stdout), { error: "orders API answered 500", code: "tool_failed" });
  },
});

Deno.test({
  name: "tools call: Ctrl-C aborts the call: exit 130, the signal fired, no process is left",
  ...LENIENT,
  async fn() {
    const child = beeuniCommand(["tools", "call", "hangs", "--args", '{"note":"ctrl-c"}'], {
      cwd: project.root,
      clearEnv: true,
      env: testEnvironment(project),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const stdout = new TextStream(child.stdout);
    const stderr = new TextStream(child.stderr);
    await eventually(() => assert.match(project.read("notes.txt"), /^ctrl-c started$/m), { within: 15_000 });
    const tree = processTree(child.pid).map(({ pid }) => pid);
    assert.ok(tree.length > 1, "there is a runner");
    child.kill("SIGINT");
    const { code } = await child.status;
    await Promise.all([stdout.ended, stderr.ended]);
    assert.equal(code, 130, stderr.text);
    assert.equal(stdout.text, "");
    assert.match(project.read("notes.txt"), /^ctrl-c aborted AbortError$/m);
    await eventually(() => assert.deepEqual(tree.filter(isRunning), []));
  },
});

Deno.test({
  name: "tools new: writes a module that loads and works, and its line in the manifest",
  ...LENIENT,
  async fn() {
    using own = new Project({
      files: {
        "beeuni.yaml": "# mine\ntools:\n  show: beeuni:show   # kept\n\nagents:\n  beeuni: { tools: all }\n",
      },
    });
    const made = await beeuni(own, ["tools", "new", "order_note"]);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(
      own.read("beeuni.yaml").replace(/\n {2}order_note: tools\/order_note\.ts[^\n]*/, ""),
      "# mine\ntools:\n  show: beeuni:show   # kept\n\nagents:\n  beeuni: { tools: all }\n",
    );
    assert.match(own.read("tools/order_note.ts"), /^\s*\/\/|\/\*\*/m, "it has comments");
    const valid = await beeuni(own, ["validate", "--load"]);
    assert.equal(valid.code, 0, valid.stdout);
    const called = await beeuni(own, ["tools", "call", "order_note"]);
    assert.equal(called.code, 0, called.stderr);
    const again = await beeuni(own, ["tools", "new", "order_note"]);
    assert.equal(again.code, 1);
    for (const name of ["Bad-Name", "bash", "../x", "1st"]) {
      const refused = await beeuni(own, ["tools", "new", name]);
      assert.notEqual(refused.code, 0, name);
      assertReadable(refused.stderr);
    }
    assert.deepEqual([...Deno.readDirSync(own.path("tools"))].map(({ name }) => name), ["order_note.ts"]);
  },
});

Deno.test({
  name: "tools schema: prints the loaded JSON Schema",
  ...LENIENT,
  async fn() {
    const { code, stdout } = await beeuni(project, ["tools", "schema", "echo"]);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      type: "object",
      properties: {
        id: { type: "string", description: "An id" },
        count: { type: "integer", description: "A number" },
      },
      required: ["id"],
    });
    assert.equal((await beeuni(project, ["tools", "schema", "broken"])).code, 1);
  },
});
