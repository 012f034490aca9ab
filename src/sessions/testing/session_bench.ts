import type { HarnessName } from "../../agents/may_use.ts";
import { createLogger } from "../../log/logger.ts";
import { StateDatabase } from "../../state/database.ts";
import { SessionService, type SessionServiceOptions } from "../session_service.ts";
import type { SessionEvent, TurnEnded } from "../types.ts";
import { FakeHarness } from "./fake_harness.ts";

/** What tests take for a secret. */
export const SECRET = "hunter2-hunter2";

/** A state directory with a {@link SessionService} on it and fake harnesses. */
export class SessionBench implements AsyncDisposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "beeuni-sessions-" });
  readonly harnesses: Record<HarnessName, FakeHarness> = {
    standard: new FakeHarness("standard"),
    experimental: new FakeHarness("experimental"),
  };
  agents = ["beeuni", "helper"];
  defaultAgent: string | undefined = "beeuni";
  readonly log: string[] = [];
  readonly ended: TurnEnded[] = [];
  readonly #options: Partial<SessionServiceOptions>;
  #database: StateDatabase;
  service: SessionService;

  constructor(options: Partial<SessionServiceOptions> = {}) {
    this.#options = options;
    [this.#database, this.service] = this.#open();
  }

  get database(): StateDatabase {
    return this.#database;
  }

  /** The harness that sessions of a bench run on when none is named. */
  get harness(): FakeHarness {
    return this.harnesses.standard;
  }

  /** Another daemon on the same state: the first one was killed. */
  restart(): SessionService {
    this.#database[Symbol.dispose]();
    [this.#database, this.service] = this.#open();
    return this.service;
  }

  /** Every event of a session from now on. */
  follow(id: string): SessionEvent[] & { ended?: boolean } {
    const events: SessionEvent[] & { ended?: boolean } = [];
    this.service.follow(id, { event: (event) => events.push(event), end: () => events.ended = true });
    return events;
  }

  /** Waits until no turn runs. */
  async over(): Promise<void> {
    while (this.service.running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  #open(): [StateDatabase, SessionService] {
    const database = new StateDatabase(this.folder, { synchronous: "normal" });
    const decoder = new TextDecoder();
    const service = new SessionService({
      database,
      harnesses: (name) => Promise.resolve(this.harnesses[name]),
      agents: { names: () => this.agents, byDefault: () => this.defaultAgent },
      mask: (text) => text.replaceAll(SECRET, "***"),
      logger: createLogger({
        level: "debug",
        write: (bytes) => (this.log.push(decoder.decode(bytes)), Promise.resolve(bytes.length)),
      }),
      settleMs: 50,
      ...this.#options,
    });
    service.watch((turn) => this.ended.push(turn));
    return [database, service];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.close(0);
    try {
      this.#database[Symbol.dispose]();
    } catch {
      // A test closed it already.
    }
    Deno.removeSync(this.folder, { recursive: true });
  }
}
