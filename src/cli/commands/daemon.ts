import { type Daemon, startDaemon } from "../../daemon/daemon.ts";
import { daemonAddresses } from "../../daemon/daemon_addresses.ts";
import { BeeuniError } from "../../errors/error.ts";
import { installedTokenCheck } from "../../harness/standard/installed_token.ts";
import { startHost } from "../../host/host.ts";
import { createLogger } from "../../log/logger.ts";
import type { Manifest } from "../../manifest/model.ts";
import { nearest } from "../../manifest/nearest.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { hostSecrets } from "../host_secrets.ts";
import { INTERRUPTED, interruption } from "../interruption.ts";
import { givenPath, openProject } from "../open_project.ts";
import { parseIdleTimeout } from "../parse_idle_timeout.ts";
import { PluginDoor } from "../plugin_door.ts";

/** Options of {@link daemon}. */
export interface DaemonCommandOptions extends CommonOptions {
  host?: string;
  port?: number;
  agent?: string;
  envFile?: string;
  idleTimeout?: string;
}

/**
 * `beeuni daemon`: serves the project's tools until it is told to stop (specification 2.7).
 *
 * It prints its URL; log lines go to stderr. A second signal stops it at once. With `--idle-timeout` it ends by itself
 * when no call, no turn and no follower of a session was there for that long.
 *
 * @throws {BeeuniError} `usage`, `no_manifest`, `manifest_invalid`, `daemon_running`, `port_in_use`, `env_file`,
 *   `unwritable`.
 */
export async function daemon(options: DaemonCommandOptions, { output }: CommandContext): Promise<number> {
  const { host: hostname = "127.0.0.1", port = 0, agent } = options;
  const { manifest, engine, stateDir } = await openProject(options);
  if (agent !== undefined) requireAgent(manifest, agent);
  const logger = createLogger({ json: output.json });
  const idleMs = options.idleTimeout === undefined ? undefined : parseIdleTimeout(options.idleTimeout);
  const door = new PluginDoor();
  const idle = Promise.withResolvers<void>();
  const envFile = givenPath(options.envFile);
  const { version } = engine;
  using secrets = hostSecrets(stateDir);
  let running: Daemon | undefined;
  let impatient = false;
  using interrupted = interruption(() => {
    if (running === undefined || impatient) Deno.exit(INTERRUPTED);
    impatient = true;
    void running.stopNow();
  });
  try {
    running = await startDaemon({
      root: manifest.root,
      stateDir,
      hostname,
      port,
      version,
      logger,
      startHost: (daemonPort) =>
        startHost({
          manifest,
          engine,
          stateDir,
          logger,
          daemonPort,
          daemonAddresses: daemonAddresses(hostname, Deno.networkInterfaces()),
          ...secrets.options,
          ...(agent === undefined ? {} : { defaultAgent: agent }),
          ...(envFile === undefined ? {} : { envFile }),
        }),
      plugin: ({ host }) => {
        const isInstalled = installedTokenCheck(stateDir);
        door.openForInstalled({
          knowsToken: isInstalled,
          load: async () => {
            const { PluginAccess } = await import("../../harness/standard/plugin_access.ts");
            return new PluginAccess({ host, turns: () => undefined, isInstalled });
          },
        });
        return door;
      },
      openSessions: async ({ host, url }) => {
        const { openDaemonSessions } = await import("../daemon_sessions.ts");
        const { root } = manifest;
        return openDaemonSessions({ root, stateDir, host, url, door, secrets: secrets.stored, logger });
      },
      ...(idleMs === undefined ? {} : { idle: { ms: idleMs, onIdle: idle.resolve } }),
    });
    if (output.json) output.document({ url: running.url, pid: Deno.pid, version, state: stateDir });
    else output.write(`${running.url}\n`);
    logger.info("the daemon listens", { url: running.url, state: stateDir });
    // Told at the start too, and not only by each call that needs them.
    const problem = secrets.stored.problem();
    if (problem !== undefined) logger.warn("stored secrets can't be used", { reason: problem.message });
    const because = await Promise.race([
      aborted(interrupted.signal).then(() => undefined),
      idle.promise.then(() => "it had nothing to do"),
    ]);
    logger.info("the daemon stops", { because });
    await running.stop();
    return 0;
  } finally {
    await logger.flush();
  }
}

function requireAgent({ agents }: Manifest, agent: string): void {
  if (agents.has(agent)) return;
  const near = nearest(agent, agents.keys());
  throw new BeeuniError("usage", `--agent ${agent} is no agent of the project.`, {
    hint: near === undefined ? `Name one of: ${[...agents.keys()].join(", ")}.` : `Did you mean ${near}?`,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
