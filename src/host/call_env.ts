import { grantedSecrets } from "../agents/secrets.ts";
import { isBeeuniTool } from "../beeuni_tools/registry.ts";
import type { Agent, Manifest } from "../manifest/model.ts";
import { withoutReserved } from "./container_env.ts";
import type { EnvFile } from "./env_file.ts";

/** Where `context.env` comes from. */
export interface CallEnvSources {
  containerEnv: Readonly<Record<string, string>>;
  envFile?: EnvFile | undefined;
  /** The stored secrets an agent is granted. */
  secrets?: ((agent: string, declared: Agent | undefined) => Readonly<Record<string, string>>) | undefined;
  /** Told every secret value that was read. */
  onSecrets: (values: Iterable<string>) => void;
}

/** One set of variables; the same object while nothing in it changed. */
export type EnvSet = Readonly<Record<string, string>>;

/** `context.env` of one agent; the same object while nothing in it changed. */
export interface AgentEnv {
  /** For project tools. */
  readonly plain: EnvSet;
  /** For tools named as one of the five. */
  readonly beeuni: EnvSet;
}

/** What is remembered per agent. */
interface Known {
  fileValues: EnvSet | undefined;
  stored: EnvSet | undefined;
  env: AgentEnv;
}

/**
 * Makes `context.env` (specification 2.6): the container's variables without Beeuni's own credentials, and the
 * secrets the agent is granted as they are at the moment of the call. A tool named as a Beeuni tool gets
 * `BEEUNI_TOKEN` too.
 */
export class CallEnv {
  readonly #sources: CallEnvSources;
  readonly #container: EnvSet;
  readonly #known = new Map<string, Known>();
  #agents: Manifest["agents"] = new Map();

  constructor(sources: CallEnvSources) {
    this.#sources = sources;
    this.#container = withoutReserved(sources.containerEnv);
  }

  /** Grants come from these agents from now on. */
  setAgents(agents: Manifest["agents"]): void {
    this.#agents = agents;
    this.#known.clear();
  }

  /**
   * The variables for a call by `agent`, as they are now.
   *
   * @throws {BeeuniError} `env_file` when the file can't be read now, and what the provider of secrets throws.
   */
  of(agent: string): AgentEnv {
    const fileValues = this.#sources.envFile?.read();
    const stored = this.#sources.secrets?.(agent, this.#agents.get(agent));
    const known = this.#known.get(agent);
    if (known !== undefined && known.fileValues === fileValues && known.stored === stored) return known.env;
    const env = this.#make(agent, fileValues, stored, known?.env);
    this.#known.set(agent, { fileValues, stored, env });
    return env;
  }

  #make(
    agent: string,
    fileValues: EnvSet | undefined,
    stored: EnvSet | undefined,
    before?: AgentEnv,
  ): AgentEnv {
    if (fileValues !== undefined) this.#sources.onSecrets(Object.values(fileValues));
    if (stored !== undefined) this.#sources.onSecrets(Object.values(stored));
    const granted = grantedSecrets(this.#agents.get(agent), Object.keys(fileValues ?? {}));
    const fromFile = Object.fromEntries(granted.map((name) => [name, fileValues?.[name] ?? ""]));
    const secrets = { ...stored, ...fromFile };
    const plain = { ...this.#container, ...withoutReserved(secrets) };
    const token = secrets.BEEUNI_TOKEN ?? this.#sources.containerEnv.BEEUNI_TOKEN;
    const beeuni = token === undefined ? plain : { ...plain, BEEUNI_TOKEN: token };
    return before !== undefined && same(before.plain, plain) && same(before.beeuni, beeuni)
      ? before
      : { plain, beeuni };
  }
}

/** The set for a tool of this name. */
export function envFor(env: AgentEnv, tool: string): EnvSet {
  return isBeeuniTool(tool) ? env.beeuni : env.plain;
}

function same(before: EnvSet, now: EnvSet): boolean {
  const names = Object.keys(now);
  return names.length === Object.keys(before).length && names.every((name) => before[name] === now[name]);
}
