import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import type { FailedTool } from "../../host/types.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import type { HarnessProject } from "../types.ts";
import { missingTools } from "./check_tools.ts";
import { writeInstalled } from "./config_folder.ts";
import { EventFeed } from "./event_feed.ts";
import { findOpenCode } from "./find_opencode.ts";
import { OpenCodeClient } from "./opencode_client.ts";
import { openCodeEnvironment } from "./opencode_environment.ts";
import { OpenCodeProcess } from "./opencode_process.ts";
import type { TurnServer } from "./turn.ts";
import type { ConfigFolder, StandardDaemon, WriteConfigFolder } from "./types.ts";

/** Longest wait until events come again after a dispose, in milliseconds. */
const RECONNECT_MS = 10_000;

/** Options of {@link OpenCodeServer.start}. */
export interface OpenCodeServerOptions {
  project: HarnessProject;
  daemon: StandardDaemon;
  writeFolder: WriteConfigFolder;
  models: readonly ModelEndpoint[];
  /** The plugin's token. It must be known before: the plugin asks for its tools while OpenCode starts. */
  token: string;
  signal?: AbortSignal;
}

/** OpenCode as it runs: its process, its events, and the config folder it has read. */
export class OpenCodeServer implements TurnServer, AsyncDisposable {
  readonly client: OpenCodeClient;
  readonly feed: EventFeed;
  readonly process: OpenCodeProcess;
  readonly #options: OpenCodeServerOptions;
  readonly #gone = new AbortController();
  #folder: ConfigFolder;
  #ending = false;
  /** What of the folder is not there, after all. */
  failed: readonly FailedTool[] = [];

  private constructor(
    options: OpenCodeServerOptions,
    parts: { process: OpenCodeProcess; folder: ConfigFolder; password: string },
  ) {
    this.#options = options;
    this.#folder = parts.folder;
    this.process = parts.process;
    this.client = new OpenCodeClient(parts.process.url, parts.password);
    this.feed = new EventFeed(this.client, options.project.logger);
    this.process.ended.then(({ code, signal }) => {
      if (!this.#ending) {
        const log = join(options.project.stateDir, "opencode", "opencode.log");
        options.project.logger.warn("OpenCode ended; the next turn starts it anew", {
          code,
          signal: signal ?? undefined,
          log,
        });
      }
      this.#gone.abort(
        new BeeuniError(
          "harness_failed",
          `OpenCode ended in the midst of the turn (${signal === null ? `exit code ${code}` : signal})`,
          { hint: "send the prompt again: OpenCode is started anew" },
        ),
      );
    });
  }

  /** Aborted when the process ends. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Writes the folder, starts OpenCode, and waits until its tools are there. */
  static async start(options: OpenCodeServerOptions): Promise<OpenCodeServer> {
    const { project, daemon, writeFolder, models, token, signal } = options;
    const { root, stateDir, logger } = project;
    const began = performance.now();
    const folder = join(stateDir, "opencode");
    const home = join(folder, "home");
    await Deno.mkdir(home, { recursive: true, mode: 0o700 });
    const env = (name: string) => project.models.env(name);
    const { path, version, newer } = await findOpenCode(env, home);
    if (newer) {
      logger.warn("this OpenCode is newer than what Beeuni was tried with", { version, tried: "1.18" });
    }
    await writeInstalled(join(home, ".config", "opencode"));
    const password = randomBytes(32).toString("hex");
    const config = await writeFolder({ project, daemonUrl: daemon.url(), token, models });
    const process = await OpenCodeProcess.start({
      program: path,
      root,
      folder,
      env: { ...openCodeEnvironment(env, home), ...config.env },
      password,
      logger,
      ...(signal !== undefined && { signal }),
    });
    const server = new OpenCodeServer(options, { process, folder: config, password });
    try {
      await server.#checkTools(signal);
      await server.feed.connected(RECONNECT_MS);
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    logger.info("OpenCode runs", {
      version,
      pid: process.pid,
      tools: config.tools.length,
      ms: Math.round(performance.now() - began),
    });
    return server;
  }

  model(endpoint: ModelEndpoint): { providerID: string; modelID: string } {
    return this.#folder.model(endpoint);
  }

  /**
   * Writes the folder anew and has OpenCode read it; no turn may run. Sessions stay.
   *
   * @returns False when a new process is needed: what changed is of its environment.
   */
  async reload(models: readonly ModelEndpoint[], signal: AbortSignal): Promise<boolean> {
    const { project, daemon, writeFolder, token } = this.#options;
    const before = this.#folder;
    this.#folder = await writeFolder({ project, daemonUrl: daemon.url(), token, models });
    if (JSON.stringify(before.env) !== JSON.stringify(this.#folder.env)) return false;
    await this.client.request("POST", "/instance/dispose", { signal });
    await this.#checkTools(signal);
    await this.feed.reconnect(RECONNECT_MS);
    project.logger.info("OpenCode reads its folder anew", {
      generation: this.#folder.generation,
      tools: this.#folder.tools.length,
    });
    return true;
  }

  /** Ends it at once, and every turn on it with `reason`; the next turn starts another, with another password. */
  distrust(reason: BeeuniError): void {
    if (this.#gone.signal.aborted) return;
    this.#options.project.logger.warn("OpenCode is ended", { reason: reason.message });
    this.#ending = true;
    this.#gone.abort(reason);
    this.process[Symbol.asyncDispose]();
  }

  async #checkTools(signal: AbortSignal | undefined): Promise<void> {
    const { tools, failed } = this.#folder;
    const missing = await missingTools(this.client, tools, this.#options.project.logger, signal);
    const error = "OpenCode did not load it; see opencode/opencode.log in the state directory";
    this.failed = [...failed, ...missing.map((name) => ({ name, source: "opencode", error }))];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending = true;
    await this.feed[Symbol.asyncDispose]();
    await this.process[Symbol.asyncDispose]();
  }
}
