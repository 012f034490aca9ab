import assert from "node:assert/strict";
import type { Daemon } from "./daemon.ts";
import { eventually } from "./eventually.ts";
import type { Fault } from "./fault.ts";
import { died, oneOf, output, timedOut, toolError } from "./told.ts";

/** What a tool is told that tries to end its process. */
export const MAY_NOT_EXIT = /may not exit the process/;
/** Beyond the grace (2 s) and the terminate of the stop ladder. */
const BEYOND_THE_LADDER = 2_700;

/** Every fault a call can have (specification 5.4), on the project of `fixtures/hostile/faults`. */
export const FAULTS: readonly Fault[] = [
  // Time.
  ...["loop_sync", "loop_microtasks"].map((tool): Fault => ({
    name: tool,
    tool,
    agent: "loops",
    beyond: BEYOND_THE_LADDER,
    told: timedOut,
  })),
  {
    name: "loops of other kinds, all at once in one process",
    tool: ["loop_regex", "loop_getter", "loop_wasm", "loop_atomics", "loop_thenable", "loop_next_tick"],
    agent: "more_loops",
    beyond: BEYOND_THE_LADDER,
    told: timedOut,
  },
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
    name: "4 GB of WebAssembly memory",
    tool: "wasm_memory",
    agent: "wasm",
    endsProcess: true,
    told: died("the sandbox of wasm_memory ran out of memory"),
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
  ...["console", "console_error", "stdout", "stderr", "process_stdout", "descriptor"].map((way): Fault => ({
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
    "closed_streams",
    "closed_descriptors",
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
  {
    name: "patched globals: pollution",
    tool: "patched_globals",
    args: { way: "pollution" },
    // Deno's own web code reads these names from plain objects: it may cost the tool its worker, and nobody else's.
    told: oneOf(output('{\n  "answer": [\n    "true",\n    1\n  ]\n}'), died(/./)),
  },
  ...[["inherited_to_json", '"forged"'], ["inherited_then", "forged"]].map(([way, own]): Fault => ({
    name: `patched globals: ${way}`,
    tool: "patched_globals",
    args: { way },
    told: output(own ?? ""),
  })),
];

/** A line about this tool says so, within a moment. */
async function logged(daemon: Daemon, tool: string, text: RegExp): Promise<void> {
  await eventually(() => {
    const lines = daemon.log.filter((line) => line.tool === tool && text.test(JSON.stringify(line)));
    assert.ok(lines.length > 0, `no log line of ${tool} matches ${text}`);
  });
}
