import { join } from "node:path";
import { writeWhole } from "./whole_file.ts";

/** Name of the file that says where the daemon is (specification 2.7). */
export const DAEMON_FILE = "daemon.json";

/** What `daemon.json` says. */
export interface DaemonInfo {
  /** `http://<host>:<port>`, as a client on this machine reaches it. */
  url: string;
  pid: number;
  version: string;
}

/** Writes `daemon.json`, whole, mode 0600. */
export async function writeDaemonFile(stateDir: string, info: DaemonInfo): Promise<void> {
  await writeWhole(join(stateDir, DAEMON_FILE), `${JSON.stringify(info, null, 2)}\n`);
}

/** What `daemon.json` says, or `undefined` when there is none or it is not one of ours. */
export async function readDaemonFile(stateDir: string): Promise<DaemonInfo | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(join(stateDir, DAEMON_FILE)));
    return isDaemonInfo(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes `daemon.json` when it is the one of process `pid`. */
export async function removeDaemonFile(stateDir: string, pid: number): Promise<void> {
  if ((await readDaemonFile(stateDir))?.pid !== pid) return;
  await Deno.remove(join(stateDir, DAEMON_FILE)).catch(() => {});
}

function isDaemonInfo(value: unknown): value is DaemonInfo {
  if (typeof value !== "object" || value === null) return false;
  const { url, pid, version } = value as Partial<Record<keyof DaemonInfo, unknown>>;
  return typeof url === "string" && /^http:\/\//.test(url) && Number.isSafeInteger(pid) &&
    typeof version === "string";
}
