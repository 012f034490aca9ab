import type { RunnerFrame } from "./protocol.ts";
import type { Runner } from "./runner.ts";

/** What a module gave when it loaded. */
export interface LoadedModule {
  description: string;
  parameters: unknown;
  /** Real paths as the runner says; to be believed inside the allowed roots only. */
  graph: string[];
}

/** Why a worker could not be made. */
export class WorkerFailure extends Error {
  override readonly name = "WorkerFailure";
  /** `load`: the module's fault; `timeout`: it did not finish; `runner`: its process ended meanwhile. */
  readonly kind: "load" | "timeout" | "runner";
  /** The worker that is still there after a `timeout`: it has to be retired. */
  readonly worker: Worker;

  constructor(kind: WorkerFailure["kind"], message: string, worker: Worker) {
    super(message);
    this.kind = kind;
    this.worker = worker;
  }
}

/** A tool's worker in a runner. */
export class Worker {
  readonly id: number;
  readonly tool: string;
  readonly runner: Runner;
  /** Tool and rights it was made for: another text means that it must not be used any more. */
  stamp = "";
  /** Calls that run in it, also those whose caller was answered already. */
  readonly calls = new Set<RunningCall>();
  /** Milliseconds of the steady clock. */
  lastUsed = performance.now();
  state: "starting" | "ready" | "draining" | "gone" = "starting";

  constructor(id: number, tool: string, runner: Runner) {
    this.id = id;
    this.tool = tool;
    this.runner = runner;
  }
}

/** One call that was sent to a worker. */
export interface RunningCall {
  /** Number of the call in the protocol. */
  readonly number: number;
  /** Id of the call as its caller knows it. */
  readonly call: string;
  readonly worker: Worker;
  /** Told once: its result or error, or that the worker or the process went away. */
  readonly onEnd: (end: RunningCallEnd) => void;
  /** Where its whole output may be. */
  readonly spill: string;
}

/** How a call ended on the runner's side. */
export type RunningCallEnd =
  | Extract<RunnerFrame, { kind: "result" | "error" }>
  | { kind: "gone"; what: string };
