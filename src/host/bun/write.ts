import { argumentError } from "./argument_error.ts";
import { BunFile } from "./bun_file.ts";
import { type BinaryLike, isBinary, toBytes } from "./bytes.ts";
import { filePath } from "./file_path.ts";
import { fsError } from "./fs_error.ts";

/** What {@link write} takes as content. */
export type WriteInput = string | BinaryLike | Blob | Response | Request | ReadableStream | BlobPart[];

/** Options of {@link write}. */
export interface WriteOptions {
  /** Make missing folders on the way; the default. */
  createPath?: boolean;
  /** Permission bits of a new file. */
  mode?: number;
}

/**
 * `Bun.write`: replaces a file, making the folders on the way.
 *
 * @param destination A path, a `file:` URL or a `Bun.file`.
 * @param input A string, binary data, a Blob or `Bun.file`, the body of a Response or Request, a stream, parts of a
 * Blob; anything else as its string.
 * @returns The bytes written.
 * @throws {Error} as node:fs (`ENOENT: …`), or Deno's error for a right the tool does not have.
 */
export async function write(
  destination: string | URL | BunFile | ArrayBufferView | ArrayBuffer,
  input: WriteInput,
  options: WriteOptions = {},
): Promise<number> {
  const path = destination instanceof BunFile ? destination.name : destinationPath(destination);
  const content = await contentOf(input, path);
  const file = await openForWriting(path, options);
  try {
    if (content instanceof Uint8Array) return await writeAll(file, content);
    let total = 0;
    for await (const chunk of content) {
      total += await writeAll(
        file,
        typeof chunk === "string" || isBinary(chunk) ? toBytes(chunk) : toBytes(`${chunk}`),
      );
    }
    return total;
  } finally {
    file.close();
  }
}

function destinationPath(destination: unknown): string {
  if (destination === undefined || destination === null) {
    throw argumentError('The "destination" argument must be of type path, file descriptor, or Blob.');
  }
  // reading a member of Bun.stdout or Bun.stderr throws what to use instead
  if (typeof destination === "object" && !(destination instanceof URL)) {
    Reflect.get(destination, "byteLength");
  }
  return filePath(destination, "Bun.write");
}

/** The content as bytes when it is at hand, else as a stream. */
async function contentOf(input: unknown, path: string): Promise<Uint8Array | AsyncIterable<unknown>> {
  if (input === undefined || input === null) {
    throw argumentError("Bun.write(pathOrFdOrBlob, blob) expects a Blob-y thing to write");
  }
  if (isBinary(input)) return toBytes(input);
  // a file written onto itself must be read before it is emptied
  if (input instanceof BunFile) {
    return sameFile(input.name, path) ? await input.bytes() : await opened(input.stream());
  }
  if (input instanceof Blob) return await input.bytes();
  if (input instanceof Response || input instanceof Request) {
    if (input.bodyUsed) {
      throw Object.assign(new TypeError("Body already used"), { code: "ERR_BODY_ALREADY_USED" });
    }
    return input.body ?? new Uint8Array();
  }
  if (input instanceof ReadableStream) return input;
  if (Array.isArray(input)) return await new Blob(input).bytes();
  return toBytes(String(input));
}

function sameFile(one: string, other: string): boolean {
  try {
    return one === other || Deno.realPathSync(one) === Deno.realPathSync(other);
  } catch {
    // one of them is missing, or may only be written
    return false;
  }
}

/** Reads the first chunk, so that a missing source fails before the destination is emptied. */
async function opened(stream: ReadableStream<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const chunks = stream.values();
  const first = await chunks.next();
  return {
    async *[Symbol.asyncIterator]() {
      if (first.done) return;
      yield first.value;
      yield* chunks;
    },
  };
}

async function openForWriting(path: string, options: WriteOptions): Promise<Deno.FsFile> {
  const { createPath = true, mode } = options;
  const open = () =>
    Deno.open(path, { write: true, create: true, truncate: true, ...(mode === undefined ? {} : { mode }) });
  try {
    try {
      return await open();
    } catch (error) {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      if (!createPath || folder === "" || !(error instanceof Deno.errors.NotFound)) throw error;
      await Deno.mkdir(folder, { recursive: true });
      return await open();
    }
  } catch (error) {
    throw fsError(error, "open", path);
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<number> {
  for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
  return bytes.length;
}
