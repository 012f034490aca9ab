import { builtin } from "./builtin.ts";
import { filePath } from "./file_path.ts";
import { FileSink, type FileSinkOptions } from "./file_sink.ts";
import { fsError, isMissing } from "./fs_error.ts";
import { mimeTypeOfPath, normalizeMimeType } from "./mime_type.ts";
import { type BunReadableStream, withReaders } from "./stream_readers.ts";
import { write, type WriteInput, type WriteOptions } from "./write.ts";

/** Bytes read at a time by {@link BunFile.stream}. */
const CHUNK_BYTES = 64 * 1024;

/** What of a file a {@link BunFile} is about: bytes from `begin` up to `end` (the end of the file when absent). */
interface Range {
  begin: number;
  end: number | undefined;
}

/**
 * What `Bun.file(path)` returns: a Blob whose bytes are read when they are asked for.
 *
 * It stands wherever a Blob does (a `Response`, the body of `fetch`, a `FormData` entry, a part of another Blob),
 * because those read it through `stream()` and `size`. Each operation is checked against the worker's own rights.
 */
export class BunFile extends Blob {
  readonly #path: string;
  readonly #type: string;
  readonly #range: Range;

  constructor(path: string, type: string, range: Range = { begin: 0, end: undefined }) {
    super([]);
    this.#path = path;
    this.#type = type;
    this.#range = range;
  }

  /** The path as it was given. */
  get name(): string {
    return this.#path;
  }

  override get type(): string {
    return this.#type;
  }

  /** Bytes of the file (or of the slice); 0 when there is no such file. */
  override get size(): number {
    const size = this.#statSync()?.size ?? 0;
    return Math.max(0, Math.min(this.#range.end ?? size, size) - this.#range.begin);
  }

  /** When the file was last changed, in milliseconds since 1970; 0 when there is no such file. */
  get lastModified(): number {
    return this.#statSync()?.mtime?.getTime() ?? 0;
  }

  /** Whether this is an existing regular file or FIFO; `false` for folders. */
  async exists(): Promise<boolean> {
    try {
      const info = await Deno.stat(this.#path);
      return info.isFile || info.isFifo === true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#range.begin === 0 && this.#range.end === undefined) {
      try {
        return await Deno.readFile(this.#path);
      } catch (error) {
        throw fsError(error, "open", this.#path);
      }
    }
    return await new Response(this.stream()).bytes();
  }

  /** The content at once, which Bun does not offer: for `Bun.spawnSync`. */
  bytesSync(): Uint8Array<ArrayBuffer> {
    try {
      return Deno.readFileSync(this.#path).slice(this.#range.begin, this.#range.end);
    } catch (error) {
      throw fsError(error, "open", this.#path);
    }
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  /** The content as UTF-8, without a byte order mark. */
  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** The content parsed as JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** The content parsed as a form, by the type of the file. */
  async formData(): Promise<FormData> {
    return await new Response(this.stream(), { headers: { "content-type": this.#type } }).formData();
  }

  /** The content in chunks; the file is opened at the first read. */
  override stream(): BunReadableStream {
    let file: Deno.FsFile | undefined;
    let left = (this.#range.end ?? Infinity) - this.#range.begin;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        try {
          file ??= await this.#open();
          const chunk = new Uint8Array(Math.max(0, Math.min(CHUNK_BYTES, left)));
          const count = chunk.length === 0 ? null : await file.read(chunk);
          if (count === null) {
            file.close();
            controller.close();
          } else {
            left -= count;
            controller.enqueue(chunk.subarray(0, count));
          }
        } catch (error) {
          file?.close();
          throw fsError(error, "open", this.#path);
        }
      },
      cancel: () => file?.close(),
    }, { highWaterMark: 0 });
    return withReaders(stream);
  }

  /**
   * A part of the file, as `Blob.slice`; nothing is read or copied. Also `slice(begin, type)` and `slice(type)`.
   */
  override slice(begin?: number | string, end?: number | string, type?: string): BunFile {
    const types = [begin, end, type].filter((value) => typeof value === "string");
    const size = Number(begin) < 0 || Number(end) < 0 ? this.size : 0;
    const from = (value: number) => value < 0 ? Math.max(0, size + value) : value;
    const first = this.#range.begin + from(typeof begin === "number" ? begin : 0);
    const last = typeof end === "number" ? this.#range.begin + from(end) : Infinity;
    const limit = Math.min(last, this.#range.end ?? Infinity);
    return new BunFile(this.#path, types[0] === undefined ? this.#type : normalizeMimeType(types[0]), {
      begin: first,
      end: limit === Infinity ? undefined : Math.max(first, limit),
    });
  }

  /** An incremental writer that replaces the file. */
  writer(options: FileSinkOptions = {}): FileSink {
    return new FileSink(this.#path, options);
  }

  /** Replaces the file: `Bun.write(this, data)`. */
  write(data: WriteInput, options: WriteOptions = {}): Promise<number> {
    return write(this, data, options);
  }

  /** Deletes the file. */
  async unlink(): Promise<void> {
    try {
      await Deno.remove(this.#path);
    } catch (error) {
      throw fsError(error, "unlink", this.#path);
    }
  }

  /** Deletes the file. */
  delete(): Promise<void> {
    return this.unlink();
  }

  /** What node:fs says about the file. */
  async stat(): Promise<import("node:fs").Stats> {
    return await builtin("node:fs/promises").stat(this.#path);
  }

  #statSync(): Deno.FileInfo | undefined {
    try {
      return Deno.statSync(this.#path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #open(): Promise<Deno.FsFile> {
    const file = await Deno.open(this.#path);
    if (this.#range.begin > 0) await file.seek(this.#range.begin, Deno.SeekMode.Start);
    return file;
  }
}

/**
 * `Bun.file`: a reference to a file, which need not exist.
 *
 * @param path A path (relative ones against the working directory), a `file:` URL, or the bytes of a path.
 * @param options `type` overrides the MIME type of the extension.
 */
export function file(
  path: string | URL | ArrayBufferView | ArrayBuffer,
  options?: { type?: string },
): BunFile {
  const name = filePath(path, "Bun.file");
  const type = options?.type;
  return new BunFile(
    name,
    type === undefined || type === "" ? mimeTypeOfPath(name) : normalizeMimeType(type),
  );
}
