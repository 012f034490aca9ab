import { join } from "node:path";
import { unwritable, writeWhole } from "./whole_file.ts";

/** Name of the daemon's key in the state directory (specification 2.7). */
export const KEY_FILE = "tool-bridge.key";

/** The daemon's key, and why it had to be made anew. */
export interface Key {
  /** 64 hex digits. */
  key: string;
  /** Why the key that was there is not used any more; absent when it is, or when there was none. */
  replaced?: string;
}

/**
 * The daemon's key: the one in the state directory, so that it outlives a restart, or a new one.
 *
 * A key that others could read, that is not 64 hex digits, or that is reached through a link is replaced. Called
 * under the daemon's lock, so two daemons never make one at the same time.
 *
 * @param stateDir Absolute path; it exists.
 * @throws {BeeuniError} `unwritable`.
 */
export async function daemonKey(stateDir: string): Promise<Key> {
  const path = join(stateDir, KEY_FILE);
  const found = await readKey(path);
  if (found !== undefined && "key" in found) return found;
  const key = crypto.getRandomValues(new Uint8Array(32)).toHex();
  await writeWhole(path, `${key}\n`, { durable: true });
  return { key, ...found };
}

/** The key in the file, or why it can't be used; `undefined` without a file. */
async function readKey(path: string): Promise<Key | { replaced: string } | undefined> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw unwritable(path, cause);
  }
  if (info.isDirectory) throw unwritable(path, new Error("it is a directory"));
  if (!info.isFile) return { replaced: "it was not a regular file" };
  if (((info.mode ?? 0) & 0o077) !== 0) return { replaced: "other users could read or write it" };
  if (info.uid !== null && info.uid !== Deno.uid()) return { replaced: "it belonged to another user" };
  try {
    // The size first: something else may lie under this name.
    const text = info.size > 256 ? "" : await Deno.readTextFile(path);
    const key = text.trim();
    return /^[0-9a-f]{64}$/.test(key) ? { key } : { replaced: "it was not 64 hex digits" };
  } catch {
    return { replaced: "it could not be read" };
  }
}
