import type { HarnessName } from "../agents/may_use.ts";
import type { OpenedSessions } from "../daemon/lazy_sessions.ts";
import type { HarnessProject } from "../harness/types.ts";
import type { ToolHost } from "../host/types.ts";
import { withinMs } from "../host/within_ms.ts";
import type { Logger } from "../log/logger.ts";
import type { StoredSecrets } from "../secrets/stored_secrets.ts";
import { SessionService } from "../sessions/session_service.ts";
import type { Harness } from "../sessions/types.ts";
import { StateDatabase } from "../state/database.ts";
import type { PluginDoor } from "./plugin_door.ts";

/** How long harnesses may take to end, in milliseconds: their turns are over already, and the daemon waits for it. */
const DISPOSE_MS = 3000;

/**
 * How long the daemon waits for another process that writes, in milliseconds: every call of a tool waits with it. A
 * command that sets a secret takes some 10 ms.
 */
const BUSY_MS = 500;

/** What the sessions of a daemon are made of. */
export interface DaemonSessionsOptions {
  /** Absolute path of the project root. */
  root: string;
  /** Absolute path of the project's state directory; it exists. */
  stateDir: string;
  host: ToolHost;
  /** Where the daemon listens. */
  url: string;
  /** Opened for the plugin of the standard harness, once that is made. */
  door: PluginDoor;
  secrets: StoredSecrets;
  logger: Logger;
}

/**
 * Opens the sessions of a project: the state database, and each harness when a session first needs it.
 *
 * This module is loaded with the first request for a session, and a harness with its first turn.
 *
 * @throws {BeeuniError} `state_newer`, `state_database`, `unwritable`.
 */
export function openDaemonSessions(options: DaemonSessionsOptions): OpenedSessions {
  const { root, stateDir, host, secrets, logger } = options;
  using opening = new DisposableStack();
  // What a killed daemon wrote is there; only a loss of power may cost the last words, and each write is quick.
  const database = opening.use(new StateDatabase(stateDir, { synchronous: "normal", busyMs: BUSY_MS }));
  const project: HarnessProject = {
    root,
    stateDir,
    host,
    models: { env: (name) => Deno.env.get(name), secret: (name) => secrets.value(name) },
    logger,
  };
  const harnesses = new Map<HarnessName, Promise<Harness>>();
  const harness = (name: HarnessName) => {
    let made = harnesses.get(name);
    if (made === undefined) {
      made = makeHarness(name, project, options);
      harnesses.set(name, made);
      made.catch(() => harnesses.delete(name));
    }
    return made;
  };
  const sessions = new SessionService({
    database,
    harnesses: harness,
    agents: { names: () => host.manifest().agents.keys(), byDefault: () => host.defaultAgent() },
    mask: (text) => host.mask(text),
    logger,
  });
  const parts = opening.move();
  return {
    sessions,
    async [Symbol.asyncDispose]() {
      using _parts = parts;
      await sessions[Symbol.asyncDispose]();
      const ended = Promise.allSettled(
        [...harnesses.values()].map(async (made) => await (await made)[Symbol.asyncDispose]()),
      );
      await withinMs(DISPOSE_MS, ended.then(() => {}));
    },
  };
}

async function makeHarness(
  name: HarnessName,
  project: HarnessProject,
  { url, door }: Pick<DaemonSessionsOptions, "url" | "door">,
): Promise<Harness> {
  if (name === "experimental") {
    const { createExperimentalHarness } = await import("../harness/experimental/harness.ts");
    return createExperimentalHarness(project);
  }
  const { createStandardHarness } = await import("../harness/standard/harness.ts");
  const { PluginAccess } = await import("../harness/standard/plugin_access.ts");
  const harness = createStandardHarness(project, { url: () => url });
  const { host, models } = project;
  door.open(new PluginAccess({ host, models, turns: () => harness, failed: () => harness.failed }));
  return harness;
}
