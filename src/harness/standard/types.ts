import type { FailedTool } from "../../host/types.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import type { HarnessProject } from "../types.ts";

/** The daemon, as far as the standard harness needs it. */
export interface StandardDaemon {
  /**
   * Where the daemon listens, such as `http://127.0.0.1:4502`, without a final `/`. Asked when OpenCode is started: the
   * port is known by then.
   */
  url(): string;
}

/** What the config folder of one OpenCode process is written from. */
export interface ConfigFolderRequest {
  project: HarnessProject;
  daemonUrl: string;
  /**
   * The token of this OpenCode process, made by the harness at its start: 32 random bytes as hex. It goes to the plugin
   * in a 0600 file (never by the environment) and opens the two tool routes and the model route.
   */
  token: string;
  /**
   * The models of sessions so far, those named by `--model` among them: OpenCode refuses a model that its config does
   * not list. Models of agents that no session of their own has yet (subagents) are looked up by the writer.
   */
  models: readonly ModelEndpoint[];
}

/** A config folder that was written; written anew at each reload, the path stays. */
export interface ConfigFolder {
  /** Absolute path, in the state directory. */
  path: string;
  /**
   * Environment of OpenCode besides PATH, HOME, XDG_*, the switches and the server password: `OPENCODE_CONFIG_DIR`,
   * `NODE_PATH`, … No secret. A reload that changes it needs a new process.
   */
  env: Readonly<Record<string, string>>;
  /** Generation of `host.catalogue()` it was written from. */
  generation: number;
  /** Ids of the tools that OpenCode must have: hosted ones and those of `harnesses/opencode/tools`. */
  tools: readonly string[];
  /** Files of `harnesses/opencode` that were left out because they do not load. */
  failed: readonly FailedTool[];
  /** What OpenCode calls a model of the request. */
  model(endpoint: ModelEndpoint): { providerID: string; modelID: string };
}

/**
 * Writes the config folder, `writeConfigFolder` of `config_folder.ts`.
 *
 * Agents, permissions and providers go to `opencode.json` in it: a dispose reads that anew (tried), while
 * `OPENCODE_CONFIG_CONTENT` is of the process. `experimental.continue_loop_on_deny` is set there, so that a refused call
 * does not end the turn. The plugin ends OpenCode when its stdin closes: that is how it ends with a killed daemon.
 */
export type WriteConfigFolder = (request: ConfigFolderRequest) => Promise<ConfigFolder>;

/** A call as the plugin sends it: OpenCode's own ids. */
export interface PluginCall {
  session: string;
  agent: string;
  call: string;
  tool: string;
}

/** Whom a call of the plugin is for, as OpenCode itself reports it. */
export interface PluginCaller {
  /** Beeuni's id of the session whose turn runs, also for a call of a subagent. */
  session: string;
  /** The agent that runs in OpenCode's session: the session's own or a subagent. */
  agent: string;
  /** The agent of Beeuni's session. */
  sessionAgent: string;
}

/** Knows which turns run. */
export interface RunningTurns {
  /**
   * Checks a call of the plugin against the turn that runs.
   *
   * @returns `undefined` when no turn runs that could have made it: 403 `agent_forbidden`.
   */
  callerOf(call: PluginCall): Promise<PluginCaller | undefined>;
  /**
   * Whether a person allowed this call with these arguments when Beeuni asked: a rule `ask` is kept by nothing else.
   */
  isAllowed(call: PluginCall, args: unknown): boolean;
  /** Tells how the host ended a call, before the plugin is answered: OpenCode only knows text. */
  callEnded(
    call: PluginCall,
    end: { status: "completed" | "error" | "aborted" | "refused"; file?: string },
  ): void;
  /** Whether `token` is that of the OpenCode process that runs now; compared in constant time. */
  knowsToken(token: string): boolean;
}
