import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { BeeuniError } from "../../errors/error.ts";
import { longTimeout } from "../../host/long_timeout.ts";
import type { Agent } from "../../manifest/model.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import type { HarnessProject } from "../types.ts";
import { OpenCodeServer } from "./opencode_server.ts";
import type { StandardDaemon, WriteConfigFolder } from "./types.ts";

/** How long a turn waits for others, whose end a change of tools needs, in milliseconds. */
const WAIT_MS = 30_000;

/** Options of {@link OpenCodeServers}. */
export interface OpenCodeServersOptions {
  project: HarnessProject;
  daemon: StandardDaemon;
  writeFolder: WriteConfigFolder;
  /** How long a turn that needs a reload waits for those that run; default 30 s. */
  waitMs?: number;
}

/** OpenCode for one turn; {@link release} when it is over. */
export interface ServerLease {
  server: OpenCodeServer;
  release(): void;
}

/**
 * Keeps one OpenCode for the project: starts it when a turn needs it, again after it ended, and has it read its folder
 * anew when tools, agents or models changed.
 *
 * That needs a moment without turns: OpenCode would end those that run. A turn that needs it waits for them, and those
 * that come after it wait behind it. After the wait it goes on with what OpenCode knows, if that has its agent and its
 * model; what a tool may do is decided by the daemon all the same.
 */
export class OpenCodeServers implements AsyncDisposable {
  readonly #options: OpenCodeServersOptions;
  readonly #models = new Map<string, ModelEndpoint>();
  #server: OpenCodeServer | undefined;
  #token = "";
  /** What the server's folder was written from. */
  #known: Known | undefined;
  #turns = 0;
  #idle = Promise.withResolvers<void>();
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: OpenCodeServersOptions) {
    this.#options = options;
  }

  /** The one that runs. */
  get current(): OpenCodeServer | undefined {
    return this.#server?.gone.aborted ? undefined : this.#server;
  }

  /** Whether `token` is that of the process that runs or is being started. */
  knowsToken(token: string): boolean {
    const digest = (text: string) => createHash("sha256").update(text).digest();
    return this.#token !== "" && timingSafeEqual(digest(token), digest(this.#token));
  }

  /** OpenCode, ready for a turn with this model. @throws {BeeuniError} `harness_missing`, `harness_failed`. */
  acquire(endpoint: ModelEndpoint, signal: AbortSignal): Promise<ServerLease> {
    const lease = this.#queue.then(() => this.#acquire(endpoint, signal));
    this.#queue = lease.catch(() => {});
    return lease;
  }

  async #acquire(endpoint: ModelEndpoint, signal: AbortSignal): Promise<ServerLease> {
    signal.throwIfAborted();
    if (this.#closed) throw new BeeuniError("stopping", "the daemon is about to end");
    this.#models.set(endpoint.ref, endpoint);
    const wanted = this.#wanted();
    let server = this.current;
    if (server === undefined) server = await this.#start(wanted, signal);
    else if (this.#known?.digest !== wanted.digest) {
      server = await this.#renew(server, wanted, endpoint, signal);
    }
    if (this.#turns++ === 0) this.#idle = Promise.withResolvers();
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      if (--this.#turns === 0) this.#idle.resolve();
    };
    return { server, release };
  }

  async #start(wanted: Known, signal: AbortSignal): Promise<OpenCodeServer> {
    const { project, daemon, writeFolder } = this.#options;
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
    this.#token = randomBytes(32).toString("hex");
    const models = [...this.#models.values()];
    this.#server = await OpenCodeServer.start({
      project,
      daemon,
      writeFolder,
      models,
      token: this.#token,
      signal,
    });
    this.#known = wanted;
    return this.#server;
  }

  async #renew(
    server: OpenCodeServer,
    wanted: Known,
    { ref }: ModelEndpoint,
    signal: AbortSignal,
  ): Promise<OpenCodeServer> {
    const { logger } = this.#options.project;
    if (this.#turns > 0 && !await this.#wait(signal)) {
      const { agents, models } = this.#known!;
      if (agents !== wanted.agents || !models.has(ref)) {
        throw new BeeuniError(
          "harness_failed",
          "the turn can't begin: OpenCode must read its agents and models anew, and other turns run",
          { hint: "wait until they are done, or stop them with `beeuni sessions stop`" },
        );
      }
      logger.warn("OpenCode keeps its old list of tools: other turns run", { generation: wanted.generation });
      return server;
    }
    // In the wait it may have ended.
    if (server.gone.aborted) return await this.#start(wanted, signal);
    if (await server.reload([...this.#models.values()], signal)) {
      this.#known = wanted;
      return server;
    }
    logger.info("OpenCode is started anew: its environment changed");
    return await this.#start(wanted, signal);
  }

  /** Waits until no turn runs. @returns False when it took too long. */
  async #wait(signal: AbortSignal): Promise<boolean> {
    const waited = Promise.withResolvers<boolean>();
    const cancel = longTimeout(() => waited.resolve(false), this.#options.waitMs ?? WAIT_MS);
    const abort = () => waited.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([this.#idle.promise.then(() => true), waited.promise]);
    } finally {
      cancel();
      signal.removeEventListener("abort", abort);
    }
  }

  #wanted(): Known {
    const { host } = this.#options.project;
    const { generation } = host.catalogue();
    const agents = JSON.stringify([host.defaultAgent(), [...host.manifest().agents.values()].map(plain)]);
    const models = new Set(this.#models.keys());
    return { generation, agents, models, digest: JSON.stringify([generation, agents, [...models]]) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#queue;
    this.#token = "";
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }
}

/** What a folder is written from. */
interface Known {
  generation: number;
  agents: string;
  models: ReadonlySet<string>;
  digest: string;
}

/** All that OpenCode is told of an agent. */
function plain({ position: _, secretPositions: __, tools, permission, ...rest }: Agent) {
  return {
    ...rest,
    tools: [...tools.entries, tools.otherwise],
    permission: [...permission ?? []].map(([key, patterns]) => [key, ...patterns]),
  };
}
