import { MAX_OUTPUT_BYTES } from "./bound_output.ts";

/** Which file a whole output is kept in. */
export interface SpillPlace {
  /** Absolute path of the session's folder, two levels of which may be made: it and its parent. */
  folder: string;
  /** Name of the tool: the start of the file's name. */
  tool: string;
}

/** A whole output to be kept in a file. */
export interface Spill extends SpillPlace {
  bytes: Uint8Array;
  json: boolean;
}

/**
 * Writes a whole output to a new file (specification 2.5) and answers its path. A file that could not be written to its
 * end is removed.
 *
 * @throws {Error} With a message that says why, to stand in a sentence.
 */
export function writeSpillFile({ bytes, json, ...place }: Spill): string {
  const file = new SpillFile(place);
  file.write(bytes);
  return file.keep(json);
}

/**
 * The file of a whole output that comes in pieces. It has its name once all of it is there; until then it ends in
 * `.part`, so that whoever reads an output never reads a half, also when the process was killed in between.
 */
export class SpillFile {
  readonly #stem: string;
  readonly #part: string;
  readonly #file: Deno.FsFile;

  /**
   * Makes it: created exclusively with mode 0600, in folders that are made with mode 0700 and must be real folders of
   * this user, so nobody can plant a link.
   *
   * @throws {Error} With a message that says why, to stand in a sentence.
   */
  constructor(place: SpillPlace) {
    this.#stem = stemOf(place);
    this.#part = `${this.#stem}.part`;
    this.#file = create(place.folder, this.#part);
  }

  /**
   * Adds to it. When that fails it is removed.
   *
   * @throws {Error} With a message that says why, to stand in a sentence.
   */
  write(bytes: Uint8Array): void {
    try {
      for (let written = 0; written < bytes.length;) {
        written += this.#file.writeSync(written === 0 ? bytes : bytes.subarray(written));
      }
    } catch (error) {
      this.remove();
      throw new Error(reasonOf(error));
    }
  }

  /**
   * Gives it its name: all of it is there.
   *
   * @returns its path.
   * @throws {Error} With a message that says why, to stand in a sentence.
   */
  keep(json: boolean): string {
    const path = this.#stem + (json ? ".json" : ".txt");
    try {
      this.#file.close();
      Deno.renameSync(this.#part, path);
    } catch (error) {
      remove(this.#part);
      throw new Error(reasonOf(error));
    }
    return path;
  }

  /** Ends it and removes what was written. */
  remove(): void {
    this.#file.close();
    remove(this.#part);
  }
}

/**
 * Makes the file of a whole output, with its name at once, to be written as the output comes. Made as
 * {@link SpillFile} makes its own.
 *
 * @throws {Error} With a message that says why, to stand in a sentence.
 */
export function openSpillFile(
  { json, ...place }: SpillPlace & { json: boolean },
): { path: string; file: Deno.FsFile } {
  const path = stemOf(place) + (json ? ".json" : ".txt");
  return { path, file: create(place.folder, path) };
}

function stemOf({ folder, tool }: SpillPlace): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "");
  return `${folder}/${tool}-${time}-${randomName()}`;
}

function create(folder: string, path: string): Deno.FsFile {
  ownFolder(folder.slice(0, folder.lastIndexOf("/")));
  ownFolder(folder);
  const file = open(path);
  try {
    checkOwner(folder, file);
  } catch (error) {
    file.close();
    remove(path);
    throw new Error(reasonOf(error));
  }
  return file;
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
