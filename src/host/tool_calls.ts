import { Buffer } from "node:buffer";
import { agentMayUse } from "../agents/may_use.ts";
import { isBeeuniTool } from "../beeuni_tools/registry.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Logger } from "../log/logger.ts";
import {
  agentForbidden,
  callAborted,
  callInFlight,
  callTimedOut,
  hostStopping,
  queueFull,
  sandboxDied,
  toolNotFound,
} from "./call_errors.ts";
import { type AgentEnv, type CallEnv, envFor } from "./call_env.ts";
import { CallQueue } from "./call_queue.ts";
import { type Call, newCall } from "./call_record.ts";
import { callTimeout } from "./call_timeout.ts";
import { Deadlines } from "./deadlines.ts";
import type { PlanBook } from "./plan_book.ts";
import type { ProjectCatalogue } from "./project_catalogue.ts";
import { type RunningCall, type RunningCallEnd, type Worker, WorkerFailure } from "./runner_worker.ts";
import { spillFolder } from "./spill_root.ts";
import { StopLadder } from "./stop_ladder.ts";
import type { ToolPool } from "./tool_pool.ts";
import { WorkerSource } from "./worker_source.ts";
import type { CallOutcome, CallRequest, CallResult, HostEvent } from "./types.ts";

/** What a worker numbers the two kinds of `context.env` with. */
const PLAIN_ENV = 1;
const BEEUNI_ENV = 2;

/** What the calls of a host need. */
export interface ToolCallsOptions {
  catalogue: ProjectCatalogue;
  plans: PlanBook;
  pool: ToolPool;
  env: CallEnv;
  root: string;
  spillRoot: string;
  logger: Logger;
  mask: (text: string) => string;
  /** Every spelling of those of `values` that are secrets; see `Masker.formsOf`. */
  maskForms: (values: Iterable<string>) => string[];
  emit: (event: HostEvent) => void;
}

/** Every call in flight: who may call, the queue, the deadline, the stop ladder, the answer. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #queue = new CallQueue<Call>((call) => this.#dispatch(call));
  /** Calls whose caller waits, by id. */
  readonly #calls = new Map<string, Call>();
  /** Calls that run in a worker, also answered ones, by their running part. */
  readonly #running = new Map<RunningCall, Call>();
  readonly #workers: WorkerSource;
  readonly #ladder: StopLadder;
  readonly #deadlines = new Deadlines();
  #stopping = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#workers = new WorkerSource(options);
    this.#ladder = new StopLadder({
      pool: options.pool,
      logger: options.logger,
      isAnswered: (running) => this.#running.get(running)?.answered ?? true,
    });
  }

  get stats(): { inFlight: number; queued: number } {
    return { inFlight: this.#queue.running, queued: this.#queue.waiting };
  }

  /** Runs one call; see `ToolHost.call`. */
  call(request: CallRequest): Promise<CallResult> {
    const call = newCall(request);
    const state = this.#options.catalogue.get(request.tool)?.state;
    if (state === "loading" && !this.#stopping) void this.#waitForLoad(call);
    else this.#admit(call);
    return call.settle.promise;
  }

  /** Aborts a call in flight or queued; false for an unknown id. */
  cancel(id: string): boolean {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#stop(call, "abort");
    return call !== undefined;
  }

  /** Takes no new calls from now on. */
  refuseNew(): void {
    this.#stopping = true;
  }

  /** Settles when no caller waits and no worker is busy with a call any more. */
  get idle(): Promise<void> {
    if (this.#calls.size === 0 && this.#running.size === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  /** Takes the stop ladder with every call. */
  abortAll(): void {
    for (const call of [...this.#calls.values()]) this.#stop(call, "abort");
  }

  /** The tool is still being loaded: the call waits for that, and can be cancelled meanwhile. */
  async #waitForLoad(call: Call): Promise<void> {
    if (!this.#register(call)) return;
    await this.#options.catalogue.get(call.request.tool)?.settled.promise;
    if (call.answered) return;
    this.#calls.delete(call.id);
    call.request.signal?.removeEventListener("abort", call.onAbort);
    this.#admit(call);
  }

  #admit(call: Call): void {
    const { tool, agent } = call.request;
    const { catalogue } = this.#options;
    if (this.#stopping) return this.#refuse(call, hostStopping());
    if (catalogue.get(tool)?.state !== "loaded") return this.#refuse(call, toolNotFound(tool));
    if (!agentMayUse(catalogue.manifest, agent, tool, "experimental")) {
      return this.#refuse(call, agentForbidden(agent, tool));
    }
    if (!this.#register(call)) return;
    const place = this.#queue.enter(tool, call);
    if (place === "full") return this.#answer(call, "refused", queueFull(tool));
    this.#options.emit({ type: "call_start", call: call.id, tool, agent, session: call.session });
    if (place === "run") this.#dispatch(call);
  }

  /** Makes a call known by its id; false when it was refused or is aborted already. */
  #register(call: Call): boolean {
    if (this.#calls.has(call.id)) {
      this.#refuse(call, callInFlight(call.id));
      return false;
    }
    const { signal, tool } = call.request;
    if (signal?.aborted) {
      this.#refuse(call, callAborted(tool), "aborted");
      return false;
    }
    this.#calls.set(call.id, call);
    if (signal !== undefined) {
      call.onAbort = () => this.#stop(call, "abort");
      signal.addEventListener("abort", call.onAbort, { once: true });
    }
    return true;
  }

  /** The call has a place: it runs as soon as there is a worker. */
  #dispatch(call: Call): void {
    if (call.answered) return this.#queue.release(call.request.tool);
    try {
      const { tool, agent } = call.request;
      const env = this.#options.env.of(agent);
      const plan = this.#options.plans.find(agent, tool, env);
      const worker = plan === undefined || this.#isFresh(tool) ? undefined : this.#options.pool.warm(plan);
      if (worker !== undefined) this.#begin(call, worker, env);
      else void this.#beginInNewWorker(call);
    } catch (error) {
      this.#fail(call, error);
    }
  }

  async #beginInNewWorker(call: Call): Promise<void> {
    try {
      const { agent, tool } = call.request;
      const worker =
        await (this.#isFresh(tool) ? this.#workers.own(agent, tool) : this.#workers.shared(agent, tool));
      if (!call.answered) return this.#begin(call, worker, this.#options.env.of(call.request.agent));
      this.#queue.release(call.request.tool);
      if (this.#isFresh(call.request.tool)) this.#options.pool.drain(worker);
    } catch (error) {
      this.#fail(call, error);
    }
  }

  #begin(call: Call, worker: Worker, env: AgentEnv): void {
    const { request, session } = call;
    const { tool, agent } = request;
    const { spillRoot, root } = this.#options;
    if (worker.state === "gone") throw new WorkerFailure("runner", "is gone", worker);
    call.started = performance.now();
    const running = worker.runner.begin(
      worker,
      call.id,
      {
        envId: isBeeuniTool(tool) ? BEEUNI_ENV : PLAIN_ENV,
        env: envFor(env, tool),
        spill: spillFolder(spillRoot, session),
        maskForms: this.#options.maskForms,
      },
      {
        args: request.args,
        sessionId: session,
        agent,
        // What memory keeps belongs to the project, wherever the call comes from (specification 3.7).
        directory: tool === "memory" ? root : request.directory ?? root,
      },
      (end) => this.#onEnd(call, running, end),
    );
    call.running = running;
    this.#running.set(running, call);
    this.#options.pool.began();
    call.cancelTimer = this.#deadlines.set(() => this.#stop(call, "timeout"), this.#timeout(call));
  }

  #timeout({ request }: Call): number {
    return callTimeout(request, this.#options.catalogue.manifest.settings.get(request.tool));
  }

  #isFresh(tool: string): boolean {
    return this.#options.catalogue.manifest.settings.get(tool)?.fresh ?? false;
  }

  /** The runner's side of a call is over. */
  #onEnd(call: Call, running: RunningCall, end: RunningCallEnd): void {
    const { tool } = call.request;
    const { worker } = running;
    call.cancelTimer();
    this.#running.delete(running);
    if (!call.answered) this.#answerEnd(call, end);
    this.#queue.release(tool);
    if (this.#isFresh(tool)) this.#options.pool.drain(worker);
    this.#options.pool.released(worker);
    this.#ladder.over(worker);
    this.#tellIdle();
  }

  #answerEnd(call: Call, end: RunningCallEnd): void {
    const { tool, agent } = call.request;
    const { mask, logger } = this.#options;
    switch (end.kind) {
      case "result":
        return this.#answer(call, "completed", undefined, end.body);
      case "gone":
        return this.#answer(call, "sandbox_died", sandboxDied(tool, end.what));
      case "error": {
        const { code, message, detail } = end.body;
        if (detail !== undefined) {
          logger.info("a tool failed", { tool, agent, call: call.id, detail: mask(detail) });
        }
        if (code === "worker_gone") {
          const error = new BeeuniError("sandbox_died", mask(message), { details: { retryable: true } });
          return this.#answer(call, "sandbox_died", error);
        }
        return this.#answer(call, "error", new BeeuniError("tool_failed", mask(message)));
      }
    }
  }

  /** The call has a place but could not be begun. */
  #fail(call: Call, error: unknown): void {
    const { tool } = call.request;
    if (!call.answered) {
      const known = this.#beginningError(tool, error);
      this.#answer(call, known.code === "sandbox_died" ? "sandbox_died" : "error", known);
    }
    this.#queue.release(tool);
    this.#tellIdle();
  }

  #beginningError(tool: string, error: unknown): BeeuniError {
    const { mask, logger } = this.#options;
    if (error instanceof BeeuniError) return error;
    if (!(error instanceof WorkerFailure)) {
      logger.error("a call could not be begun", {
        tool,
        reason: error instanceof Error ? error.stack : String(error),
      });
      return new BeeuniError("internal", `${tool} could not be started.`, { cause: error });
    }
    if (error.kind === "runner") return sandboxDied(tool, error.message);
    const reason = error.kind === "timeout"
      ? `${tool} could not be started: ${error.message}`
      : error.message;
    return new BeeuniError("tool_failed", mask(reason));
  }

  /** First step of the stop ladder (specification 2.3): the caller is answered and `context.signal` aborts. */
  #stop(call: Call, reason: "abort" | "timeout"): void {
    if (call.answered) return;
    const { tool, agent } = call.request;
    const ms = this.#timeout(call);
    const { running } = call;
    call.cancelTimer();
    if (running !== undefined) {
      const message = reason === "abort"
        ? "the call was cancelled"
        : `the call did not finish within ${ms} ms`;
      call.cancelTimer = this.#ladder.tell(running, agent, { reason, message });
    } else {
      // It never starts; one that has a place already gives it back when its worker is there.
      this.#queue.leave(tool, call);
    }
    if (reason === "abort") this.#answer(call, "aborted", callAborted(tool));
    else this.#answer(call, "timed_out", callTimedOut(tool, ms));
  }

  /** Tells the caller before the call was taken in. */
  #refuse(call: Call, error: BeeuniError, outcome: CallOutcome = "refused"): void {
    call.answered = true;
    this.#tellEnd(call, outcome, error.code, 0);
    call.settle.reject(error);
  }

  /** Tells the caller, once. */
  #answer(
    call: Call,
    outcome: CallOutcome,
    error: BeeuniError | undefined,
    result?: Extract<RunningCallEnd, { kind: "result" }>["body"],
  ): void {
    call.answered = true;
    this.#calls.delete(call.id);
    call.request.signal?.removeEventListener("abort", call.onAbort);
    const bytes = result === undefined ? 0 : result.bytes ?? Buffer.byteLength(result.output);
    const durationMs = this.#tellEnd(call, outcome, error?.code, bytes);
    if (error !== undefined) call.settle.reject(error);
    else if (result !== undefined) call.settle.resolve({ call: call.id, ...result, durationMs });
    this.#tellIdle();
  }

  /** @returns The run time in milliseconds. */
  #tellEnd(call: Call, outcome: CallOutcome, code: string | undefined, bytes: number): number {
    const now = performance.now();
    const { id, session, accepted, started, request: { tool, agent } } = call;
    const queuedMs = toMicroseconds((started === 0 ? now : started) - accepted);
    const runMs = started === 0 ? 0 : toMicroseconds(now - started);
    const event = {
      type: "call_end",
      call: id,
      tool,
      agent,
      session,
      outcome,
      queuedMs,
      runMs,
      bytes,
    } as const;
    this.#options.emit(code === undefined ? event : { ...event, code });
    return runMs;
  }

  #tellIdle(): void {
    if (this.#idle === undefined || this.#calls.size > 0 || this.#running.size > 0) return;
    this.#idle.resolve();
    this.#idle = undefined;
  }
}

/** Milliseconds to the microsecond: what is behind that is noise of the clock, and long to read. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
