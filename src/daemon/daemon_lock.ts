import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BeeuniError } from "../errors/error.ts";
import { readDaemonFile } from "./daemon_file.ts";
import { unwritable } from "./whole_file.ts";

const TRIES = 8;
const TRY_MS = 40;

/** The file that a running daemon holds a lock on. */
export const LOCK_FILE = "daemon.lock";

/**
 * Makes this process the one daemon of a project; the lock goes with the process, however it ends.
 *
 * Two daemons on one project would write the same state, and `daemon.json` could name only one of them.
 *
 * @param stateDir Absolute path; it exists.
 * @returns Dispose it to let go.
 * @throws {BeeuniError} `daemon_running` when another process holds it; `unwritable`.
 */
export async function lockDaemon(stateDir: string): Promise<Disposable> {
  const path = join(stateDir, LOCK_FILE);
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch (cause) {
    throw unwritable(path, cause);
  }
  // A few tries: `isDaemonRunning` of another process holds the lock for a moment, and a daemon that ends a little
  // longer.
  for (let tries = 0; tries < TRIES; tries++) {
    if (await file.tryLock(true)) return file;
    await delay(TRY_MS);
  }
  file.close();
  const running = await readDaemonFile(stateDir);
  const where = running === undefined ? "" : ` at ${running.url} (process ${running.pid})`;
  throw new BeeuniError("daemon_running", `a daemon runs for this project already${where}.`, {
    hint: "Stop it with `beeuni daemon stop`, or set BEEUNI_STATE_DIR to run a second one.",
    ...(running === undefined ? {} : { details: { url: running.url, pid: running.pid } }),
  });
}

/** Whether some process holds the lock: whether a daemon runs for the project. */
export async function isDaemonRunning(stateDir: string): Promise<boolean> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(join(stateDir, LOCK_FILE), { read: true });
  } catch {
    return false;
  }
  using _file = file;
  // A shared lock: two of these questions at once must not take each other for a daemon.
  return !await file.tryLock(false);
}
