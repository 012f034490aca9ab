import type { Logger } from "../log/logger.ts";
import { longTimeout } from "./long_timeout.ts";
import type { RunningCall, Worker } from "./runner_worker.ts";
import type { ToolPool } from "./tool_pool.ts";

/** Between `context.signal` and the end of the worker, in milliseconds (specification 2.3). */
const GRACE_MS = 2_000;

/** How long other calls in a worker that has to be ended may go on, in milliseconds. */
const LAST_CALLS_MS = 10_000;

/** What the ladder needs from the calls of a host. */
export interface StopLadderOptions {
  pool: Pick<ToolPool, "drain" | "terminate">;
  logger: Logger;
  /** Whether the caller of a call that still runs was answered already. */
  isAnswered: (running: RunningCall) => boolean;
}

/** Why a call has to stop. */
export interface StopReason {
  reason: "abort" | "timeout";
  /** Message of the signal's reason. */
  message: string;
}

/**
 * The stop ladder (specification 2.3), for an abort as for a timeout: `context.signal` aborts; 2 s later the worker
 * takes no new calls and is terminated; when its thread goes on, the pool replaces the process.
 *
 * Other calls in that worker are of the same tool and did nothing wrong: they may finish first, for at most 10 s.
 */
export class StopLadder {
  readonly #options: StopLadderOptions;
  /** Workers that have to be ended, and what looks whether it is time. */
  readonly #condemned = new Map<Worker, () => void>();

  constructor(options: StopLadderOptions) {
    this.#options = options;
  }

  /**
   * First step; the second one follows unless it is cancelled because the call is over.
   *
   * @param agent For the log.
   * @returns Cancels the second step.
   */
  tell(running: RunningCall, agent: string, { reason, message }: StopReason): () => void {
    const { worker, call } = running;
    worker.runner.abort(running, reason, message);
    const about = { call, tool: worker.tool, agent };
    this.#options.logger.info("a call was told to stop", { ...about, reason, code: "signal_aborted" });
    return longTimeout(() => this.#graceOver(worker, about), GRACE_MS);
  }

  /** To be told whenever a call in a worker is over. */
  over(worker: Worker): void {
    this.#condemned.get(worker)?.();
  }

  #graceOver(worker: Worker, about: Record<string, string>): void {
    const { logger, pool, isAnswered } = this.#options;
    logger.warn("a call went on after it was told to stop", { ...about, code: "grace_over" });
    pool.drain(worker);
    // A later call in it went on too: that may have been the one that was waited for.
    if (this.#condemned.has(worker)) return this.over(worker);
    const forget = () => {
      cancel();
      this.#condemned.delete(worker);
    };
    const terminate = () => {
      forget();
      logger.warn("the worker of a call that did not stop is terminated", {
        ...about,
        code: "worker_terminated",
      });
      void pool.terminate(worker, "was stopped: another call in it did not stop when told");
    };
    const cancel = longTimeout(terminate, LAST_CALLS_MS);
    const look = () => {
      // It stopped after all: the pool ends it.
      if (worker.calls.size === 0) forget();
      else if ([...worker.calls].every(isAnswered)) terminate();
    };
    this.#condemned.set(worker, look);
    look();
  }
}
