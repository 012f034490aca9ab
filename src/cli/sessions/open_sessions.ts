import { findDaemon } from "../../daemon/client.ts";
import { BeeuniError } from "../../errors/error.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import type { CommonOptions } from "../command.ts";
import { SessionStore } from "../../sessions/session_store.ts";
import { StateDatabase, stateDatabasePath } from "../../state/database.ts";
import { projectStateDirectory } from "../open_project.ts";
import { SessionApi } from "./session_api.ts";
import { resolveSessionId } from "./session_id.ts";
import type { SessionSource } from "./session_source.ts";
import { StoredSessions } from "./stored_sessions.ts";

/** The project of a command that works on sessions. */
export interface SessionProject {
  /** Absolute path of the project root. */
  root: string;
  /** Absolute path of its state directory; it need not exist. */
  stateDir: string;
}

/**
 * Finds the project and its state directory; its manifest may be broken.
 *
 * @throws {BeeuniError} `no_manifest`, `unwritable` without a place for state.
 */
export async function sessionProject({ project }: Pick<CommonOptions, "project">): Promise<SessionProject> {
  const root = findManifest(project === undefined ? {} : { project });
  return { root, stateDir: await projectStateDirectory(root) };
}

/** The sessions of the daemon that runs now; `undefined` when none does. */
export async function runningSessions({ stateDir }: SessionProject): Promise<SessionApi | undefined> {
  const daemon = await findDaemon(stateDir);
  return daemon === undefined ? undefined : new SessionApi(daemon);
}

/**
 * {@link runningSessions} for what only makes sense while a turn runs.
 *
 * @throws {BeeuniError} `no_turn` when no daemon runs.
 */
export async function requireRunning(project: SessionProject, session: string): Promise<SessionApi> {
  const api = await runningSessions(project);
  if (api !== undefined) return api;
  throw new BeeuniError("no_turn", `no turn runs in session ${session}: no daemon runs for this project.`, {
    hint: `Go on with \`beeuni sessions prompt ${session} --prompt …\`.`,
  });
}

/**
 * Reads the sessions through the daemon when one runs, else straight from the state database: reading starts none.
 *
 * @throws {BeeuniError} what `read` throws; `state_newer`, `state_database`, `unwritable`.
 */
export async function readSessions<T>(
  project: SessionProject,
  read: (source: SessionSource) => Promise<T>,
): Promise<T> {
  const api = await runningSessions(project);
  if (api !== undefined) return await read(api);
  const isThere = await Deno.stat(stateDatabasePath(project.stateDir)).then(() => true, () => false);
  if (!isThere) return await read(NONE);
  const database = new StateDatabase(project.stateDir);
  using _database = database;
  return await read(new StoredSessions(new SessionStore(database)));
}

/** A project in which nothing was ever stored. */
const NONE: SessionSource = {
  list: () => Promise.resolve([]),
  messages: () => Promise.resolve([]),
  named: (given, work) => work(resolveSessionId(given, [])),
};
