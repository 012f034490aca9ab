import { Buffer } from "node:buffer";
import {
  type CallBody,
  type CallRoute,
  decodeRunnerFrame,
  encodeFrame,
  type RunnerFrame,
  type WorkerSpec,
} from "./protocol.ts";
import type { EnvSet } from "./call_env.ts";
import type { RunnerEnd } from "./runner_process.ts";
import {
  type LoadedModule,
  type RunningCall,
  type RunningCallEnd,
  Worker,
  WorkerFailure,
} from "./runner_worker.ts";
import { longTimeout } from "./long_timeout.ts";
import { OutputBudget } from "./output_budget.ts";
import { isSpillFile } from "./spill_root.ts";

/** How long a module may take to load, in milliseconds (specification 2.2). */
export const LOAD_TIMEOUT_MS = 10_000;

/** How long a runner may take to say that a worker is gone, in milliseconds. */
const RETIRE_TIMEOUT_MS = 2_000;

/** Longest output of a call, in bytes (specification 2.5). */
const MAX_OUTPUT_BYTES = 51_200;

/** How many ids of ended calls and workers are remembered, to tell a late frame from a made-up one. */
const MAX_REMEMBERED = 4096;

/** What a runner tells its owner. */
export interface RunnerEvents {
  log(
    worker: Worker,
    call: RunningCall | undefined,
    stream: "stdout" | "stderr" | "console",
    text: string,
  ): void;
  /** So many bytes of what tools printed were not worth keeping. */
  dropped(bytes: number): void;
  /** A worker must not be used again (an error outside a call, an attempt to exit). */
  workerError(worker: Worker, message: string): void;
  /** A worker read further modules after it was loaded. */
  graph(worker: Worker, graph: string[]): void;
  /** A message that must not be, the first time; the second one ends the process. */
  violation(what: string): void;
}

/** The channel to one runner process. */
export interface RunnerChannel {
  readonly pid: number;
  readonly ended: Promise<void>;
  send(frames: string): void;
  kill(end: RunnerEnd): void;
}

/** Numbers of workers and calls, unique in this daemon. */
let counter = 0;

/** The daemon's view of one runner: its workers, its calls, and the frames between. It believes nothing it is told. */
export class Runner {
  readonly #events: RunnerEvents;
  readonly workers = new Map<number, Worker>();
  readonly calls = new Map<number, RunningCall>();
  /** Workers that were told to end and have not been heard of: their code may still run. */
  readonly ending = new Set<Worker>();
  readonly #loading = new Map<number, (frame: RunnerFrame | WorkerFailure) => void>();
  readonly #retiring = new Map<number, (stopped: boolean) => void>();
  /** Ids that ended on our side, and what may still be said about them. */
  readonly #ended = new Set<number>();
  readonly #envs = new Map<number, EnvSet>();
  readonly #hello = Promise.withResolvers<void>();
  #channel: RunnerChannel | undefined;
  /** What was sent before there was a channel. */
  #unsent = "";
  readonly #budget = new OutputBudget();
  #violations = 0;
  #killed: RunnerEnd | undefined;
  /** Set when the process is gone. */
  end: RunnerEnd | undefined;
  lastUsed = performance.now();
  greeted = false;

  constructor(events: RunnerEvents) {
    this.#events = events;
  }

  /** Takes the channel; what was sent before waits for it. */
  attach(channel: RunnerChannel): void {
    this.#channel = channel;
    if (this.#killed !== undefined) channel.kill(this.#killed);
    if (this.#unsent !== "") channel.send(this.#unsent);
    this.#unsent = "";
  }

  get pid(): number {
    return this.#channel?.pid ?? 0;
  }

  /** Settles when the process is gone. */
  get ended(): Promise<void> {
    return this.#channel?.ended ?? Promise.resolve();
  }

  /** Ends the process; one that has not been started yet is killed as soon as it is. */
  kill(end: RunnerEnd): void {
    this.#killed ??= end;
    this.#channel?.kill(end);
  }

  /**
   * Makes a worker and waits until its module is loaded.
   *
   * @throws {WorkerFailure}
   */
  async load(tool: string, spec: WorkerSpec): Promise<{ worker: Worker; module: LoadedModule }> {
    const worker = new Worker(++counter, tool, this);
    if (this.end !== undefined) throw new WorkerFailure("runner", this.end.what, worker);
    this.workers.set(worker.id, worker);
    const outcome = Promise.withResolvers<RunnerFrame | WorkerFailure>();
    let cancel = () => {};
    let over = false;
    this.#loading.set(worker.id, outcome.resolve);
    this.#send(encodeFrame({ kind: "worker", id: worker.id, body: spec }));
    // The time a process takes to start is not the module's.
    void this.#hello.promise.then(() => {
      if (over) return;
      cancel = longTimeout(() => {
        outcome.resolve(
          new WorkerFailure("timeout", `it did not load within ${LOAD_TIMEOUT_MS / 1000} s`, worker),
        );
      }, LOAD_TIMEOUT_MS);
    });
    const frame = await outcome.promise;
    over = true;
    cancel();
    this.#loading.delete(worker.id);
    if (frame instanceof WorkerFailure) throw frame;
    if (frame.kind === "loaded") {
      if (worker.state !== "starting") throw new WorkerFailure("runner", "is gone", worker);
      worker.state = "ready";
      worker.lastUsed = this.lastUsed = performance.now();
      return { worker, module: frame.body };
    }
    this.#forgetWorker(worker);
    throw new WorkerFailure(
      "load",
      frame.kind === "load_failed" ? frame.body.reason : "it did not load",
      worker,
    );
  }

  /**
   * Sends a call to a worker.
   *
   * @param call Its id as the caller knows it.
   * @param route `maskForms` gives the spellings of the secrets among some values; asked when `env` is a new one.
   * @param onEnd Told once how it ended.
   */
  begin(
    worker: Worker,
    call: string,
    route: { envId: number; env: EnvSet; spill: string; maskForms?: (values: Iterable<string>) => string[] },
    body: CallBody,
    onEnd: (end: RunningCallEnd) => void,
  ): RunningCall {
    const running: RunningCall = { number: ++counter, call, worker, onEnd, spill: route.spill };
    worker.calls.add(running);
    this.calls.set(running.number, running);
    let frames = "";
    if (this.#envs.get(route.envId) !== route.env) {
      this.#envs.set(route.envId, route.env);
      const forms = route.maskForms?.(Object.values(route.env)) ?? [];
      if (forms.length > 0) frames = encodeFrame({ kind: "mask", id: route.envId, body: forms });
      frames += encodeFrame({ kind: "env", id: route.envId, body: route.env });
    }
    const begin: CallRoute = { worker: worker.id, env: route.envId, tool: worker.tool, spill: route.spill };
    frames += encodeFrame({ kind: "begin", id: running.number, body: begin });
    frames += encodeFrame({ kind: "call", id: running.number, body });
    this.#send(frames);
    return running;
  }

  /** Aborts `context.signal` of a call. */
  abort(running: RunningCall, reason: "abort" | "timeout", message: string): void {
    if (!this.calls.has(running.number)) return;
    this.#send(encodeFrame({ kind: "abort", id: running.number, body: { reason, message } }));
  }

  /**
   * Ends a worker; calls that run in it are told that it is gone.
   *
   * @param what Stands behind `the sandbox of <tool> ` for those calls.
   * @returns Whether its thread stopped.
   */
  retire(worker: Worker, what = "was stopped"): Promise<boolean> {
    if (worker.state === "gone" || this.end !== undefined) return Promise.resolve(true);
    this.#forgetWorker(worker, what);
    this.ending.add(worker);
    return new Promise((resolve) => {
      const cancel = longTimeout(() => this.#retiring.get(worker.id)?.(false), RETIRE_TIMEOUT_MS);
      this.#retiring.set(worker.id, (stopped) => {
        cancel();
        this.ending.delete(worker);
        this.#retiring.delete(worker.id);
        resolve(stopped);
      });
      this.#send(encodeFrame({ kind: "retire", id: worker.id, body: {} }));
    });
  }

  /** One line of the channel. */
  receive(line: Uint8Array): void {
    if (startsWith(line, LOG) && !this.#mayLog(line.length)) return;
    const frame = decodeRunnerFrame(line);
    if (frame === undefined) this.#violation("a message that is not well formed");
    else if (!this.#handle(frame)) this.#violation(`an unexpected \`${frame.kind}\` about ${frame.id}`);
  }

  /** The process is gone: everything that waits for it is told. */
  onProcessEnd(end: RunnerEnd): void {
    this.end = end;
    this.#hello.resolve();
    for (const [id, settle] of this.#loading) {
      const worker = this.workers.get(id);
      if (worker !== undefined) settle(new WorkerFailure("runner", end.what, worker));
    }
    for (const settle of [...this.#retiring.values()]) settle(true);
    for (const worker of [...this.workers.values()]) this.#forgetWorker(worker, end.what);
  }

  #mayLog(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    const dropped = this.#budget.takeDropped();
    if (dropped > 0) this.#events.dropped(dropped);
    return true;
  }

  /** False for what must not be said. */
  #handle(frame: RunnerFrame): boolean {
    switch (frame.kind) {
      case "hello": {
        const first = !this.greeted;
        this.greeted = true;
        this.#hello.resolve();
        return first;
      }
      case "loaded":
      case "load_failed": {
        const settle = this.#loading.get(frame.id);
        this.#loading.delete(frame.id);
        settle?.(frame);
        return settle !== undefined || this.#ended.has(frame.id);
      }
      case "result":
      case "error": {
        const running = this.calls.get(frame.id);
        if (running === undefined) return this.#ended.delete(frame.id);
        this.calls.delete(frame.id);
        running.worker.calls.delete(running);
        running.worker.lastUsed = this.lastUsed = performance.now();
        const good = frame.kind === "error" || isBounded(frame.body, running.spill);
        running.onEnd(good ? frame : { kind: "gone", what: "sent an output that is not bounded" });
        return good;
      }
      case "log": {
        const worker = this.workers.get(frame.id);
        const call = this.calls.get(frame.body.call);
        if (worker !== undefined) {
          this.#events.log(
            worker,
            call?.worker === worker ? call : undefined,
            frame.body.stream,
            frame.body.text,
          );
        }
        return worker !== undefined || this.#ended.has(frame.id);
      }
      case "worker_error": {
        const worker = this.workers.get(frame.id);
        if (worker !== undefined) this.#events.workerError(worker, frame.body.message);
        return worker !== undefined || this.#ended.has(frame.id);
      }
      case "graph": {
        const worker = this.workers.get(frame.id);
        if (worker !== undefined) this.#events.graph(worker, frame.body.graph);
        return worker !== undefined || this.#ended.has(frame.id);
      }
      case "retired": {
        const settle = this.#retiring.get(frame.id);
        settle?.(frame.body.stopped);
        return settle !== undefined || this.#ended.has(frame.id);
      }
    }
  }

  #forgetWorker(worker: Worker, what = "is gone"): void {
    worker.state = "gone";
    this.workers.delete(worker.id);
    this.#remember(worker.id);
    for (const running of [...worker.calls]) {
      worker.calls.delete(running);
      this.calls.delete(running.number);
      this.#remember(running.number);
      running.onEnd({ kind: "gone", what });
    }
  }

  #remember(id: number): void {
    this.#ended.add(id);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MAX_REMEMBERED) break;
      this.#ended.delete(oldest);
    }
  }

  #violation(what: string): void {
    this.#events.violation(what);
    if (++this.#violations > 1) this.kill({ what: `was stopped: it sent ${what}`, expected: false });
  }

  #send(frames: string): void {
    if (this.#channel === undefined) this.#unsent += frames;
    else this.#channel.send(frames);
  }
}

const LOG = new TextEncoder().encode("log ");

function startsWith(line: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => line[index] === byte);
}

/** Whether an output keeps the bounds of 2.5, and its file is where the daemon said. */
function isBounded(body: { output: string; file?: string }, spill: string): boolean {
  if (body.file !== undefined && !isSpillFile(body.file, spill)) return false;
  if (body.output.length * 3 <= MAX_OUTPUT_BYTES) return true;
  return Buffer.byteLength(body.output) <= MAX_OUTPUT_BYTES;
}
