import assert from "node:assert/strict";
import { beeuniCommand } from "./beeuni.ts";
import { testEnvironment } from "./support/environment.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { isRunning, processTree } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { beeuni, type RunOptions } from "./support/run.ts";

// What holds for every command (specification 5.1), on the real program.

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
const MANIFEST = "tools:\n  show: beeuni:show\n";

Deno.test({
  name: "cli: exit codes, and which stream speaks",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "beeuni.yaml": MANIFEST, "empty/.keep": "" } });
    using broken = new Project({ files: { "beeuni.yaml": "tools:\n  x: 1\n" } });
    const rows: [Project, string[], number, RegExp, RegExp][] = [
      [project, ["tools", "ls"], 0, /^NAME {2}KIND/, /^$/],
      [project, ["tools", "list"], 0, /^NAME {2}KIND/, /^$/],
      [project, ["--help"], 0, /^Usage: beeuni /, /^$/],
      [project, ["help", "tools"], 0, /^Usage: beeuni tools /, /^$/],
      [project, ["tools", "call", "--help"], 0, /^Usage: beeuni tools call .*<name>/, /^$/],
      [project, ["--version"], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
      [project, ["version"], 0, /^beeuni \d+\.\d+\.\d+ \(commit .+, Deno 2\..+\)\n$/, /^$/],
      [project, ["schema"], 0, /^\{/, /^$/],
      [broken, ["tools", "ls"], 1, /Not loaded:/, /^$/],
      [broken, ["validate"], 1, /^error/, /^$/],
      [project, [], 2, /^$/, /^Usage: beeuni /],
      [project, ["tools"], 2, /^$/, /^Usage: beeuni tools /],
      [
        project,
        ["vaildate"],
        2,
        /^$/,
        /^beeuni: unknown command 'vaildate'\.\n {2}→ Did you mean validate\?\n$/,
      ],
      [
        project,
        ["tools", "ls", "--jsno"],
        2,
        /^$/,
        /^beeuni: unknown option '--jsno'\.\n {2}→ Did you mean --json\?\n$/,
      ],
      [project, ["cr", "open", "--title", "x"], 2, /^$/, /`git push`.*pull request/],
      [
        project,
        ["tools", "ls", "--project", "empty"],
        2,
        /^$/,
        /^beeuni: beeuni\.yaml not found in \/.*\/empty or any parent directory\.\n {2}→ Create one with `beeuni init`\.\n$/,
      ],
    ];
    for (const [where, args, code, stdout, stderr] of rows) {
      const result = await beeuni(where, args);
      const what = `${args.join(" ")}: ${JSON.stringify(result)}`;
      assert.equal(result.code, code, what);
      assert.match(result.stdout, stdout, what);
      assert.match(result.stderr, stderr, what);
    }
  },
});

Deno.test({
  name: "cli: with --json an error is one document on stdout",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "empty/.keep": "" } });
    const rows: [string[], string, number][] = [
      [["tools", "ls", "--json"], "no_manifest", 2],
      [["--json", "tools", "lss"], "usage", 2],
      [["validate", "--json", "--project", "empty"], "no_manifest", 2],
      [["tools", "call", "x", "--json", "--timeout", "1"], "usage", 2],
      [["daemon", "--json"], "no_manifest", 2],
      [["daemon", "stop", "--json"], "no_manifest", 2],
    ];
    for (const [args, expected, exit] of rows) {
      const { code, stdout, stderr } = await beeuni(project, args);
      const document = JSON.parse(stdout);
      assert.deepEqual([document.code, code, stderr], [expected, exit, ""], args.join(" "));
      assert.equal(typeof document.error, "string");
    }
  },
});

Deno.test({
  name: "cli: version --json has stable keys",
  ...LENIENT,
  async fn() {
    using project = new Project();
    const { stdout } = await beeuni(project, ["version", "--json"]);
    const { version, commit, deno, built, ...rest } = JSON.parse(stdout);
    assert.deepEqual(rest, {});
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.match(commit, /^(?:[0-9a-f]{40}|unknown)$/);
    assert.equal(deno, Deno.version.deno);
    assert.match(built, /^(?:source|self-extracting|compiled)$/);
  },
});

Deno.test({
  name: "cli: a closed pipe ends quietly",
  ...LENIENT,
  async fn() {
    const tools = Array.from({ length: 5000 }, (_, index) => `  tool_${index}: tools/t.ts\n`).join("");
    using project = new Project({ files: { "beeuni.yaml": `tools:\n${tools}`, "tools/t.ts": "" } });
    const child = beeuniCommand(["tools", "ls"], {
      cwd: project.root,
      clearEnv: true,
      env: testEnvironment(project),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    const [status, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
    assert.deepEqual([status.code, stderr], [0, ""]);
  },
});

Deno.test({
  name: "cli: no stack and no file of ours without BEEUNI_DEBUG=1",
  ...LENIENT,
  async fn() {
    using project = new Project();
    const plain = await beeuni(project, ["tools", "ls"]);
    assert.doesNotMatch(plain.stderr, /\n {4}at |\.ts:/);
    const debug = await beeuni(project, ["tools", "ls"], { env: { BEEUNI_DEBUG: "1" } });
    assert.match(debug.stderr, /\n {4}at /);
  },
});

Deno.test({
  name: "cli: completions work in a shell, down to the tools of the project",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "beeuni.yaml": MANIFEST } });
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await beeuni(project, ["completions", shell]);
      assert.equal(code, 0);
      assert.match(stdout, /beeuni complete -- /);
    }
    const words = async (...line: string[]) => {
      const { stdout } = await beeuni(project, ["complete", "--", ...line]);
      return stdout.split("\n").filter((text) => text.includes("\t")).map((text) => text.split("\t")[0]);
    };
    assert.deepEqual(await words("tools", ""), ["ls", "call", "new", "eject", "schema", "help"]);
    assert.deepEqual(await words("val"), ["validate"]);
    assert.deepEqual(await words("tools", "call", "s"), ["show"]);
    assert.deepEqual(await words("tools", "call", "x", "--ch"), ["--check-args"]);
    assert.equal((await words("")).includes("complete"), false);
    for (const line of [["sessions", "new"], ["tools", "call", "show"], ["daemon"]]) {
      assert.deepEqual(await words(...line, "--agent", ""), ["beeuni"], line.join(" "));
    }
    assert.deepEqual(await words("sessions", "answer", "ses_1", ""), ["once", "always", "reject"]);
    assert.ok((await words("help", "")).includes("sessions"));
    assert.deepEqual(await words("help", "daemon", ""), ["status", "stop", "reload"]);
    assert.deepEqual(await words("help", "tools", "call", ""), []);
  },
});

Deno.test({
  name: "cli: a second Ctrl-C ends a call at once, and leaves no process",
  ...LENIENT,
  async fn() {
    const deaf = "export default { description: 'd', parameters: { type: 'object', properties: {} }, " +
      "execute({ file }) { Deno.writeTextFileSync(file, ''); for (;;); } }";
    using project = new Project({ files: { "beeuni.yaml": "tools:\n  deaf: deaf.ts\n", "deaf.ts": deaf } });
    const file = project.path("started");
    const child = beeuniCommand(["tools", "call", "deaf", "--args", JSON.stringify({ file })], {
      cwd: project.root,
      clearEnv: true,
      env: testEnvironment(project),
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const stderr = new Response(child.stderr).text();
    await eventually(() => Deno.statSync(file), { within: 15_000 });
    const tree = processTree(child.pid).map(({ pid }) => pid);
    assert.ok(tree.length > 1, "there is a runner");
    child.kill("SIGINT");
    await sleep(200);
    child.kill("SIGINT");
    assert.equal((await child.status).code, 130);
    assert.doesNotMatch(await stderr, /grace_over/, "it did not wait for the grace to pass");
    await eventually(() => assert.deepEqual(tree.filter(isRunning), []));
  },
});

Deno.test({
  name: "cli: doctor tries the sandbox for real",
  ...LENIENT,
  async fn() {
    using project = new Project();
    const { code, stdout, stderr } = await beeuni(project, ["doctor", "--json"]);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string }[] };
    assert.deepEqual([code, ok], [0, true], stdout + stderr);
    const status = new Map(checks.map(({ name, status }) => [name, status]));
    for (
      const name of [
        "engine",
        "state directory",
        "sandbox: a tool runs",
        "sandbox: a tool can't read outside the project",
        "sandbox: a tool can't run a program",
        "sandbox: a tool can't reach the daemon",
        "sandbox: an endless loop is stopped",
      ]
    ) assert.equal(status.get(name), "ok", name);
    assert.deepEqual(
      [...Deno.readDirSync(project.tmp)].map(({ name }) => name).filter((name) =>
        name !== "beeuni-tool-output"
      ),
      [],
    );
  },
});

Deno.test({
  name: "cli: doctor says what does not work",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "file": "" } });
    const options: RunOptions = {
      env: { BEEUNI_STATE_DIR: project.path("file"), BEEUNI_OPENCODE: "/nowhere/opencode" },
    };
    const { code, stdout } = await beeuni(project, ["doctor"], options);
    assert.equal(code, 1);
    assert.match(stdout, /^✗ state directory: .*file/m);
    assert.match(stdout, /^! OpenCode: .*\/nowhere\/opencode.*: sessions use the experimental harness$/m);
    assert.match(stdout, /^! model: no model is configured: .*: sessions can't run$/m);
  },
});

Deno.test({
  name: "cli: what runs a tool once needs no place for state, a daemon says that it does",
  ...LENIENT,
  async fn() {
    const tool = "export default { description: 'd', parameters: { type: 'object', properties: {} }, " +
      "execute: () => 'ran' }\n";
    using project = new Project({
      files: { "beeuni.yaml": "tools:\n  show: beeuni:show\n  t: tools/t.ts\n", "tools/t.ts": tool },
    });
    const nowhere: RunOptions = { env: { BEEUNI_STATE_DIR: "", XDG_STATE_HOME: "/proc/nowhere" } };
    const call = await beeuni(project, ["tools", "call", "t"], nowhere);
    assert.deepEqual([call.code, call.stdout], [0, "ran\n"], call.stderr);
    const load = await beeuni(project, ["validate", "--load"], nowhere);
    assert.deepEqual([load.code, load.stdout], [0, "✓ beeuni.yaml is valid\n"], load.stderr);
    const schema = await beeuni(project, ["tools", "schema", "t"], nowhere);
    assert.equal(schema.code, 0, schema.stderr);
    assert.deepEqual(
      [...Deno.readDirSync(project.tmp)].map(({ name }) => name).filter((name) => name.includes("state")),
      [],
    );
    const daemon = await beeuni(project, ["daemon"], nowhere);
    assert.equal(daemon.code, 1);
    assert.match(daemon.stderr, /^beeuni: .*\/proc\/nowhere.*\n {2}→ .*BEEUNI_STATE_DIR/m);
  },
});
