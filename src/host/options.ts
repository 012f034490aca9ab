import type { Engine } from "../engine/types.ts";
import type { Logger } from "../log/logger.ts";
import type { Masker } from "../log/masker.ts";
import type { Agent, Manifest } from "../manifest/model.ts";

/** What a tool host is made of. */
export interface HostOptions {
  /** The manifest as read at start. */
  manifest: Manifest;
  /** Reads it again for a reload; may throw a `BeeuniError`. Default: `readManifest` on the same project. */
  readManifest?: () => Manifest | Promise<Manifest>;
  /** Absolute path of the project's state directory; made (0700) when missing. */
  stateDir: string;
  engine: Engine;
  logger: Logger;
  /** Environment of the container (the daemon's own); default `Deno.env.toObject()`. */
  containerEnv?: Readonly<Record<string, string>>;
  /** The daemon's own port: tools can't connect to it. */
  daemonPort?: number;
  /** Further addresses of this machine at which the daemon listens, when it is not on loopback; IPv6 in brackets. */
  daemonAddresses?: readonly string[];
  /** The agent for calls that name none; wins over the manifest's `default_agent`. */
  defaultAgent?: string;
  /** `--env-file`: read again whenever it changed. */
  envFile?: string;
  /**
   * The stored secrets this agent is granted, as they are now. Called once per call: a provider that gives the same
   * object while nothing changed keeps a call cheap. What `envFile` has wins.
   *
   * @param declared The agent as the manifest in force declares it.
   */
  secrets?: (agent: string, declared: Agent | undefined) => Readonly<Record<string, string>>;
  /** Masks log lines and errors; given, others may add values to it. Default: one of the host's own. */
  masker?: Masker;
  /** Load and run only these tools (`tools call`). */
  onlyTools?: readonly string[];
  /** When a worker, and a runner, without a call is ended, in milliseconds; default 60,000. */
  idleMs?: number;
  /** The system's temporary folder; default `$TMPDIR`, else `/tmp`. */
  tempDir?: string;
}
