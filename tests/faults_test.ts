import assert from "node:assert/strict";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { type Fault, survive } from "./support/fault.ts";
import { isRunning } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { died, oneOf, output, refusal, timedOut, toolError } from "./support/told.ts";

// One daemon for every row: what one fault leaves behind would show in the next. Specification 5.4.

const MAY_NOT_EXIT = /may not exit the process/;
/** Beyond the grace (2 s) and the terminate of the stop ladder. */
const BEYOND_THE_LADDER = 2_700;

const FAULTS: Fault[] = [
  // Time.
  ...["loop_sync", "loop_microtasks", "loop_regex", "loop_getter"].map((tool): Fault => ({
    name: tool,
    tool,
    agent: "loops",
    beyond: BEYOND_THE_LADDER,
    told: timedOut,
  })),
  { name: "a promise that never settles", tool: "never_settles", told: timedOut },

  // The end of the process.
  ...[
    "process_exit",
    "process_exit_code",
    "process_really_exit",
    "process_exit_by_name",
    "global_process",
    "deno_exit",
  ].map((way): Fault => ({
    name: `exit: ${way}`,
    tool: "exit",
    args: { way },
    told: toolError(MAY_NOT_EXIT),
  })),
  ...["self_close", "global_close"].map((way): Fault => ({
    name: `exit: ${way}`,
    tool: "exit",
    args: { way },
    told: toolError(/may not/),
  })),
  {
    name: "exit in a timer, while the call waits",
    tool: "exit_in_timer",
    args: { wait: true },
    told: toolError(MAY_NOT_EXIT),
  },
  {
    name: "exit in a timer, after the answer",
    beyond: 200,
    tool: "exit_in_timer",
    told: output("done"),
    after: (daemon) => logged(daemon, "exit_in_timer", MAY_NOT_EXIT),
  },
  ...[
    "process_term",
    "process_kill",
    "process_usr1",
    "process_parent",
    "process_group",
    "process__kill",
    "by_name",
    "deno_term",
    "deno_kill",
    "deno_usr1",
    "deno_parent",
    "deno_listener",
    "process_debug",
  ].map((way): Fault => ({
    name: `signals: ${way}`,
    tool: "signals",
    args: { way },
    told: toolError(/may not/),
  })),
  {
    name: "abort by name",
    tool: "abort_by_name",
    agent: "aborts",
    endsProcess: true,
    // Escapes of 5.4 want it refused, deno-notes say that the process ends: both are bounded.
    told: oneOf(toolError(/may not/), died(/./)),
  },
  {
    name: "a panic of the runtime",
    tool: "panic",
    agent: "panics",
    endsProcess: true,
    told: oneOf(toolError(/./), died(/./)),
  },

  // Memory.
  {
    name: "heap overflow",
    tool: "heap_overflow",
    agent: "heap",
    endsProcess: true,
    told: died("the sandbox of heap_overflow ran out of memory"),
  },
  {
    name: "4 GB of ArrayBuffers",
    tool: "array_buffers",
    agent: "buffers",
    endsProcess: true,
    told: died("the sandbox of array_buffers ran out of memory"),
  },
  {
    name: "stack overflow",
    tool: "stack_overflow",
    told: toolError(/Maximum call stack size exceeded/),
  },

  // What is left behind.
  {
    name: "an unhandled rejection after the answer",
    beyond: 200,
    tool: "unhandled_rejection",
    told: output("call 1 of this worker"),
    after: async (daemon) => {
      await logged(daemon, "unhandled_rejection", /nobody waits for me/);
      output("call 1 of this worker")(await daemon.call("unhandled_rejection"));
    },
  },
  {
    name: "an unhandled rejection during a call",
    tool: "unhandled_rejection",
    args: { wait: true },
    told: toolError(/nobody waits for me/),
  },
  {
    name: "a timer that throws after the answer",
    beyond: 200,
    tool: "late_throw",
    told: output("call 1 of this worker"),
    after: async (daemon) => {
      await logged(daemon, "late_throw", /too late to matter/);
      output("call 1 of this worker")(await daemon.call("late_throw"));
    },
  },
  {
    name: "sockets and timers left open",
    tool: "open_handles",
    told: output("left 200 things open"),
  },
  ...["worker", "global_worker", "node_worker", "node_worker_prototype", "subclass"].map((way): Fault => ({
    name: `thousands of nested workers: ${way}`,
    tool: "nested_workers",
    args: { way },
    told: toolError(/may not/),
  })),

  // Output.
  {
    name: "a result of 300 MB",
    tool: "huge_result",
    agent: "output",
    told: toolError(/256 MiB/),
  },
  {
    name: "a result of 300 MB inside JSON",
    tool: "huge_result",
    args: { json: true },
    agent: "output",
    told: toolError(/256 MiB/),
  },
  ...["console", "stdout"].map((way): Fault => ({
    name: `1 GB of output: ${way}`,
    tool: "console_flood",
    args: { way },
    agent: "output",
    told: output("printed 1 GB"),
  })),

  // Lies.
  ...[
    "console",
    "stdout",
    "stderr",
    "inspector_banner",
    "dispatched_event",
    "listeners",
    "ports",
    "dispatched_port_event",
    "descriptors",
  ].map((way): Fault => ({
    name: `forged messages: ${way}`,
    tool: "forged_messages",
    args: { way },
    told: output("the true answer"),
  })),
  {
    name: "forged messages: post_message",
    tool: "forged_messages",
    args: { way: "post_message" },
    told: toolError(/may not/),
  },
  ...[
    "json",
    "array",
    "string",
    "fetch",
    "post_message",
    "promise",
    "map",
    "object",
    "text",
    "abort",
    "timers",
    "errors",
  ].map((way): Fault => ({
    name: `patched globals: ${way}`,
    tool: "patched_globals",
    args: { way },
    told: output('{\n  "answer": [\n    "true",\n    1\n  ]\n}'),
  })),
  ...[["inherited_to_json", '"forged"'], ["inherited_then", "forged"]].map(([way, own]): Fault => ({
    name: `patched globals: ${way}`,
    tool: "patched_globals",
    args: { way },
    told: output(own ?? ""),
  })),
];

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

Deno.test({
  name: "fault: the runner is killed from outside",
  ...LENIENT,
  async fn() {
    const before = daemon.runners();
    const call = daemon.call("sleeper", { agent: "killed", args: { ms: 20_000 } });
    const elsewhere = daemon.call("sleeper", { agent: "witness", args: { ms: 1_500 } });
    const mine = await eventually(() => {
      const started = daemon.runners().filter((pid) => !before.includes(pid));
      assert.equal(started.length, 1, `new runners: ${started}`);
      return started[0] ?? 0;
    });
    await sleep(300);
    Deno.kill(mine, "SIGKILL");
    died(/./)(await call);
    output("slept")(await elsewhere);
    output("1")(await daemon.call("counter", { agent: "killed" }));
  },
});

function ticks(): number {
  try {
    return project.read("ticks.txt").length;
  } catch {
    return 0;
  }
}

/** A line about this tool says so, within a moment. */
async function logged(daemon: Daemon, tool: string, text: RegExp): Promise<void> {
  await eventually(() => {
    const lines = daemon.log.filter((line) => line.tool === tool && text.test(JSON.stringify(line)));
    assert.ok(lines.length > 0, `no log line of ${tool} matches ${text}`);
  });
}
