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

/** Temporary files this old, in milliseconds, belong to no process that still writes. */
const LEFT_BEHIND_MS = 60_000;

/**
 * Writes all files or none (specification 1.8): each to a temporary file beside it, then each is put in place, in the
 * order given. A failure on the way puts back what was there, by renames only, so that a full disk is no trouble.
 *
 * A process that is killed on the way leaves each file old or new, never a later one without the earlier ones, and at
 * most temporary files, which the next replacement of the same file removes. Of two processes that replace one
 * expected text, the second is refused.
 *
 * @throws {BeeuniError} `file_exists` for a file that must not exist, `edit_refused` for one that changed meanwhile,
 * `unwritable`.
 */
export function replaceFiles(files: readonly FileReplacement[]): void {
  using _locks = lockExpected(files);
  const undo: (() => void)[] = [];
  const kept: string[] = [];
  let current = "";
  try {
    const staged = files.map((file) => {
      current = file.name;
      makeFolder(parentFolder(file.path), undo);
      removeLeftBehind(file.path);
      const old = checkOld(file);
      const temporary = beside(file.path);
      undo.push(() => remove(temporary));
      stage(temporary, file.bytes, old?.mode);
      return { path: file.path, name: file.name, temporary, isNew: old === undefined };
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
 * Locks the files whose present text is known, so that no other process replaces them between the check of that text
 * and the rename. The lock ends with the process, however it ends.
 */
function lockExpected(files: readonly FileReplacement[]): Disposable {
  const locks = new DisposableStack();
  for (const { path, expected } of files) {
    if (!(expected instanceof Uint8Array)) continue;
    try {
      locks.use(Deno.openSync(path)).lockSync(true);
    } catch {
      // It is gone, which the check tells, or its file system has no locks.
    }
  }
  return locks;
}

/**
 * Checks that what stands there now is what is expected.
 *
 * @returns The mode the new file is to have, absent for that of any new file; `undefined` when there is no old one.
 */
function checkOld({ path, name, expected }: FileReplacement): { mode?: number } | undefined {
  let old: { mode?: number };
  let bytes: Uint8Array;
  try {
    const { mode, isSymlink } = Deno.lstatSync(path);
    // The mode of a link says nothing: everybody may write.
    old = mode === null || isSymlink ? {} : { mode: mode & 0o777 };
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
  return old;
}

function failure(cause: unknown, name: string): BeeuniError {
  if (cause instanceof BeeuniError) return cause;
  if (cause instanceof Deno.errors.AlreadyExists) {
    return new BeeuniError("file_exists", `${name} exists.`, { cause });
  }
  const hint = whatToChange(cause);
  const options = { cause, ...(hint !== undefined && { hint }) };
  return new BeeuniError("unwritable", `${name} can't be written: nothing was changed.`, options);
}

function whatToChange(cause: unknown): string | undefined {
  if (cause instanceof Deno.errors.NotADirectory) return "Move the file that is in place of its folder.";
  if (cause instanceof Deno.errors.IsADirectory) return "Move the folder that has its name.";
  if (cause instanceof Deno.errors.PermissionDenied) return "Give yourself the right to write in its folder.";
  // Without the path of the temporary file, which is gone.
  return cause instanceof Error ? `The system says: ${cause.message.replace(/: \w+ '.*/s, "")}` : undefined;
}

/** A path in the same folder, so that a rename stays within the file system. */
function beside(path: string): string {
  return `${path}.${crypto.randomUUID()}.tmp`;
}

/** Removes the temporary files that a killed process left beside a file. */
function removeLeftBehind(path: string): void {
  const folder = parentFolder(path);
  const start = `${path.slice(path.lastIndexOf("/") + 1)}.`;
  for (const { name } of Deno.readDirSync(folder)) {
    if (!name.startsWith(start) || !/^[0-9a-f-]{36}\.tmp$/.test(name.slice(start.length))) continue;
    const { ctime } = Deno.lstatSync(`${folder}/${name}`);
    if (ctime !== null && Date.now() - ctime.getTime() > LEFT_BEHIND_MS) remove(`${folder}/${name}`);
  }
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
