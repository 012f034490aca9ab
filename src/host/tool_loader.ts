import { pathToFileURL } from "node:url";
import { BeeuniError } from "../errors/error.ts";
import type { Logger } from "../log/logger.ts";
import { checkDescription, checkParameters, prepareCheck } from "./check_parameters.ts";
import { type Fingerprint, fingerprint, hashFiles } from "./fingerprint.ts";
import { isRecord } from "./is_record.ts";
import type { ModuleLoad } from "./load_cache.ts";
import { modulePathProblem, type ModulePlace } from "./module_path.ts";
import type { WorkerSpec } from "./protocol.ts";
import { Runner } from "./runner.ts";
import { type LoadedModule, WorkerFailure } from "./runner_worker.ts";
import type { LaunchedRunner } from "./runner_launcher.ts";
import type { RunnerProcessOptions } from "./runner_process.ts";
import { RunnerWatch, type WatchedRunner } from "./runner_watch.ts";
import type { RunnerPlan, ToolPlan } from "./runner_plan.ts";

/** How many modules are loaded at the same time: creating workers does not scale beyond the cores anyway. */
const PARALLEL = 4;

/** How often a module is loaded anew because its files changed while it loaded. */
const MAX_ATTEMPTS = 3;

/** A change this long before a load began may still bear an older time stamp, in milliseconds. */
const CLOCK_SLACK_MS = 10;

const STOPPED = "the tool host was stopped before it loaded";

/** What became of one module. */
export type LoadOutcome = { load: ModuleLoad } | { reason: string };

/** One module to load. */
export interface LoadTask {
  plan: ToolPlan;
  place: ModulePlace;
}

/** What a loader needs from its host. */
export interface ToolLoaderOptions {
  /** Starts a process that loads modules. */
  launch: (
    plan: RunnerPlan,
    events: Pick<RunnerProcessOptions, "onLine" | "onOutput" | "onEnd">,
  ) => Promise<LaunchedRunner>;
  /** Real path of the project root. */
  root: string;
  /** Upper bound of a process's resident memory, in bytes. */
  maxRss: number;
  logger: Logger;
  /** What a module printed while it loaded; `tool` is empty when that can't be told. */
  onLog: (tool: string, stream: "stdout" | "stderr" | "console", text: string) => void;
}

/** A runner while it loads modules. */
interface LoadRunner {
  runner: Runner;
  launched: Promise<LaunchedRunner>;
  watched: WatchedRunner;
  busy: number;
  /** No more modules for it: a thread in it goes on, or it died. */
  closed: boolean;
}

/**
 * Learns descriptions and schemas by importing each module in a worker of its own, in a process without a right to
 * write, to start a program, or to a secret (specification 2.2).
 *
 * A module that loops costs its own tool only: its process takes no further modules and is killed when the others
 * in it are done. A module that ends the process is found by loading those that were in it one by one.
 */
export class ToolLoader {
  readonly #options: ToolLoaderOptions;
  readonly #runners = new Set<LoadRunner>();
  readonly #watch: RunnerWatch;
  #stopped = false;

  constructor(options: ToolLoaderOptions) {
    this.#options = options;
    this.#watch = new RunnerWatch(options.maxRss);
  }

  /** Kills every process at once: what still loads has failed. */
  stop(): void {
    this.#stopped = true;
    for (const { runner } of this.#runners) {
      runner.kill({ what: "was stopped with the daemon", expected: true });
    }
  }

  /**
   * Loads modules; each outcome is told as soon as it is known. Never rejects.
   *
   * @param onOutcome Called once per task.
   */
  async load(
    tasks: readonly LoadTask[],
    onOutcome: (task: LoadTask, outcome: LoadOutcome) => void,
  ): Promise<void> {
    const [first] = tasks;
    if (first === undefined) return;
    try {
      const suspects = await this.#loadTogether(tasks, first.plan.runner, onOutcome);
      for (const task of suspects) onOutcome(task, await this.#loadAlone(task));
    } finally {
      for (const one of this.#runners) this.#close(one);
    }
  }

  /** @returns The modules whose process ended while they loaded: one of them did it. */
  async #loadTogether(
    tasks: readonly LoadTask[],
    plan: RunnerPlan,
    onOutcome: (task: LoadTask, outcome: LoadOutcome) => void,
  ): Promise<LoadTask[]> {
    const open = [...tasks];
    const suspects: LoadTask[] = [];
    let shared: LoadRunner | undefined;
    const next = async (): Promise<void> => {
      for (let task = open.shift(); task !== undefined; task = open.shift()) {
        const problem = this.#stopped ? STOPPED : modulePathProblem(task.plan.entry, task.place);
        if (problem !== undefined) {
          onOutcome(task, { reason: problem });
          continue;
        }
        if (shared === undefined || shared.closed) shared = this.#start(plan);
        const outcome = await this.#loadIn(shared, task);
        if ("crash" in outcome) suspects.push(task);
        else onOutcome(task, outcome);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, next));
    return suspects;
  }

  async #loadAlone(task: LoadTask): Promise<LoadOutcome> {
    if (this.#stopped) return { reason: STOPPED };
    const alone = this.#start(task.plan.runner);
    const outcome = await this.#loadIn(alone, task);
    this.#close(alone);
    return "crash" in outcome
      ? { reason: `${task.plan.entry.source}: its sandbox ${outcome.crash}` }
      : outcome;
  }

  #start(plan: RunnerPlan): LoadRunner {
    const { launch, logger, onLog } = this.#options;
    const runner = new Runner({
      log: (worker, _call, stream, text) => onLog(worker.tool, stream, text),
      workerError: (worker, message) => onLog(worker.tool, "stderr", message),
      graph: () => {},
      dropped: (bytes) => logger.warn("modules printed too much: part of it was dropped", { bytes }),
      violation: (what) => logger.warn("a sandbox sent a wrong message", { what, code: "runner_protocol" }),
    });
    const launched = launch(plan, {
      onLine: (line) => runner.receive(line),
      onOutput: (stream, text) => onLog("", stream, text),
      onEnd: (end) => {
        runner.onProcessEnd(end);
        this.#forget(one);
      },
    });
    const watched: WatchedRunner = {
      get pid() {
        return runner.pid;
      },
      busy: true,
      onTooLarge: () => runner.kill({ what: "ran out of memory", expected: false }),
      onSweep: () => {},
    };
    const one: LoadRunner = { runner, launched, watched, busy: 0, closed: false };
    this.#runners.add(one);
    this.#watch.add(watched);
    launched.then(({ process }) => {
      runner.attach(process);
      // What keeps it from working is told by the first check itself.
      prepareCheck().catch(() => {});
    }, () => this.#forget(one));
    return one;
  }

  #forget(one: LoadRunner): void {
    this.#runners.delete(one);
    this.#watch.delete(one.watched);
  }

  async #loadIn(one: LoadRunner, task: LoadTask): Promise<LoadOutcome | { crash: string }> {
    one.busy++;
    try {
      for (let attempt = 1;; attempt++) {
        const before = await fingerprint([task.place.path], task.place.roots);
        const started = Date.now() - CLOCK_SLACK_MS;
        const spec = workerSpec(
          task,
          (await one.launched).workerRights(task.plan.rights),
          this.#options.root,
          true,
        );
        const { worker, module } = await one.runner.load(task.plan.entry.name, spec);
        void one.runner.retire(worker);
        const print = await fingerprint([task.place.path, ...module.graph], task.place.roots);
        if (attempt < MAX_ATTEMPTS && await isChanged(before, print, started)) continue;
        return await checked(module, print);
      }
    } catch (error) {
      if (error instanceof WorkerFailure) {
        switch (error.kind) {
          case "load":
            return { reason: error.message };
          case "timeout":
            void one.runner.retire(error.worker);
            one.closed = true;
            return { reason: `${task.plan.entry.source}: ${error.message}` };
          case "runner":
            one.closed = true;
            return { crash: error.message };
        }
      }
      one.closed = true;
      return {
        reason: error instanceof BeeuniError ? error.message : `${task.plan.entry.source}: ${String(error)}`,
      };
    } finally {
      one.busy--;
      if (one.closed) this.#close(one);
    }
  }

  /** Ends a runner once nothing loads in it any more. */
  #close(one: LoadRunner): void {
    one.closed = true;
    if (one.busy === 0) one.runner.kill({ what: "was stopped", expected: true });
  }
}

/** The frame that makes a worker. */
export function workerSpec(
  task: LoadTask,
  rights: Pick<WorkerSpec, "revoke" | "net" | "run" | "sys">,
  root: string,
  loadOnly: boolean,
): WorkerSpec {
  return {
    tool: task.plan.entry.name,
    url: pathToFileURL(task.place.path).href,
    roots: task.place.roots,
    nodeModules: task.place.nodeModules,
    root,
    ...rights,
    env: task.plan.env,
    loadOnly,
  };
}

async function checked(module: LoadedModule, print: Fingerprint): Promise<LoadOutcome> {
  const reason = checkDescription(module.description) ?? await checkParameters(module.parameters);
  if (reason !== undefined || !isRecord(module.parameters)) return { reason: reason ?? "" };
  return { load: { description: module.description, parameters: module.parameters, fingerprint: print } };
}

/**
 * Whether the files may be others than those the load read.
 *
 * @param before What the module is made of by its text, hashed before it was loaded. What only the load found (a
 *   package, an import by a computed name) has no hash of then: its time of change has to do.
 */
async function isChanged(before: Fingerprint, after: Fingerprint, started: number): Promise<boolean> {
  if (await hashFiles(before.files) !== before.hash) return true;
  return after.files.some((file) => !before.files.includes(file) && changedSince(file, started));
}

function changedSince(file: string, time: number): boolean {
  try {
    const info = Deno.statSync(file);
    return Math.max(info.ctime?.getTime() ?? 0, info.mtime?.getTime() ?? 0) >= time;
  } catch {
    return false;
  }
}
