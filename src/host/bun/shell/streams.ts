import type { BunFile } from "../bun_file.ts";
import { isBinary, toBytes } from "../bytes.ts";
import type { ShellObject } from "./script.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Where a command's output goes. */
export interface Sink {
  write(chunk: Uint8Array): Promise<void> | void;
  close(): Promise<void> | void;
}

/** The streams of one command. */
export interface Streams {
  /** Absent: empty. */
  stdin: ReadableStream<Bytes> | undefined;
  stdout: Sink;
  stderr: Sink;
}

/** The command after the `|` has ended, as SIGPIPE says it to programs. */
export class BrokenPipe extends Error {}

/** Takes nothing. */
export const NULL_SINK: Sink = { write() {}, close() {} };

/** Output of a script that is kept at most, in bytes. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * Keeps what is written.
 *
 * @param echo Also gets each chunk.
 */
export class Capture implements Sink {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(readonly echo?: (chunk: Uint8Array) => void) {}

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_OUTPUT_BYTES) {
      throw new Error(`Bun.$: the output has more than ${MOST_OUTPUT_BYTES} bytes: redirect it to a file`);
    }
    this.#chunks.push(chunk);
    this.echo?.(chunk);
  }

  close(): void {}

  /** All that was written. */
  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** The two ends of a `|`. */
export function pipe(): { sink: Sink; stream: ReadableStream<Bytes> } {
  const { readable, writable } = new TransformStream<Uint8Array, Bytes>();
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  return {
    stream: readable,
    sink: {
      write: (chunk) =>
        writer.write(chunk).catch(() => {
          throw new BrokenPipe();
        }),
      close: () => writer.close().catch(() => {}),
    },
  };
}

/** A file that output is written to. */
export async function fileSink(path: string, append: boolean): Promise<Sink> {
  if (path === "/dev/null") return NULL_SINK;
  const file = await Deno.open(path, { write: true, create: true, append, truncate: !append });
  return {
    write: async (chunk) => {
      for (let written = 0; written < chunk.length;) written += await file.write(chunk.subarray(written));
    },
    close: () => file.close(),
  };
}

/**
 * A buffer that output is written into from its start; what does not fit is lost.
 *
 * @throws {Error} for an object that can't be written to.
 */
export function bufferSink(target: ShellObject): Sink {
  if (!isBinary(target)) {
    throw new Error("Cannot redirect stdout/stderr to an immutable blob. Expected a file");
  }
  const bytes = toBytes(target);
  let at = 0;
  return {
    write: (chunk) => {
      const fitting = chunk.subarray(0, bytes.length - at);
      bytes.set(fitting, at);
      at += fitting.length;
    },
    close() {},
  };
}

/** A file as input. */
export async function fileStream(path: string): Promise<ReadableStream<Bytes>> {
  if (path === "/dev/null") return new Blob([]).stream();
  return (await Deno.open(path)).readable;
}

/** An object as input. */
export function objectStream(source: ShellObject | BunFile): ReadableStream<Bytes> {
  if (source instanceof Blob) return source.stream();
  if (isBinary(source)) return new Blob([toBytes(source).slice()]).stream();
  return source.body ?? new Blob([]).stream();
}

/** Moves all of a program's output; `stop` is called when nobody takes it any more. */
export async function pump(stream: ReadableStream<Bytes>, sink: Sink, stop: () => void): Promise<void> {
  try {
    for await (const chunk of stream) await sink.write(chunk);
  } catch (error) {
    stop();
    if (!(error instanceof BrokenPipe)) throw error;
  }
}
