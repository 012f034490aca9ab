import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, parse } from "node:path";
import process from "node:process";
import { BeeuniError } from "../errors/error.ts";
import { cacheFolders } from "./cache_folders.ts";
import { isPrivateFolder } from "./private_folder.ts";
import { ENGINE_RECORD, type EngineRecord, readEngineRecord } from "./record.ts";

/** Written last: a folder without it is not whole. */
const MARKER = "complete";
/** Every unpacked file gets this time (2001-01-01, in seconds), so that a later change shows. */
const FILE_TIME = 978_307_200;

/** Options of {@link unpackEngine}. */
export interface UnpackOptions {
  /** Folders to try, best first; absent = {@link cacheFolders} of this process. */
  folders?: string[];
  /** Owner that the folders must have; absent = the effective user of this process. */
  uid?: number;
}

/**
 * Unpacks the files that the compiled executable carries, unless a whole copy is there already.
 *
 * Each file is written beside its place, checked against its hash and renamed over it, the marker last: many
 * processes may do this at once, a reader never sees half a file, and a program that runs from the folder goes on.
 *
 * @param source Folder with `engine.json` and `payload/<SHA-256>` for each file it lists (inside the executable).
 * @returns Absolute path of the folder with the unpacked files, which nobody but the user and root can change.
 * @throws {BeeuniError} `engine` when no folder is both safe and writable.
 */
export function unpackEngine(source: string, options: UnpackOptions = {}): string {
  const record = readEngineRecord(source);
  const uid = options.uid ?? process.geteuid?.() ?? 0;
  const folders = options.folders ?? cacheFolders(process.env, uid);
  for (const folder of folders) {
    const place = join(folder, record.id);
    if (isWhole(place, record, uid)) return realpathSync(place);
  }
  const reasons: string[] = [];
  for (const folder of folders) {
    const place = join(folder, record.id);
    try {
      makeFolders(dirname(folder), folder, place);
      if (!isPrivatePlace(place, uid)) {
        reasons.push(`${folder}: another user can write it`);
        continue;
      }
      writeFiles(source, place, record);
      if (isWhole(place, record, uid)) return realpathSync(place);
      reasons.push(`${folder}: programs can't be run from it`);
    } catch (error) {
      reasons.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new BeeuniError("engine", "the program found no folder to unpack itself into.", {
    hint: "Set XDG_CACHE_HOME to a folder that you can write and no other user can.",
    cause: new Error(reasons.join("\n")),
  });
}

/** The base is made as usual; ours are 0700 whatever the umask says. An existing folder keeps its mode. */
function makeFolders(base: string, folder: string, place: string): void {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  for (const own of [folder, place]) if (!existsSync(own)) mkdirSync(own, { recursive: true, mode: 0o700 });
}

function isPrivatePlace(place: string, uid: number): boolean {
  const chain: string[] = [];
  const real = realpathSync(place);
  for (let path = real; path !== parse(real).root; path = dirname(path)) chain.unshift(path);
  chain.unshift(parse(real).root);
  return isPrivateFolder(chain.map((path) => lstatSync(path)), 2, uid);
}

/** Sizes and times are compared, not hashes: this runs at every start. */
function isWhole(place: string, record: EngineRecord, uid: number): boolean {
  try {
    statSync(join(place, MARKER));
    for (const file of record.files) {
      const stat = lstatSync(join(place, file.path));
      if (!stat.isFile() || stat.size !== file.size || stat.mtimeMs !== FILE_TIME * 1000) return false;
    }
    statSync(join(place, ENGINE_RECORD));
    accessSync(join(place, "deno"), constants.X_OK); // also false on a file system mounted noexec
    return isPrivatePlace(place, uid);
  } catch {
    return false;
  }
}

function writeFiles(source: string, place: string, record: EngineRecord): void {
  const suffix = `.${process.pid}-${randomBytes(6).toString("hex")}`;
  const put = (path: string, bytes: Uint8Array, mode: number) => {
    const target = join(place, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const fresh = target + suffix;
    try {
      writeFileSync(fresh, bytes, { flag: "wx", mode });
      chmodSync(fresh, mode);
      utimesSync(fresh, FILE_TIME, FILE_TIME);
      if (existsSync(target) && lstatSync(target).isDirectory()) rmSync(target, { recursive: true });
      renameSync(fresh, target);
    } finally {
      rmSync(fresh, { force: true });
    }
  };
  for (const file of record.files) {
    const bytes = readFileSync(join(source, "payload", file.sha256));
    if (createHash("sha256").update(bytes).digest("hex") !== file.sha256) {
      throw new Error(`${file.path} is damaged in the executable`);
    }
    put(file.path, bytes, file.mode);
  }
  put(ENGINE_RECORD, readFileSync(join(source, ENGINE_RECORD)), 0o600);
  put(MARKER, new Uint8Array(), 0o600);
}
