/**
 * What the daemon and a runner process say to each other, over a unix socket.
 *
 * A frame is one line: `<kind> <id> <json>\n`. `id` is the number of the call, worker or environment it is about
 * (0 for the process itself); the JSON has no raw newline. The runner's carrier thread routes by kind and id and
 * never parses the JSON of a call or of a result, so a large argument costs the worker, not the carrier.
 *
 * Ids are numbers the daemon gives; a tool never sees them. The daemon believes nothing that a runner says: see
 * `decodeRunnerFrame`, which returns `undefined` for whatever is not well formed.
 */

/** What a worker is made of: sent with `worker`. All paths are absolute. */
export interface WorkerSpec {
  tool: string;
  /** `file:` URL of the module. */
  url: string;
  /** Roots a module of this tool may come from, by real path. */
  roots: string[];
  /** Where `node_modules` of this tool are looked for, nearest first, for the message about a missing package. */
  nodeModules: string[];
  /** The project root: paths in messages are made relative to it. */
  root: string;
  /** Roots the process may use and this tool may not: given up before tool code runs. */
  revoke: { read: string[]; write: string[] };
  /** `true` = what the process has; a list; or `false`. */
  net: boolean | string[];
  run: string[] | false;
  sys: string[] | false;
  /** `process.env` of the tool, complete (it has `TMPDIR`). */
  env: Record<string, string>;
  /** Ask for description and parameters only: no `call` follows. */
  loadOnly: boolean;
}

/** Body of a `call` frame. */
export interface CallBody {
  args: Record<string, unknown>;
  sessionId: string;
  agent: string;
  directory: string;
}

/** Where a call's overflow goes; sent with `begin`, before `call`. */
export interface CallRoute {
  worker: number;
  /** Id of the environment to use as `context.env`. */
  env: number;
  tool: string;
  /** Absolute path of the session's spill folder. */
  spill: string;
}

/** Daemon → runner. */
export type DaemonFrame =
  /** Make a worker. Answered by `loaded` or `load_failed` with the same id. */
  | { kind: "worker"; id: number; body: WorkerSpec }
  /** A set of variables for `context.env`; kept until the process ends or the id is sent anew. */
  | { kind: "env"; id: number; body: Record<string, string> }
  /** Announces call `id`. */
  | { kind: "begin"; id: number; body: CallRoute }
  /** The arguments of call `id`; passed to its worker unread. Answered by `result` or `error`. */
  | { kind: "call"; id: number; body: CallBody }
  /** Abort `context.signal` of call `id`. */
  | { kind: "abort"; id: number; body: { reason: "abort" | "timeout"; message: string } }
  /** Terminate worker `id`. Answered by `retired`. */
  | { kind: "retire"; id: number; body: Record<never, never> };

/** Why a call ended in an error, as the runner knows it. */
export type RunnerErrorCode = "tool_failed" | "output_too_large" | "worker_gone";

/** Runner → daemon. */
export type RunnerFrame =
  /** The runner is up. */
  | { kind: "hello"; id: 0; body: Record<never, never> }
  /** The module of worker `id` loaded. `graph`: real paths of every module it read, the entry first. */
  | { kind: "loaded"; id: number; body: { description: string; parameters: unknown; graph: string[] } }
  /** It did not; the worker is gone. `graph` as far as it got. */
  | { kind: "load_failed"; id: number; body: { reason: string; graph: string[] } }
  /** Call `id` gave this output (bounded, see 2.5). */
  | {
    kind: "result";
    id: number;
    body: { output: string; truncated?: true; bytes?: number; lines?: number; file?: string };
  }
  /** Call `id` failed. `message` is bounded; `detail` (stack, causes) is for the log alone. */
  | { kind: "error"; id: number; body: { code: RunnerErrorCode; message: string; detail?: string } }
  /** Something the tool printed. `call` is 0 outside a call. */
  | { kind: "log"; id: number; body: { call: number; stream: "stdout" | "stderr" | "console"; text: string } }
  /** Worker `id` had an unhandled error outside a call, or tried to exit: it must not be used again. */
  | { kind: "worker_error"; id: number; body: { message: string } }
  /** Worker `id` was told to end; `stopped` is false when its thread goes on. */
  | { kind: "retired"; id: number; body: { stopped: boolean } };

/** Longest frame the daemon accepts from a runner, in bytes: a bounded output escaped as JSON, with room. */
export const MAX_RUNNER_FRAME_BYTES = 2 * 1024 * 1024;
