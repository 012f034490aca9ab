import { BeeuniError } from "../errors/error.ts";
import { isInsideAny } from "./path_inside.ts";

/** Longest path of a unix socket Linux takes is 107 bytes; this is what our own names leave of it. */
const MAX_TEMP_BYTES = 60;

/**
 * The temporary folder the host works in: the first that lies outside the project (tools may write there), has no
 * comma (Deno's path lists can't spell one), and is short enough for a socket below it. One that no tool was granted
 * comes first.
 *
 * @param wanted The system's temporary folder.
 * @param roots The names of the project root.
 * @param granted Absolute paths that tools may use.
 * @param usable Whether a folder exists and can be written.
 * @throws {BeeuniError} `unwritable` when none fits.
 */
export function tempRoot(
  wanted: string,
  roots: readonly string[],
  granted: readonly string[],
  usable: (folder: string) => boolean,
): string {
  const fitting = [...new Set([wanted, "/tmp", "/var/tmp", "/dev/shm"])].filter((folder) => {
    const bytes = new TextEncoder().encode(folder).length;
    return !isInsideAny(folder, roots) && !folder.includes(",") && bytes <= MAX_TEMP_BYTES;
  });
  const found = fitting.find((folder) => !isInsideAny(folder, granted) && usable(folder)) ??
    fitting.find(usable);
  if (found !== undefined) return found;
  const message = `no temporary folder can be used: ${wanted} can't be written, or lies in the project.`;
  throw new BeeuniError("unwritable", message, { hint: "Set TMPDIR to a folder outside the project." });
}
