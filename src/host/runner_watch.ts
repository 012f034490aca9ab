import { processRss } from "./process_rss.ts";

/** How often a runner's memory is looked at while it is busy, and everything else, in milliseconds. */
const BUSY_SAMPLE_MS = 100;
const SWEEP_MS = 1_000;

/** A runner as the watch sees it. */
export interface WatchedRunner {
  /** 0 while it has no process. */
  readonly pid: number;
  /** It has calls, or loads modules. */
  readonly busy: boolean;
  /** It uses more memory than it may. */
  onTooLarge: () => void;
  /** A second has passed: time to end what nobody uses. */
  onSweep: () => void;
}

/**
 * Watches runners: their resident memory every 100 ms while they are busy (V8's heap limit does not bound
 * ArrayBuffers, specification 2.3), and once a second whatever they do. Without runners no timer runs.
 */
export class RunnerWatch {
  readonly #maxRss: number;
  readonly #runners = new Set<WatchedRunner>();
  #sampler: ReturnType<typeof setInterval> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  /** @param maxRss In bytes. */
  constructor(maxRss: number) {
    this.#maxRss = maxRss;
  }

  add(runner: WatchedRunner): void {
    this.#runners.add(runner);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS);
    this.wake();
  }

  delete(runner: WatchedRunner): void {
    this.#runners.delete(runner);
    if (this.#runners.size > 0) return;
    clearInterval(this.#sampler);
    clearInterval(this.#sweeper);
    this.#sampler = this.#sweeper = undefined;
  }

  /** To be told when a runner becomes busy; costs nothing when one is. */
  wake(): void {
    this.#sampler ??= setInterval(() => this.#sample(), BUSY_SAMPLE_MS);
  }

  #sample(): void {
    const busy = [...this.#runners].filter((runner) => runner.busy);
    for (const runner of busy) this.#checkMemory(runner);
    if (busy.length > 0) return;
    clearInterval(this.#sampler);
    this.#sampler = undefined;
  }

  #sweep(): void {
    for (const runner of [...this.#runners]) {
      this.#checkMemory(runner);
      runner.onSweep();
    }
  }

  #checkMemory(runner: WatchedRunner): void {
    if (runner.pid !== 0 && (processRss(runner.pid) ?? 0) > this.#maxRss) runner.onTooLarge();
  }
}
