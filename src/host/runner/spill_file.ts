import { MAX_OUTPUT_BYTES } from "./bound_output.ts";

/** Which file a whole output is kept in. */
export interface SpillPlace {
  /** Absolute path of the session's folder, two levels of which may be made: it and its parent. */
  folder: string;
  /** Name of the tool: the start of the file's name. */
  tool: string;
  json: boolean;
}

/** A whole output to be kept in a file. */
export interface Spill extends SpillPlace {
  bytes: Uint8Array;
}

/**
 * Writes a whole output to a new file (specification 2.5) and answers its path. A file that could not be written to its
 * end is removed.
 *
 * @throws {Error} With a message that says why, to stand in a sentence.
 */
export function writeSpillFile({ bytes, ...place }: Spill): string {
  const { path, file: opened } = openSpillFile(place);
  using file = opened;
  try {
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
  } catch (error) {
    remove(path);
    throw new Error(reasonOf(error));
  }
  return path;
}

/**
 * Makes the file of a whole output, to be written as the output comes.
 *
 * The folders are made with mode 0700 and must be real folders of this user, so nobody can plant a link; the file is
 * created exclusively with mode 0600.
 *
 * @throws {Error} With a message that says why, to stand in a sentence.
 */
export function openSpillFile({ folder, tool, json }: SpillPlace): { path: string; file: Deno.FsFile } {
  ownFolder(folder.slice(0, folder.lastIndexOf("/")));
  ownFolder(folder);
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "");
  const path = `${folder}/${tool}-${time}-${randomName()}.${json ? "json" : "txt"}`;
  const file = open(path);
  try {
    checkOwner(folder, file);
  } catch (error) {
    file.close();
    remove(path);
    throw new Error(reasonOf(error));
  }
  return { path, file };
}

/** Makes a folder that only this user may enter, or checks that it is one. */
function ownFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
    return;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw new Error(reasonOf(error));
  }
  const info = Deno.lstatSync(path);
  if (info.isSymlink) throw new Error(`${path} is a link`);
  if (!info.isDirectory) throw new Error(`${path} is not a folder`);
  if (((info.mode ?? 0) & 0o777) === 0o700) return;
  try {
    // Another user's folder can't be changed, so this fails there.
    Deno.chmodSync(path, 0o700);
  } catch (error) {
    throw new Error(`${path} is not private: ${reasonOf(error)}`);
  }
}

function open(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    throw new Error(reasonOf(error));
  }
}

/**
 * Both folders must belong to whom the new file belongs to. (The user's number itself needs a right that a runner
 * does not have.)
 */
function checkOwner(folder: string, file: Deno.FsFile): void {
  const owner = file.statSync().uid;
  for (const path of [folder, folder.slice(0, folder.lastIndexOf("/"))]) {
    if (Deno.lstatSync(path).uid !== owner) throw new Error(`${path} belongs to another user`);
  }
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // What can't be removed is swept with the other old files.
  }
}

function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(1))[0]!.toString(16).padStart(8, "0");
}

/** A system's error as a part of a sentence: `No space left on device`, without its number and path. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(os error \d+\).*$/s, "").slice(0, MAX_OUTPUT_BYTES / 100);
}
