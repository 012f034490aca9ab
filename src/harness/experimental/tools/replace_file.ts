import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, reason } from "./file_error.ts";

/**
 * Writes a file whole or not at all: to a new file beside it, which then takes its name. Folders on the way are made.
 *
 * @param path Real path: a link would be replaced by the file.
 * @param mode Permission bits; of a file that is replaced, its own.
 * @throws {Error} With why it could not be written; then nothing changed.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  { mode, signal }: { mode: number | undefined; signal: AbortSignal },
): Promise<void> {
  const folder = dirname(path);
  // Not the file's own name before it: that may be as long as names get.
  const temporary = join(folder, `.beeuni-${randomUUID()}.tmp`);
  let made = false;
  try {
    // Taking a name needs a right in the folder alone: a file that is read-only stays as it is all the same.
    if (mode !== undefined) await access(path, constants.W_OK);
    await mkdir(folder, { recursive: true });
    const file = await open(temporary, "wx", mode ?? 0o666);
    made = true;
    try {
      await file.writeFile(bytes);
      // The process's mask took bits away that the file had.
      if (mode !== undefined) await file.chmod(mode);
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    if (made) await unlink(temporary).catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw new Error(`${basename(path)} could not be written: ${reason(codeOf(error))}.`, { cause: error });
  }
}
