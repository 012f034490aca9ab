import { BeeuniError } from "../errors/error.ts";
import { isInsideAny } from "./path_inside.ts";

/** Longest path of a unix socket Linux takes is 107 bytes; this is what our own names below the folder need. */
const MAX_TEMP_BYTES = 60;

/**
 * The temporary folder the host works in: the first that lies outside the project (tools may write there), has no
 * comma (Deno's path lists can't spell one), and is short enough for a socket below it.
 *
 * @param wanted The system's temporary folder.
 * @param roots The names of the project root.
 * @param usable Whether a folder exists and can be written.
 * @throws {BeeuniError} `unwritable` when none fits.
 */
export function tempRoot(
  wanted: string,
  roots: readonly string[],
  usable: (folder: string) => boolean,
): string {
  for (const folder of new Set([wanted, "/tmp", "/var/tmp", "/dev/shm"])) {
    const bytes = new TextEncoder().encode(folder).length;
    if (isInsideAny(folder, roots) || folder.includes(",") || bytes > MAX_TEMP_BYTES) continue;
    if (usable(folder)) return folder;
  }
  throw new BeeuniError(
    "unwritable",
    `No temporary folder can be used: ${wanted} is not writable or lies in the project.`,
    {
      hint: "Set TMPDIR to a folder outside the project.",
    },
  );
}
