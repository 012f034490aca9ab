import { BeeuniError } from "../errors/error.ts";

/** Name of the record beside the main bundle; that it is there tells the executable from a clone. */
export const ENGINE_RECORD = "engine.json";

/** One file of the executable. */
export interface EngineFile {
  /** Path below the unpacked folder, with `/`. */
  path: string;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of its bytes, 64 hex digits. */
  sha256: string;
  /** Permission bits, such as `0o755`. */
  mode: number;
}

/** What the build wrote down about the files it packed. */
export interface EngineRecord {
  version: string;
  commit: string;
  /** Name of the cache folder: a hash over all files, so that two builds never share one. */
  id: string;
  /** `x86_64-unknown-linux-gnu` or `aarch64-unknown-linux-gnu`. */
  target: string;
  /** Every packed file but the record itself. */
  files: EngineFile[];
}

/**
 * Reads the record in `folder`.
 *
 * @throws {BeeuniError} `engine` when it can't be read.
 */
export function readEngineRecord(folder: string): EngineRecord {
  try {
    return JSON.parse(Deno.readTextFileSync(`${folder}/${ENGINE_RECORD}`)) as EngineRecord;
  } catch (cause) {
    throw new BeeuniError("engine", "the program's own files are damaged.", {
      hint: `Delete ${folder} and start again.`,
      cause,
    });
  }
}
