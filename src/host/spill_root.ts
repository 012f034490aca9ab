import { join } from "node:path";

/** Output files older than this are removed when a host starts, in milliseconds (specification 2.5). */
export const SPILL_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Makes `<tmp>/beeuni-tool-output` and says where it is.
 *
 * Another user may have made the folder first, or have planted a link: then ours has the user's number in its name.
 * The runner checks once more, each time it writes.
 */
export function makeSpillRoot(tmp: string): string {
  const uid = Deno.uid() ?? 0;
  const path = join(tmp, "beeuni-tool-output");
  return [path, `${path}-${uid}`].find((folder) => makePrivate(folder, uid)) ?? path;
}

/** Makes `path` a folder of ours with mode 0700; false when it is anything else. */
export function makePrivate(path: string, uid: number): boolean {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) return false;
  }
  try {
    const info = Deno.lstatSync(path);
    if (!info.isDirectory || info.uid !== uid) return false;
    if (((info.mode ?? 0) & 0o777) !== 0o700) Deno.chmodSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes output files older than 7 days, and session folders that are empty then. Never follows a link, never
 * throws: what can't be removed stays.
 */
export async function sweepSpillRoot(root: string, now = Date.now()): Promise<void> {
  for await (const session of list(root)) {
    if (!session.isDirectory) continue;
    const folder = join(root, session.name);
    for await (const entry of list(folder)) {
      if (!entry.isFile) continue;
      const file = join(folder, entry.name);
      try {
        const info = await Deno.lstat(file);
        if (now - (info.mtime?.getTime() ?? now) > SPILL_MAX_AGE_MS) await Deno.remove(file);
      } catch {
        // Somebody else removed it, or it is not ours.
      }
    }
    try {
      const info = await Deno.lstat(folder);
      // Only an old one: a call may be about to write into a new one. `remove` refuses a folder with files.
      if (now - (info.mtime?.getTime() ?? now) > SPILL_MAX_AGE_MS) await Deno.remove(folder);
    } catch {
      // Not empty.
    }
  }
}

async function* list(folder: string): AsyncGenerator<Deno.DirEntry> {
  try {
    if ((await Deno.lstat(folder)).isDirectory) yield* Deno.readDir(folder);
  } catch {
    // Not there, or not ours to read.
  }
}

/**
 * The folder of a session's output files.
 *
 * @param session Empty = the call belongs to none. A name that is no plain file name has its dots spelled out.
 */
export function spillFolder(root: string, session: string): string {
  if (session === "") return `${root}/no-session`;
  const name = /^\.+$/.test(session) || session.includes("/")
    ? encodeURIComponent(session).replaceAll(".", "%2E")
    : session;
  return `${root}/${name}`;
}

/** Whether a runner may say that it wrote `file`: a plain name in the session's folder and nowhere else. */
export function isSpillFile(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`) && /^[\w.-]+$/.test(file.slice(folder.length + 1));
}
