/** How long after a worker was made ready its successor is made, in milliseconds: the call it was made for goes first. */
const DELAY_MS = 5;

/** How long a spare worker waits to be used, in milliseconds: as long as an idle tool's worker (specification 2.3). */
const IDLE_MS = 60_000;

/**
 * A worker that is made before it is needed: it has the rights of the one before and no tool yet, which saves the next
 * tool's first call two thirds of its time. There is one at most.
 */
export class SpareWorker<Options> {
  readonly #make: (options: Options, failed: () => void) => Worker;
  #spare: { worker: Worker; rights: string } | undefined;
  #next: ReturnType<typeof setTimeout> | undefined;
  #end: ReturnType<typeof setTimeout> | undefined;

  /** @param make Makes a worker; `failed` is to be called when it fails before it was taken. */
  constructor(make: (options: Options, failed: () => void) => Worker) {
    this.#make = make;
  }

  /** The spare worker, when it is one with these options; whoever takes it sees to its errors. */
  take(options: Options): Worker | undefined {
    // Whoever needs a worker now needs the machine as well.
    clearTimeout(this.#next);
    if (this.#spare?.rights !== JSON.stringify(options)) return undefined;
    const { worker } = this.#spare;
    this.#forget();
    return worker;
  }

  /** Makes one with these options soon, in place of one with others. */
  prepare(options: Options): void {
    const rights = JSON.stringify(options);
    clearTimeout(this.#next);
    if (this.#spare?.rights === rights) return;
    this.#next = setTimeout(() => {
      this.drop();
      try {
        const worker = this.#make(options, () => {
          if (this.#spare?.worker === worker) this.drop();
        });
        this.#spare = { worker, rights };
        this.#end = setTimeout(() => this.drop(), IDLE_MS);
      } catch {
        // Without a spare one, the next worker is made when it is needed, and fails then if it must.
      }
    }, DELAY_MS);
  }

  /** Ends it. */
  drop(): void {
    this.#spare?.worker.terminate();
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#end);
    this.#spare = undefined;
  }
}
