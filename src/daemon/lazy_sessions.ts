import { BeeuniError } from "../errors/error.ts";
import type { Sessions } from "../sessions/types.ts";

/** Sessions that are open, with what they stand on: disposing ends that too. */
export interface OpenedSessions extends AsyncDisposable {
  readonly sessions: Sessions;
}

/**
 * The sessions of a daemon, opened at the first request that needs them: a daemon that only serves tools pays nothing
 * for them. One that could not be opened is tried anew by the next request.
 */
export class LazySessions<Opened extends OpenedSessions> {
  readonly #open: () => Promise<Opened>;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  #stopping = false;

  constructor(open: () => Promise<Opened>) {
    this.#open = open;
  }

  /** What is open now. */
  get opened(): Opened | undefined {
    return this.#opened;
  }

  /** @throws {BeeuniError} `stopping`, and what opening them throws. */
  async get(): Promise<Sessions> {
    if (this.#opened !== undefined) return this.#opened.sessions;
    if (this.#stopping) throw new BeeuniError("stopping", "the daemon is stopping.");
    this.#opening ??= this.#open();
    try {
      this.#opened = await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    return this.#opened.sessions;
  }

  /** Ends every turn: `Sessions.close`. None are opened any more. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const opened = this.#opened ?? await this.#opening?.catch(() => undefined);
    await opened?.sessions.close(graceMs);
  }

  /** Ends what they stand on; after {@link stop}. */
  async dispose(): Promise<void> {
    const opened = this.#opened ?? await this.#opening?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }
}
