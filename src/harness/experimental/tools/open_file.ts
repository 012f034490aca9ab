import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf, reason } from "./file_error.ts";
import type { LocatedPath } from "./locate_path.ts";

/** A file that is open for reading, and what it was at that moment. */
export interface OpenFile {
  file: FileHandle;
  info: Stats;
}

/**
 * Opens a file or a folder for reading; `undefined` when it does not exist.
 *
 * Never waits: a pipe without a writer, a device or a socket is refused. Never follows a link in the last place: the path
 * was resolved, so one there is new.
 *
 * @throws {Error} With why it can't be read.
 */
export async function openFile({ real, shown }: LocatedPath): Promise<OpenFile | undefined> {
  let file: FileHandle;
  try {
    file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    // A socket can't be opened at all.
    const why = code === "ENXIO" ? "it is no regular file" : reason(code);
    throw new Error(`${shown} can't be read: ${why}.`, { cause: error });
  }
  try {
    const info = await file.stat();
    if (!info.isFile() && !info.isDirectory()) {
      throw new Error(`${shown} can't be read: it is a pipe or a device, not a regular file.`);
    }
    return { file, info };
  } catch (error) {
    await file.close();
    throw error;
  }
}
