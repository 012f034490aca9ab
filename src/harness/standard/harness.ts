import { join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import type { FailedTool } from "../../host/types.ts";
import type { Agent, Manifest } from "../../manifest/model.ts";
import { resolveModel } from "../../models/resolve_model.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import type { Harness, SessionRecord, Turn } from "../../sessions/types.ts";
import type { HarnessProject } from "../types.ts";
import { writeConfigFolder } from "./config_folder.ts";
import { findOpenCode } from "./find_opencode.ts";
import { isAgentName } from "./opencode_config.ts";
import { OpenCodeServers } from "./opencode_servers.ts";
import { TurnTable } from "./running_turns.ts";
import { readSaved } from "./saved_session.ts";
import { StandardTurn } from "./turn.ts";
import { turnStopped } from "./turn_failure.ts";
import type { PluginCall, PluginCaller, RunningTurns, StandardDaemon, WriteConfigFolder } from "./types.ts";

/** Options of {@link createStandardHarness}. */
export interface StandardHarnessOptions {
  /** Default {@link writeConfigFolder}. */
  writeFolder?: WriteConfigFolder;
  /** See `OpenCodeServersOptions.waitMs`. */
  waitMs?: number;
}

/** The standard harness, and what the daemon's routes for the plugin ask it. */
export interface StandardHarness extends Harness, RunningTurns {
  /** Tools of OpenCode that do not load; of the process that runs. */
  readonly failed: readonly FailedTool[];
}

/**
 * The standard harness (specification 4.1): OpenCode, started when the first turn needs it, one process for the project.
 */
export function createStandardHarness(
  project: HarnessProject,
  daemon: StandardDaemon,
  options: StandardHarnessOptions = {},
): StandardHarness {
  return new OpenCodeHarness(project, daemon, options);
}

class OpenCodeHarness implements StandardHarness {
  readonly name = "standard";
  readonly #project: HarnessProject;
  readonly #servers: OpenCodeServers;
  readonly #turns = new TurnTable();
  readonly #running = new Set<Promise<void>>();
  readonly #closed = new AbortController();

  constructor(project: HarnessProject, daemon: StandardDaemon, options: StandardHarnessOptions) {
    const { writeFolder = writeConfigFolder, waitMs } = options;
    this.#project = project;
    this.#servers = new OpenCodeServers({
      project,
      daemon,
      writeFolder,
      ...(waitMs !== undefined && { waitMs }),
    });
  }

  get failed(): readonly FailedTool[] {
    return this.#servers.current?.failed ?? [];
  }

  async run(turn: Turn): Promise<void> {
    const running = this.#run({ ...turn, signal: AbortSignal.any([turn.signal, this.#closed.signal]) });
    const settled = running.catch(() => {});
    this.#running.add(settled);
    try {
      await running;
    } finally {
      this.#running.delete(settled);
    }
  }

  async #run(turn: Turn): Promise<void> {
    const { host, models } = this.#project;
    await host.ready;
    const agent = sessionAgent(host.manifest(), turn.session.agent);
    const endpoint = resolveModel(turn.session.model ?? agent.model, models);
    if (turn.signal.aborted) throw turnStopped();
    // One that ended unnoticed since the last turn is started anew; twice in a row is no chance.
    if (!await this.#runOnce(turn, agent, endpoint) && !await this.#runOnce(turn, agent, endpoint)) {
      throw new BeeuniError("harness_failed", "OpenCode ends as soon as it is started", {
        hint: `its log is ${join(this.#project.stateDir, "opencode", "opencode.log")}`,
      });
    }
  }

  async #runOnce(turn: Turn, agent: Agent, endpoint: ModelEndpoint): Promise<boolean> {
    const { server, release } = await this.#server(turn, endpoint);
    let id: string | undefined;
    try {
      return await new StandardTurn({
        project: this.#project,
        server,
        turn,
        endpoint,
        opened: (opened, record, allowed) => {
          id = opened;
          this.#turns.add(opened, {
            session: turn.session.id,
            agent: agent.name,
            record,
            allowed,
            client: server.client,
          });
        },
      }).run();
    } finally {
      if (id !== undefined) this.#turns.remove(id);
      release();
    }
  }

  async #server(turn: Turn, endpoint: ModelEndpoint) {
    try {
      return await this.#servers.acquire(endpoint, turn.signal);
    } catch (error) {
      if (turn.signal.aborted) throw turnStopped();
      throw error instanceof BeeuniError ? error : new BeeuniError(
        "harness_failed",
        "OpenCode could not be made ready",
        { hint: "send the prompt again", cause: error },
      );
    }
  }

  async check(): Promise<void> {
    const home = join(this.#project.stateDir, "opencode", "home");
    await Deno.mkdir(home, { recursive: true, mode: 0o700 });
    await findOpenCode((name) => this.#project.models.env(name), home);
  }

  async forget(session: SessionRecord, saved: string | undefined): Promise<void> {
    const id = readSaved(saved).opencode;
    const server = this.#servers.current;
    if (id === "" || server === undefined) return;
    try {
      await server.client.request("DELETE", `/session/${id}`, { timeoutMs: 10_000 });
    } catch (error) {
      this.#project.logger.warn("OpenCode keeps a session that was removed", {
        session: session.id,
        error: String(error),
      });
    }
  }

  callerOf(call: PluginCall): Promise<PluginCaller | undefined> {
    return this.#turns.callerOf(call);
  }

  isAllowed(call: PluginCall, args: unknown): boolean {
    return this.#turns.isAllowed(call, args);
  }

  callEnded(call: PluginCall, end: Parameters<RunningTurns["callEnded"]>[1]): void {
    this.#turns.callEnded(call, end);
  }

  knowsToken(token: string): boolean {
    return this.#servers.knowsToken(token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#running);
    await this.#servers[Symbol.asyncDispose]();
  }
}

function sessionAgent(manifest: Manifest, name: string): Agent {
  const agent = manifest.agents.get(name);
  if (agent !== undefined && !isAgentName(name)) {
    throw new BeeuniError("harness_failed", `OpenCode can't have an agent with the name ${name}`, {
      hint: "give it another name in beeuni.yaml, or use --harness experimental",
    });
  }
  if (agent !== undefined) return agent;
  const declared = [...manifest.agents.keys()].join(", ");
  throw new BeeuniError(
    "agent_forbidden",
    `there is no agent ${name}; the project has ${declared || "none"}`,
    {
      hint: "start a session with one of these, or declare it under `agents` in beeuni.yaml",
    },
  );
}
