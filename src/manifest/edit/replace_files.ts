import { BeeuniError } from "../../errors/error.ts";
import { parentFolder } from "../paths.ts";

/** A file to write. */
export interface FileReplacement {
  /** Absolute path, without links. Its folder is made when it is missing. */
  path: string;
  /** How messages name it. */
  name: string;
  bytes: Uint8Array;
  /** What the file must hold now; absent = it must not exist; `"any"` = either. */
  expected?: Uint8Array | "any";
}

/**
 * Writes all files or none (specification 1.8): each to a temporary file beside it, then each is put in place, in the
 * order given. A failure on the way puts back what was there, by renames only, so that a full disk is no trouble.
 *
 * @throws {BeeuniError} `file_exists` for a file that must not exist, `edit_refused` for one that changed meanwhile,
 * `unwritable`.
 */
export function replaceFiles(files: readonly FileReplacement[]): void {
  const undo: (() => void)[] = [];
  const kept: string[] = [];
  let current = "";
  try {
    const staged = files.map((file) => {
      current = file.name;
      makeFolder(parentFolder(file.path), undo);
      const mode = checkOld(file);
      const temporary = beside(file.path);
      undo.push(() => remove(temporary));
      stage(temporary, file.bytes, mode);
      return { path: file.path, name: file.name, temporary, isNew: mode === undefined };
    });
    for (const { path, name, temporary, isNew } of staged) {
      current = name;
      if (isNew) {
        // A link fails where a rename would replace what was put there meanwhile.
        Deno.linkSync(temporary, path);
        undo.push(() => remove(path));
        kept.push(temporary);
        continue;
      }
      const old = beside(path);
      Deno.linkSync(path, old);
      kept.push(old);
      undo.push(() => Deno.renameSync(old, path));
      Deno.renameSync(temporary, path);
    }
  } catch (cause) {
    for (const step of undo.reverse()) step();
    throw failure(cause, current);
  }
  kept.forEach(remove);
}

/**
 * Checks that what stands there now is what is expected.
 *
 * @returns The mode of the old file; `undefined` when there is none.
 */
function checkOld({ path, name, expected }: FileReplacement): number | undefined {
  let mode: number;
  let bytes: Uint8Array;
  try {
    mode = (Deno.lstatSync(path).mode ?? 0o644) & 0o777;
    bytes = Deno.readFileSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    if (expected === undefined || expected === "any") return undefined;
    throw new BeeuniError("edit_refused", `${name} is gone: nothing was changed.`);
  }
  if (expected === undefined) throw new BeeuniError("file_exists", `${name} exists.`);
  if (expected !== "any" && !sameBytes(bytes, expected)) {
    throw new BeeuniError("edit_refused", `${name} was changed meanwhile: try again.`);
  }
  return mode;
}

function failure(cause: unknown, name: string): BeeuniError {
  if (cause instanceof BeeuniError) return cause;
  if (cause instanceof Deno.errors.AlreadyExists) {
    return new BeeuniError("file_exists", `${name} exists.`, { cause });
  }
  return new BeeuniError("unwritable", `${name} can't be written: nothing was changed.`, { cause });
}

/** A path in the same folder, so that a rename stays within the file system. */
function beside(path: string): string {
  return `${path}.${crypto.randomUUID()}.tmp`;
}

function stage(path: string, bytes: Uint8Array, mode: number | undefined): void {
  using file = Deno.openSync(path, { write: true, createNew: true });
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
  if (mode !== undefined) Deno.chmodSync(path, mode);
  file.syncSync();
}

/** Makes a folder and those above it; an undo removes the ones it made. */
function makeFolder(path: string, undo: (() => void)[]): void {
  try {
    if (Deno.statSync(path).isDirectory) return;
    throw new Deno.errors.NotADirectory(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  makeFolder(parentFolder(path), undo);
  Deno.mkdirSync(path);
  undo.push(() => remove(path));
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // it was never made, or holds what somebody else put there
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
