import assert from "node:assert/strict";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { survive } from "./support/fault.ts";
import { FAULTS, MAY_NOT_EXIT } from "./support/fault_rows.ts";
import { isRunning, processInfo } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { died, output, refusal, timedOut } from "./support/told.ts";

// One daemon for every row: what one fault leaves behind would show in the next. Specification 5.4.

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "hostile/faults" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  const runners = daemon.runners();
  await daemon.stop();
  for (const pid of runners) assert.equal(isRunning(pid), false, `runner ${pid} outlived the daemon`);
  const left = [...Deno.readDirSync(project.tmp)].map((entry) => entry.name);
  project[Symbol.dispose]();
  assert.deepEqual(left.filter((name) => name !== "beeuni-tool-output"), [], "files in the temporary folder");
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

Deno.test({
  name: "faults at import: each costs its own tool",
  ...LENIENT,
  async fn() {
    const { body } = await daemon.request("/beeuni/tools");
    const failed = new Map<string, string>(
      body.failed.map((tool: { name: string; error: string }) => [tool.name, tool.error]),
    );
    assert.deepEqual([...failed.keys()].sort(), ["await_import", "exit_at_import", "loop_import"]);
    assert.match(failed.get("exit_at_import") ?? "", MAY_NOT_EXIT);
    for (const name of ["await_import", "loop_import"]) {
      assert.match(failed.get(name) ?? "", /10 ?s|10,?000 ?ms/);
    }
    for (const name of failed.keys()) {
      refusal(404, "tool_not_found", `no tool named ${name} is loaded`)(await daemon.call(name));
    }
    const lines = daemon.log.filter((line) => {
      return String(line.message).includes("[tools] project tools that did not load");
    });
    assert.equal(lines.length, 1);
    for (const name of failed.keys()) assert.ok(JSON.stringify(lines[0]).includes(`tools/${name}.ts`));
  },
});

for (const fault of FAULTS) {
  Deno.test({ name: `fault: ${fault.name}`, ...LENIENT, fn: () => survive(daemon, fault) });
}

Deno.test({
  name: "fault: a signal that is ignored",
  ...LENIENT,
  async fn() {
    const call = daemon.call("ignores_signal", { call: "ignoring" });
    await eventually(() => assert.ok(ticks() > 2));
    assert.equal((await daemon.cancel("ignoring")).status, 202);
    refusal(499, "aborted", /./)(await call);
    // Two seconds of grace, then its worker is ended: the trace it leaves stops to grow.
    await eventually(async () => {
      const before = ticks();
      await sleep(300);
      assert.equal(ticks(), before, "the tool goes on");
    }, { within: 10_000 });
    output('{\n  "still": "here"\n}')(await daemon.call("echo", { args: { still: "here" } }));
  },
});

/** Starts the runner of an agent and answers its process id. */
async function runnerOf(agent: string): Promise<number> {
  const before = daemon.runners();
  output("1")(await daemon.call("counter", { agent }));
  const started = daemon.runners().filter((pid) => !before.includes(pid));
  assert.equal(started.length, 1, `new runners: ${started}`);
  return started[0] ?? 0;
}

Deno.test({
  name: "fault: the runner is killed from outside",
  ...LENIENT,
  async fn() {
    const runner = await runnerOf("killed");
    const call = daemon.call("sleeper", { agent: "killed", args: { ms: 20_000 } });
    const elsewhere = daemon.call("sleeper", { agent: "witness", args: { ms: 1_500 } });
    await sleep(300);
    Deno.kill(runner, "SIGKILL");
    died(/./)(await call);
    output("slept")(await elsewhere);
    output("1")(await daemon.call("counter", { agent: "killed" }));
  },
});

Deno.test({
  name: "fault: the runner is frozen from outside",
  ...LENIENT,
  async fn() {
    const runner = await runnerOf("frozen");
    Deno.kill(runner, "SIGSTOP");
    await eventually(() => assert.equal(processInfo(runner)?.state, "T"));
    timedOut(await daemon.call("counter", { agent: "frozen" }));
    await eventually(() => assert.equal(isRunning(runner), false), { within: 20_000 });
    output("1")(await daemon.call("counter", { agent: "frozen" }));
  },
});

Deno.test({
  name: "fault: a second call in a worker that is stuck does not give it more time",
  ...LENIENT,
  async fn() {
    const runner = await runnerOf("stuck");
    // The second one begins in the grace of the first and runs into its deadline after it.
    timedOut(await daemon.call("loop_again", { agent: "stuck" }));
    timedOut(await daemon.call("loop_again", { agent: "stuck" }));
    // Nobody waits for that worker any more: 2 s of grace, then it is ended.
    await eventually(() => assert.equal(isRunning(runner), false));
  },
});

Deno.test({
  name: "fault: a debugger opens in the runner",
  ...LENIENT,
  async fn() {
    const runner = await runnerOf("debugged");
    const call = daemon.call("sleeper", { agent: "debugged", args: { ms: 20_000 } });
    await sleep(300);
    Deno.kill(runner, "SIGUSR1");
    died(/./)(await call);
    await eventually(() => assert.equal(isRunning(runner), false));
    output("1")(await daemon.call("counter", { agent: "debugged" }));
  },
});

function ticks(): number {
  try {
    return project.read("ticks.txt").length;
  } catch {
    return 0;
  }
}
