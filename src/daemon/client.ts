import { join } from "node:path";
import { BeeuniError } from "../errors/error.ts";
import { ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import { type DaemonInfo, readDaemonFile } from "./daemon_file.ts";
import { isDaemonRunning } from "./daemon_lock.ts";
import { KEY_FILE } from "./key_file.ts";

/** The project's running daemon, as a client on this machine finds it. */
export interface DaemonClient extends DaemonInfo {
  /**
   * One request; answers the JSON.
   *
   * @throws {BeeuniError} with the code and the words the daemon answered; `daemon_not_running` when it can't be
   *   reached.
   */
  request(method: "GET" | "POST" | "DELETE", path: string): Promise<Record<string, unknown>>;
}

/**
 * The daemon of a project, or `undefined` when none runs (a `daemon.json` that a killed one left behind is none).
 *
 * @param stateDir Absolute path of the project's state directory.
 */
export async function findDaemon(stateDir: string): Promise<DaemonClient | undefined> {
  if (!await isDaemonRunning(stateDir)) return undefined;
  const info = await readDaemonFile(stateDir);
  if (info === undefined) return undefined;
  return { ...info, request: (method, path) => request(stateDir, info, method, path) };
}

/**
 * {@link findDaemon} for a command that needs one.
 *
 * @throws {BeeuniError} `daemon_not_running`
 */
export async function requireDaemon(stateDir: string): Promise<DaemonClient> {
  const daemon = await findDaemon(stateDir);
  if (daemon !== undefined) return daemon;
  throw new BeeuniError("daemon_not_running", "no daemon runs for this project.", {
    hint: "Start one with `beeuni daemon`.",
  });
}

async function request(
  stateDir: string,
  { url }: DaemonInfo,
  method: string,
  path: string,
): Promise<Record<string, unknown>> {
  let response: Response;
  let body: Record<string, unknown>;
  try {
    const key = (await Deno.readTextFile(join(stateDir, KEY_FILE))).trim();
    response = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
    body = await response.json();
  } catch (cause) {
    throw new BeeuniError("daemon_not_running", `the daemon at ${url} can't be reached.`, {
      hint: "Stop it with `beeuni daemon stop` and start it again.",
      cause,
    });
  }
  if (response.ok) return body;
  const { error, code, ...details } = body;
  const known = typeof code === "string" && Object.hasOwn(ERROR_CODES, code) ? code as ErrorCode : "internal";
  throw new BeeuniError(known, String(error), { details });
}
