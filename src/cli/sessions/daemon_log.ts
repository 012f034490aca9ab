import { join } from "node:path";

/** Name of the log of a daemon that was started by a command, in the state directory. */
const LOG_FILE = "daemon.log";

/** Largest size of the log at a start, in bytes; a larger one is put aside, in place of the one put aside before. */
const MAX_BYTES = 10 * 1024 * 1024;

/** How much of the end is looked at for a reason, in bytes. */
const TAIL_BYTES = 64 * 1024;

/** The log of a daemon that is about to be started. */
export interface DaemonLog {
  /** Absolute path. */
  path: string;
  /** Where the new daemon's lines begin, in bytes. */
  start: number;
}

/**
 * Makes the log ready for one more daemon: mode 0600, and not larger than {@link MAX_BYTES}.
 *
 * @param stateDir Absolute path of a folder that exists and that only its owner can write.
 */
export async function openDaemonLog(stateDir: string, maxBytes: number = MAX_BYTES): Promise<DaemonLog> {
  const path = join(stateDir, LOG_FILE);
  const size = await Deno.stat(path).then(({ size }) => size, () => 0);
  if (size > maxBytes) await Deno.rename(path, `${path}.1`);
  (await Deno.open(path, { create: true, append: true, mode: 0o600 })).close();
  await Deno.chmod(path, 0o600);
  return { path, start: size > maxBytes ? 0 : size };
}

/**
 * Why a daemon did not start: the last error in its part of the log, as a sentence and what to do.
 *
 * @returns `undefined` when the log says nothing.
 */
export async function startFailure(
  { path, start }: DaemonLog,
): Promise<{ message: string; hint?: string } | undefined> {
  const lines = (await tail(path, start)).split("\n").filter((line) => line.trim() !== "");
  const at = lines.findLastIndex((line) => line.startsWith("beeuni: "));
  const message = lines[at]?.slice("beeuni: ".length);
  if (message === undefined) {
    // Not one of our words: what the runtime said as its last.
    const last = lines.at(-1);
    return last === undefined ? undefined : { message: last };
  }
  const hint = /^ {2}→ (.+)$/.exec(lines[at + 1] ?? "")?.[1];
  return hint === undefined ? { message } : { message, hint };
}

async function tail(path: string, start: number): Promise<string> {
  try {
    using file = await Deno.open(path);
    const { size } = await file.stat();
    await file.seek(Math.max(start, size - TAIL_BYTES), Deno.SeekMode.Start);
    return await new Response(file.readable).text();
  } catch {
    return "";
  }
}
