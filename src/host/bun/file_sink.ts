import { toBytes } from "./bytes.ts";
import { fsError } from "./fs_error.ts";

/** Options of {@link FileSink}. */
export interface FileSinkOptions {
  /** Bytes that are kept before they are written to the file. */
  highWaterMark?: number;
}

/** Bytes kept by default before they are written. */
const HIGH_WATER_MARK = 64 * 1024;

/** Bun's incremental writer of a file (`Bun.file(path).writer()`): it replaces the file, and keeps small pieces. */
export class FileSink {
  readonly #path: string;
  #highWaterMark: number;
  #file: Deno.FsFile | undefined;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #ended = false;

  constructor(path: string, options: FileSinkOptions = {}) {
    this.#path = path;
    this.#highWaterMark = options.highWaterMark ?? HIGH_WATER_MARK;
  }

  /** Sets the amount that is kept, in bytes. */
  start(options: FileSinkOptions = {}): void {
    this.#highWaterMark = options.highWaterMark ?? this.#highWaterMark;
  }

  /**
   * Takes a piece of the content.
   *
   * @returns Its bytes; 0 after `end()`.
   */
  write(chunk: string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer): number {
    if (this.#ended) return 0;
    // a copy: the caller may use its buffer again before the bytes are written
    const bytes = toBytes(chunk).slice();
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
    if (this.#keptBytes >= this.#highWaterMark) this.flush();
    return bytes.length;
  }

  /**
   * Writes what was kept to the file.
   *
   * @returns The bytes written now.
   */
  flush(): number {
    const bytes = this.#keptBytes;
    const kept = this.#kept;
    this.#kept = [];
    this.#keptBytes = 0;
    try {
      this.#file ??= Deno.openSync(this.#path, { write: true, create: true, truncate: true });
      for (const chunk of kept) {
        for (let written = 0; written < chunk.length;) {
          written += this.#file.writeSync(chunk.subarray(written));
        }
      }
    } catch (error) {
      throw fsError(error, "open", this.#path);
    }
    return bytes;
  }

  /** Writes the rest and closes the file; with an error, only closes it. */
  end(error?: Error): number {
    if (this.#ended) return 0;
    this.#ended = true;
    try {
      return error === undefined ? this.flush() : 0;
    } finally {
      this.#file?.close();
    }
  }

  /** Has no effect: a worker does not wait for sinks. */
  ref(): void {}

  /** Has no effect: a worker does not wait for sinks. */
  unref(): void {}
}
