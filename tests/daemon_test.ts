import assert from "node:assert/strict";
import { join } from "node:path";
import { beeuniCommand } from "./beeuni.ts";
import { startDaemon } from "./support/daemon.ts";
import { testEnvironment } from "./support/environment.ts";
import { eventually } from "./support/eventually.ts";
import { isRunning, processTree } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { beeuni } from "./support/run.ts";
import { output, refusal } from "./support/told.ts";

// The life of a `beeuni daemon` process: start, restart, stop, and who is told what (specification 2.7).

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

const FILES = {
  "beeuni.yaml": "tools:\n  echo: tools/echo.ts\n  waits: tools/waits.ts\n  deaf: tools/deaf.ts\n",
  "tools/echo.ts": tool("(args) => args"),
  "tools/waits.ts": tool(
    "async ({ file, ms }, { signal }) => { Deno.writeTextFileSync(file, 'started'); " +
      "await new Promise((done) => { const t = setTimeout(done, ms); " +
      "signal.addEventListener('abort', () => { Deno.writeTextFileSync(file, 'aborted'); clearTimeout(t); done() }) }); " +
      "return 'finished' }",
  ),
  "tools/deaf.ts": tool("async ({ file }) => { Deno.writeTextFileSync(file, 'started'); for (;;); }"),
};

function tool(execute: string): string {
  return `export default { description: "d", parameters: { type: "object", properties: {} }, execute: ${execute} }\n`;
}

Deno.test({
  name: "daemon: a restart keeps the key, a stop removes daemon.json and every process",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    const first = await startDaemon(project);
    output("{}")(await first.call("echo"));
    const tree = processTree(first.pid).map(({ pid }) => pid);
    assert.ok(tree.length > 1, "there is a runner");
    const status = await first.stop();
    assert.deepEqual([status.code, status.signal], [0, null]);
    assert.throws(() => Deno.statSync(join(project.state, "daemon.json")), Deno.errors.NotFound);
    await eventually(() => assert.deepEqual(tree.filter(isRunning), []));
    await using second = await startDaemon(project);
    assert.equal(second.key, first.key);
    assert.deepEqual(Object.keys(JSON.parse(first.stdout.text)), ["url", "pid", "version", "state"]);
  },
});

Deno.test({
  name: "daemon: SIGTERM lets a running call finish and refuses new ones",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    await using daemon = await startDaemon(project);
    const file = project.path("note");
    const running = daemon.call("waits", { args: { file, ms: 1500 } });
    await eventually(() => assert.equal(Deno.readTextFileSync(file), "started"));
    Deno.kill(daemon.pid, "SIGTERM");
    await eventually(async () => {
      const { body } = await daemon.request("/beeuni/health");
      assert.equal(body.status, "stopping");
    });
    refusal(503, "stopping", /./)(await daemon.call("echo"));
    output("finished")(await running);
    assert.equal((await daemon.status).code, 0);
    assert.equal(Deno.readTextFileSync(file), "started", "it was never told to stop");
  },
});

Deno.test({
  name: "daemon: a call that goes on past 5 s is aborted, and the daemon ends",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    await using daemon = await startDaemon(project);
    const file = project.path("note");
    const running = daemon.call("waits", { args: { file, ms: 60_000 } });
    await eventually(() => assert.equal(Deno.readTextFileSync(file), "started"));
    Deno.kill(daemon.pid, "SIGINT");
    refusal(499, "aborted", /./)(await running);
    assert.equal((await daemon.status).code, 0);
    assert.equal(Deno.readTextFileSync(file), "aborted");
  },
});

Deno.test({
  name: "daemon: a second signal stops it at once, whatever runs",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    await using daemon = await startDaemon(project);
    const file = project.path("note");
    const running = daemon.call("deaf", { args: { file } }).catch((error) => error);
    await eventually(() => assert.equal(Deno.readTextFileSync(file), "started"));
    const tree = processTree(daemon.pid).map(({ pid }) => pid);
    Deno.kill(daemon.pid, "SIGTERM");
    await eventually(async () => {
      assert.equal((await daemon.request("/beeuni/health")).body.status, "stopping");
    });
    Deno.kill(daemon.pid, "SIGTERM");
    await daemon.status;
    assert.deepEqual(daemon.log.filter(({ code }) => code === "grace_over"), [], "it did not wait");
    await running;
    await eventually(() => assert.deepEqual(tree.filter(isRunning), []));
    assert.throws(() => Deno.statSync(join(project.state, "daemon.json")), Deno.errors.NotFound);
  },
});

Deno.test({
  name: "daemon: one per project, and status, reload and stop find it",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    const none = await beeuni(project, ["daemon", "status"]);
    assert.deepEqual([none.code, none.stdout], [1, "no daemon runs for this project\n"]);
    for (const verb of ["stop", "reload"]) {
      const { code, stderr } = await beeuni(project, ["daemon", verb]);
      assert.deepEqual([code, stderr], [
        1,
        "beeuni: no daemon runs for this project.\n  → Start one with `beeuni daemon`.\n",
      ]);
    }

    await using daemon = await startDaemon(project);
    const second = await beeuni(project, ["daemon", "--json"]);
    assert.equal(second.code, 1);
    const { error, code, url, pid } = JSON.parse(second.stdout);
    assert.deepEqual([code, url, pid], ["daemon_running", daemon.url, daemon.pid]);
    assert.match(error, /^a daemon runs for this project already at http:/);

    const status = await beeuni(project, ["daemon", "status", "--json"]);
    assert.equal(status.code, 0);
    const { version: _, ...known } = JSON.parse(status.stdout);
    assert.deepEqual(known, {
      running: true,
      url: daemon.url,
      pid: daemon.pid,
      status: "ready",
      tools: 3,
      failed: 0,
      state: project.state,
    });

    project.write("tools/echo.ts", tool("() => 'changed'"));
    const reload = await beeuni(project, ["daemon", "reload"]);
    assert.deepEqual([reload.code, reload.stdout], [0, "changed: echo\n"]);
    output("changed")(await daemon.call("echo"));
    project.write("beeuni.yaml", `${FILES["beeuni.yaml"]}\nagents:\n  helper: { tools: all }\n`);
    const agents = await beeuni(project, ["daemon", "reload"]);
    assert.deepEqual([agents.code, agents.stdout], [0, "no tool changed\n"]);
    project.write("beeuni.yaml", "tools: [");
    const broken = await beeuni(project, ["daemon", "reload"]);
    assert.equal(broken.code, 1);
    output("changed")(await daemon.call("echo"));

    const stopped = await beeuni(project, ["daemon", "stop"]);
    assert.deepEqual([stopped.code, stopped.stdout], [0, `stopped ${daemon.url}\n`]);
    assert.equal((await daemon.status).code, 0);
  },
});

Deno.test({
  name: "daemon: one that was killed leaves nothing that keeps the next from starting",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    const killed = await startDaemon(project);
    Deno.kill(killed.pid, "SIGKILL");
    await killed.status;
    assert.ok(Deno.statSync(join(project.state, "daemon.json")).isFile, "it had no time to remove it");
    assert.equal((await beeuni(project, ["daemon", "status"])).code, 1);
    await using next = await startDaemon(project);
    assert.notEqual(next.pid, killed.pid);
    output("{}")(await next.call("echo"));
  },
});

Deno.test({
  name: "daemon: what it can't start with is told in one sentence, and its exit code",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = String(taken.addr.port);
    const cases: [string[], number, RegExp][] = [
      [
        ["--port", port],
        1,
        new RegExp(`^beeuni: port ${port} of 127\\.0\\.0\\.1 is in use\\.\n  → Choose another one`),
      ],
      [["--host", "192.0.2.1"], 2, /^beeuni: the daemon can't listen on 192\.0\.2\.1, port 0: /],
      [
        ["--agent", "beuni"],
        2,
        /^beeuni: --agent beuni is no agent of the project\.\n {2}→ Did you mean beeuni\?\n$/,
      ],
      [
        ["--env-file", "nowhere.env"],
        2,
        /^beeuni: [Tt]he env file \/.*\/nowhere\.env could not be read: it does not exist\.\n/,
      ],
    ];
    for (const [args, code, stderr] of cases) {
      const result = await beeuni(project, ["daemon", ...args]);
      assert.equal(result.code, code, result.stderr);
      assert.equal(result.stdout, "");
      assert.match(result.stderr, stderr);
      assert.throws(() => Deno.statSync(join(project.state, "daemon.json")), Deno.errors.NotFound);
    }
  },
});

Deno.test({
  name: "daemon: without HOME, state goes where BEEUNI_STATE_DIR says, or it is told what to set",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    const { BEEUNI_STATE_DIR: _, HOME: __, ...env } = testEnvironment(project, {
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    });
    const child = beeuniCommand(["daemon"], { cwd: project.root, clearEnv: true, env, stdin: "null" });
    const { code, stderr } = await child.output();
    assert.equal(code, 1);
    assert.equal(
      new TextDecoder().decode(stderr),
      "beeuni: the state directory is not known: HOME is not set.\n" +
        "  → Set BEEUNI_STATE_DIR to a folder that only you can write.\n",
    );
  },
});
