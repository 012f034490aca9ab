import { grantedSecrets } from "../agents/secrets.ts";
import { isBeeuniTool } from "../beeuni_tools/registry.ts";
import type { Manifest } from "../manifest/model.ts";
import { withoutReserved } from "./container_env.ts";
import type { EnvFile } from "./env_file.ts";

/** Where `context.env` comes from. */
export interface CallEnvSources {
  containerEnv: Readonly<Record<string, string>>;
  envFile?: EnvFile | undefined;
  /** The stored secrets an agent is granted. */
  secrets?: ((agent: string) => Readonly<Record<string, string>>) | undefined;
  /** Told every secret value that was read. */
  onSecrets: (values: Iterable<string>) => void;
}

/** One set of variables; the same object while nothing in it changed. */
export type EnvSet = Readonly<Record<string, string>>;

/** What is remembered per agent. */
interface Known {
  fileValues: EnvSet | undefined;
  stored: EnvSet | undefined;
  /** For project tools, and for tools named as one of the five. */
  plain: EnvSet;
  beeuni: EnvSet;
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
   * The variables for a call of `tool` by `agent`.
   *
   * @throws {BeeuniError} `env_file` when the file can't be read now.
   */
  for(agent: string, tool: string): EnvSet {
    const fileValues = this.#sources.envFile?.read();
    const stored = this.#sources.secrets?.(agent);
    let known = this.#known.get(agent);
    if (known === undefined || known.fileValues !== fileValues || known.stored !== stored) {
      known = this.#make(agent, fileValues, stored, known);
      this.#known.set(agent, known);
    }
    return isBeeuniTool(tool) ? known.beeuni : known.plain;
  }

  #make(agent: string, fileValues: EnvSet | undefined, stored: EnvSet | undefined, before?: Known): Known {
    if (fileValues !== undefined) this.#sources.onSecrets(Object.values(fileValues));
    if (stored !== undefined) this.#sources.onSecrets(Object.values(stored));
    const granted = grantedSecrets(this.#agents.get(agent), Object.keys(fileValues ?? {}));
    const fromFile = Object.fromEntries(granted.map((name) => [name, fileValues?.[name] ?? ""]));
    const secrets = { ...stored, ...fromFile };
    const plain = { ...this.#container, ...withoutReserved(secrets) };
    const token = secrets.BEEUNI_TOKEN ?? this.#sources.containerEnv.BEEUNI_TOKEN;
    const beeuni = token === undefined ? plain : { ...plain, BEEUNI_TOKEN: token };
    return { fileValues, stored, plain: same(before?.plain, plain), beeuni: same(before?.beeuni, beeuni) };
  }
}

/** `before` when it says the same, so that whoever compares objects sees no change. */
function same(before: EnvSet | undefined, now: EnvSet): EnvSet {
  if (before === undefined) return now;
  const names = Object.keys(now);
  const equal = names.length === Object.keys(before).length &&
    names.every((name) => before[name] === now[name]);
  return equal ? before : now;
}
