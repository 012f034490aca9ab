import { BeeuniError } from "../errors/error.ts";
import { Deadlines } from "../host/deadlines.ts";

/** The largest request body, in bytes (specification 2.7). */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** How long a client may take to send a body, in milliseconds. */
const BODY_DEADLINE_MS = 60_000;

/** Of all bodies that are being read. */
const deadlines = new Deadlines();

/** Options of {@link readBody}. */
export interface ReadBodyOptions {
  /** Bytes; default {@link MAX_BODY_BYTES}. */
  maxBytes?: number;
  /** Milliseconds; default a minute. */
  deadlineMs?: number;
}

/**
 * The body of a request. Never more than the limit is kept in memory, whatever the client announces or sends.
 *
 * When the body is too large, what follows is left unread: the client gets its answer, and one that goes on sending
 * is stopped by its own full socket instead of costing us time.
 *
 * @throws {BeeuniError} `body_too_large`, `request_timeout`, or `bad_request` when the client hung up.
 */
export async function readBody(request: Request, options: ReadBodyOptions = {}): Promise<Uint8Array> {
  const { maxBytes = MAX_BODY_BYTES, deadlineMs = BODY_DEADLINE_MS } = options;
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes);
  if (announced === null && request.body === null) return new Uint8Array();

  const read = Promise.withResolvers<Uint8Array>();
  const cancel = deadlines.set(() => read.reject(tooSlow(deadlineMs)), deadlineMs);
  // With a length the server itself reads no more than was announced, and reading it at once is quicker.
  (announced === null && request.body !== null ? readStream(request.body, maxBytes) : request.bytes()).then(
    read.resolve,
    read.reject,
  );
  try {
    return await read.promise;
  } catch (cause) {
    if (cause instanceof BeeuniError) throw cause;
    throw new BeeuniError("bad_request", "the request body ended before it was complete.", { cause });
  } finally {
    cancel();
  }
}

/** Collects a stream of unknown length. */
async function readStream(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      // Not `cancel()`: that would go on reading, and dropping, for as long as the client sends.
      reader.releaseLock();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function tooLarge(maxBytes: number): BeeuniError {
  return new BeeuniError("body_too_large", `the request body is larger than ${maxBytes / 1024 / 1024} MiB.`);
}

function tooSlow(deadlineMs: number): BeeuniError {
  return new BeeuniError("request_timeout", `the request body did not arrive within ${deadlineMs / 1000} s.`);
}
