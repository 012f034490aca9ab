import type { Logger } from "../log/logger.ts";
import { longTimeout } from "./long_timeout.ts";
import { Runner, type RunnerEvents } from "./runner.ts";
import { type LoadedModule, type Worker, WorkerFailure } from "./runner_worker.ts";
import type { LaunchedRunner } from "./runner_launcher.ts";
import type { RunnerPlan, ToolPlan } from "./runner_plan.ts";
import type { RunnerEnd, RunnerProcessOptions } from "./runner_process.ts";
import { RunnerWatch, type WatchedRunner } from "./runner_watch.ts";
import type { HostEvent } from "./types.ts";
import type { WorkerSpec } from "./protocol.ts";

/** A worker, and a runner, without a call is ended after this time, in milliseconds (specification 2.3). */
const IDLE_MS = 60_000;

/** How long a runner with a thread that goes on may live for its other calls, in milliseconds (specification 2.3). */
const LAST_CALLS_MS = 10_000;

/** What a pool needs from its host. */
export interface ToolPoolOptions {
  launch: (
    plan: RunnerPlan,
    events: Pick<RunnerProcessOptions, "onLine" | "onOutput" | "onEnd">,
  ) => Promise<LaunchedRunner>;
  /** The frame that makes a tool's worker. */
  spec: (plan: ToolPlan, rights: Pick<WorkerSpec, "revoke" | "net" | "run" | "sys">) => WorkerSpec;
  /** Upper bound of a runner's resident memory, in bytes. */
  maxRss: number;
  /** When a worker, and a runner, without a call is ended, in milliseconds; default 60,000. */
  idleMs?: number;
  logger: Logger;
  emit: (event: HostEvent) => void;
  onLog: (
    agent: string,
    tool: string,
    call: string | undefined,
    stream: "stdout" | "stderr" | "console",
    text: string,
  ) => void;
  onGraph: (tool: string, graph: string[]) => void;
  /** These tools ended their process or could not be stopped: from now on each has a process of its own. */
  onSuspects: (agent: string, tools: string[]) => void;
}

/** A runner and what the pool knows about it. */
interface PooledRunner {
  key: string;
  agent: string;
  runner: Runner;
  launched: Promise<LaunchedRunner>;
  /** The worker of each tool that takes new calls. */
  warm: Map<string, Worker>;
  /** Tools whose workers are being made. */
  starting: Map<Worker["tool"], number>;
  watched: WatchedRunner;
}

/** Who runs where: the runner processes and warm workers of a host. */
export class ToolPool {
  readonly #options: ToolPoolOptions;
  /** Runners that take new calls. */
  readonly #runners = new Map<string, PooledRunner>();
  /** Every runner with a process. */
  readonly #all = new Set<PooledRunner>();
  readonly #owners = new Map<Runner, PooledRunner>();
  /** How a runner whose thread goes on is ended. */
  readonly #dying = new Map<PooledRunner, () => void>();
  readonly #watch: RunnerWatch;
  #restarts = 0;

  constructor(options: ToolPoolOptions) {
    this.#options = options;
    this.#watch = new RunnerWatch(options.maxRss);
  }

  get stats(): { workers: number; runners: number; restarts: number } {
    let workers = 0;
    for (const { runner } of this.#all) workers += runner.workers.size;
    return { workers, runners: this.#all.size, restarts: this.#restarts };
  }

  /** The worker that can take a call at once. */
  warm(plan: ToolPlan): Worker | undefined {
    const pooled = this.#runners.get(plan.runner.key);
    const worker = pooled?.warm.get(plan.entry.name);
    if (worker === undefined || worker.stamp === plan.stamp) return worker;
    this.drain(worker);
    return undefined;
  }

  /** Starts the process of a plan when there is none; does not wait for it. */
  prepare(plan: ToolPlan): void {
    this.#runnerOf(plan.runner);
  }

  /**
   * Makes a new worker; it takes no calls before {@link publish}.
   *
   * @throws {WorkerFailure} `load`, or `runner` when the process ended meanwhile.
   * @throws {BeeuniError} `engine` when no process can be started.
   */
  async make(plan: ToolPlan): Promise<{ worker: Worker; module: LoadedModule }> {
    const pooled = this.#runnerOf(plan.runner);
    const tool = plan.entry.name;
    pooled.starting.set(tool, (pooled.starting.get(tool) ?? 0) + 1);
    this.#watch.wake();
    try {
      const launched = await pooled.launched;
      const made = await pooled.runner.load(
        tool,
        this.#options.spec(plan, launched.workerRights(plan.rights)),
      );
      made.worker.stamp = plan.stamp;
      return made;
    } catch (error) {
      if (error instanceof WorkerFailure && error.kind === "timeout") {
        await this.terminate(error.worker, "did not load");
      }
      throw error;
    } finally {
      const left = (pooled.starting.get(tool) ?? 1) - 1;
      if (left === 0) pooled.starting.delete(tool);
      else pooled.starting.set(tool, left);
    }
  }

  /**
   * Lets a worker take further calls of its tool.
   *
   * @returns False when it must not be used at all: it, or its process, is on its way out.
   */
  publish(worker: Worker): boolean {
    const pooled = this.#owners.get(worker.runner);
    if (pooled === undefined || worker.state !== "ready" || !this.#isCurrent(pooled)) return false;
    const before = pooled.warm.get(worker.tool);
    if (before !== undefined && before !== worker) this.drain(before);
    pooled.warm.set(worker.tool, worker);
    return true;
  }

  /** No new calls for this worker; it is ended when its calls are over. */
  drain(worker: Worker): void {
    const pooled = this.#owners.get(worker.runner);
    if (pooled?.warm.get(worker.tool) === worker) pooled.warm.delete(worker.tool);
    if (worker.state !== "ready" && worker.state !== "draining") return;
    worker.state = "draining";
    if (worker.calls.size === 0) void this.terminate(worker, "was stopped");
  }

  /** Drains every worker for which the rule says so; then runners that no plan names any more. */
  drainWhere(
    outdated: (agent: string, worker: Worker) => boolean,
    plannedKeys: (agent: string) => ReadonlySet<string>,
  ): void {
    for (const pooled of [...this.#all]) {
      for (const worker of [...pooled.warm.values()]) if (outdated(pooled.agent, worker)) this.drain(worker);
      if (!plannedKeys(pooled.agent).has(pooled.key)) this.#retireRunner(pooled);
    }
  }

  /** To be told whenever a call in a worker is over. */
  released(worker: Worker): void {
    if (worker.state === "draining" && worker.calls.size === 0) void this.terminate(worker, "was stopped");
    const pooled = this.#owners.get(worker.runner);
    if (pooled !== undefined && !this.#isCurrent(pooled)) this.#endIfUnused(pooled);
  }

  /** To be told whenever a call begins. */
  began(): void {
    this.#watch.wake();
  }

  /**
   * Ends a worker's thread. When the thread goes on, its runner takes no new calls, and is killed when its other
   * calls are over, at the latest after 10 s.
   *
   * @param what Stands behind `the sandbox of <tool> ` for calls that still run in it.
   */
  async terminate(worker: Worker, what: string): Promise<void> {
    const { logger } = this.#options;
    const pooled = this.#owners.get(worker.runner);
    if (pooled?.warm.get(worker.tool) === worker) pooled.warm.delete(worker.tool);
    const stopped = await worker.runner.retire(worker, what);
    if (stopped || pooled === undefined || worker.runner.end !== undefined) return;
    const about = { tool: worker.tool, agent: pooled.agent, pid: pooled.runner.pid };
    logger.warn("a tool's thread goes on: its process takes no new calls and will be killed", {
      ...about,
      code: "runner_replaced",
    });
    this.#restarts++;
    this.#options.onSuspects(pooled.agent, [worker.tool]);
    const end = {
      what: `was stopped: ${worker.tool}, which ran beside it, could not be stopped alone`,
      expected: true,
    };
    this.#forget(pooled);
    const kill = () => {
      logger.warn("a process with a thread that goes on was killed", { ...about, code: "runner_killed" });
      pooled.runner.kill(end);
    };
    const cancel = longTimeout(kill, LAST_CALLS_MS);
    void pooled.runner.ended.then(cancel);
    this.#dying.set(pooled, kill);
    this.#endIfUnused(pooled);
  }

  /** Kills every process. */
  async stop(): Promise<void> {
    const all = [...this.#all];
    for (const { runner } of all) runner.kill({ what: "was stopped with the daemon", expected: true });
    await Promise.all(all.map((pooled) => pooled.launched.then(({ process }) => process.ended, () => {})));
  }

  #runnerOf(plan: RunnerPlan): PooledRunner {
    const known = this.#runners.get(plan.key);
    if (known !== undefined) return known;
    const agent = plan.agent ?? "";
    const runner = new Runner(this.#eventsOf(agent));
    const launched = this.#options.launch(plan, {
      onLine: (line) => runner.receive(line),
      onOutput: (stream, text) => this.#onOutput(pooled, stream, text),
      onEnd: (end) => this.#onEnd(pooled, end),
    });
    const pooled: PooledRunner = {
      key: plan.key,
      agent,
      runner,
      launched,
      warm: new Map(),
      starting: new Map(),
      watched: {
        get pid() {
          return runner.pid;
        },
        get busy() {
          return isBusy(pooled);
        },
        onTooLarge: () => runner.kill({ what: "ran out of memory", expected: false }),
        onSweep: () => this.#sweep(pooled),
      },
    };
    this.#runners.set(plan.key, pooled);
    this.#all.add(pooled);
    this.#watch.add(pooled.watched);
    this.#owners.set(runner, pooled);
    launched.then(({ process }) => {
      runner.attach(process);
      this.#options.emit({ type: "runner", agent, pid: process.pid, state: "started" });
    }, (error) => this.#onEnd(pooled, { what: `could not be started: ${String(error)}`, expected: true }));
    return pooled;
  }

  #eventsOf(agent: string): RunnerEvents {
    const { logger, onLog, onGraph } = this.#options;
    return {
      log: (worker, call, stream, text) => onLog(agent, worker.tool, call?.call, stream, text),
      workerError: (worker, message) => {
        onLog(agent, worker.tool, undefined, "stderr", message);
        this.drain(worker);
      },
      graph: (worker, graph) => onGraph(worker.tool, graph),
      dropped: (bytes) => logger.warn("tools printed too much: part of it was dropped", { agent, bytes }),
      violation: (what) =>
        logger.warn("a sandbox sent a wrong message", { agent, what, code: "runner_protocol" }),
    };
  }

  /** What the process itself printed; of one call when only one was running. */
  #onOutput(pooled: PooledRunner, stream: "stdout" | "stderr", text: string): void {
    const [call, another] = pooled.runner.calls.values();
    const only = another === undefined ? call : undefined;
    this.#options.onLog(pooled.agent, only?.worker.tool ?? "", only?.call, stream, text);
  }

  #onEnd(pooled: PooledRunner, end: RunnerEnd): void {
    const { runner, agent } = pooled;
    this.#forget(pooled);
    this.#all.delete(pooled);
    this.#watch.delete(pooled.watched);
    this.#owners.delete(runner);
    this.#dying.delete(pooled);
    if (!end.expected) {
      this.#restarts++;
      const suspects = suspectsOf(pooled);
      this.#options.logger.warn("a sandbox ended", {
        agent,
        pid: runner.pid,
        what: end.what,
        tools: suspects,
      });
      this.#options.onSuspects(agent, suspects);
    }
    runner.onProcessEnd(end);
    if (runner.pid === 0) return;
    const state = end.expected ? "ended" : "killed";
    this.#options.emit({ type: "runner", agent, pid: runner.pid, state, reason: end.what });
  }

  #isCurrent(pooled: PooledRunner): boolean {
    return this.#runners.get(pooled.key) === pooled;
  }

  /** No new calls for this runner. */
  #forget(pooled: PooledRunner): void {
    if (this.#isCurrent(pooled)) this.#runners.delete(pooled.key);
    pooled.warm.clear();
  }

  #retireRunner(pooled: PooledRunner): void {
    this.#forget(pooled);
    this.#endIfUnused(pooled);
  }

  #endIfUnused(pooled: PooledRunner): void {
    if (isBusy(pooled)) return;
    const kill = this.#dying.get(pooled);
    if (kill !== undefined) kill();
    else pooled.runner.kill({ what: "was stopped", expected: true });
  }

  /** A second has passed: ends what nobody has used for a minute. */
  #sweep(pooled: PooledRunner): void {
    const now = performance.now();
    const { idleMs = IDLE_MS } = this.#options;
    for (const worker of [...pooled.warm.values()]) {
      if (worker.calls.size === 0 && now - worker.lastUsed > idleMs) this.drain(worker);
    }
    if (!isBusy(pooled) && now - pooled.runner.lastUsed > idleMs) this.#retireRunner(pooled);
  }
}

function isBusy({ runner, starting }: PooledRunner): boolean {
  return runner.calls.size > 0 || starting.size > 0;
}

/**
 * Who may have ended a process: the tools with calls in it, being loaded, or told to end (after an error that nothing
 * caught, say); when there are none, all that lived there.
 */
function suspectsOf({ runner, starting }: PooledRunner): string[] {
  const running = [...runner.calls.values()].map((call) => call.worker.tool);
  const busy = new Set([...running, ...starting.keys(), ...[...runner.ending].map(({ tool }) => tool)]);
  return [...busy.size > 0 ? busy : new Set([...runner.workers.values()].map((worker) => worker.tool))];
}
