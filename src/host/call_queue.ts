/** Calls of one tool, and calls in all, that run at the same time; calls of one tool that wait (specification 2.3). */
export const MAX_RUNNING_PER_TOOL = 32;
export const MAX_RUNNING = 256;
export const MAX_WAITING_PER_TOOL = 256;

/** What the queue knows about one tool. */
interface Lane<T> {
  running: number;
  /** Waiting calls in order; a `Set` because any of them may leave. */
  waiting: Set<T>;
}

/**
 * Who runs and who waits: a queue per tool, so that a slow tool holds up only itself, and one bound for all.
 *
 * When a place becomes free the tools take turns.
 */
export class CallQueue<T> {
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #start: (call: T) => void;
  #running = 0;
  #waiting = 0;

  /** @param start Told when a call that waited may run; its place counts as taken. */
  constructor(start: (call: T) => void) {
    this.#start = start;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Takes a call in.
   *
   * @returns `run`: it has a place; `wait`: `start` will be told; `full`: it was refused.
   */
  enter(tool: string, call: T): "run" | "wait" | "full" {
    const lane = this.#lane(tool);
    if (lane.waiting.size === 0 && lane.running < MAX_RUNNING_PER_TOOL && this.#running < MAX_RUNNING) {
      lane.running++;
      this.#running++;
      return "run";
    }
    if (lane.waiting.size >= MAX_WAITING_PER_TOOL) return "full";
    lane.waiting.add(call);
    this.#waiting++;
    return "wait";
  }

  /** A call that waits leaves; false when it does not wait. */
  leave(tool: string, call: T): boolean {
    const left = this.#lanes.get(tool)?.waiting.delete(call) ?? false;
    if (left) this.#waiting--;
    return left;
  }

  /** A call that had a place is over; others may start. */
  release(tool: string): void {
    const lane = this.#lane(tool);
    lane.running--;
    this.#running--;
    if (this.#waiting > 0) this.#startNext();
    else if (lane.running === 0) this.#lanes.delete(tool);
  }

  #startNext(): void {
    for (const [tool, lane] of this.#lanes) {
      if (this.#running >= MAX_RUNNING) return;
      const [call] = lane.waiting;
      if (call === undefined || lane.running >= MAX_RUNNING_PER_TOOL) continue;
      lane.waiting.delete(call);
      this.#waiting--;
      lane.running++;
      this.#running++;
      // To the end of the order: the next place is another tool's.
      this.#lanes.delete(tool);
      this.#lanes.set(tool, lane);
      this.#start(call);
      return;
    }
  }

  #lane(tool: string): Lane<T> {
    let lane = this.#lanes.get(tool);
    if (lane === undefined) {
      lane = { running: 0, waiting: new Set() };
      this.#lanes.set(tool, lane);
    }
    return lane;
  }
}
