import type { RunnerErrorCode } from "../protocol.ts";
import { countLines, isWithinBounds, MAX_SPILL_BYTES } from "./bound_output.ts";
import type { FromTool, SpilledOutput } from "./messages.ts";
import { encodeUtf8, encodeUtf8Into, jsonStringify, typedArraySubarray } from "./primordials.ts";
import { OutputTooLargeError } from "./result_text.ts";
import { maskedHead, maskSecrets } from "./secret_mask.ts";

/** Sends a message to the carrier; `transfer` are buffers that go over without a copy. */
export type Post = (message: FromTool, transfer?: ArrayBuffer) => void;

/** What a call's error is answered with. */
export interface ErrorAnswer {
  code: RunnerErrorCode;
  message: string;
  /** For the log alone. */
  detail?: string;
}

/**
 * Answers call `id` with an output. One within the bounds goes to the daemon as it is; the bytes of a longer one go
 * to the main thread of the runner, which keeps them in a file.
 *
 * @throws {OutputTooLargeError} Nothing was sent.
 */
export function answerOutput(post: Post, id: number, text: string, json: boolean): void {
  const bytes = boundedBytes(text);
  if (bytes === undefined) return post({ kind: "result", id, json: `{"output":${jsonStringify(text)}}` });
  spill(post, id, { ...bytes, json });
}

/**
 * Answers call `id` with an error, its message bounded as outputs are. One over the bounds is masked first: its whole
 * goes to a file, and the daemon would not know a secret that the bound cuts.
 */
export function answerError(post: Post, id: number, { code, message, detail }: ErrorAnswer): void {
  // What does not fit into a file either is no message; its beginning will do.
  const head = maskedHead(message, MAX_MESSAGE);
  const isLong = boundedBytes(head) !== undefined;
  const text = isLong ? maskSecrets(head) : head;
  const bytes = isLong ? boundedBytes(text) : undefined;
  if (bytes !== undefined) {
    return spill(post, id, {
      ...bytes,
      json: false,
      error: detail === undefined ? { code } : { code, detail },
    });
  }
  // Put together by hand: an object would be asked for its `toJSON`.
  const rest = detail === undefined ? "" : `,"detail":${jsonStringify(detail)}`;
  post({ kind: "error", id, json: `{"code":"${code}","message":${jsonStringify(text)}${rest}}` });
}

const newBytes = Uint8Array;

/** Longest message in UTF-16 units: three bytes each are still within a file. */
const MAX_MESSAGE = MAX_SPILL_BYTES / 4;

/** The UTF-8 of a text over the bounds, and its lines; `undefined` for one within them. */
function boundedBytes(text: string): { bytes: Uint8Array<ArrayBuffer>; lines: number } | undefined {
  // A UTF-16 unit takes one to three bytes, so the longest texts need not be encoded to be known as too long.
  const bytes = text.length > MAX_SPILL_BYTES / 3 ? encodeLong(text) : encodeUtf8(text);
  const lines = countLines(bytes);
  return isWithinBounds(bytes.length, lines) ? undefined : { bytes, lines };
}

/** Encodes into a buffer of the most that may be kept: memory that is not written to costs nothing. */
function encodeLong(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > MAX_SPILL_BYTES) throw new OutputTooLargeError();
  const buffer = new newBytes(MAX_SPILL_BYTES);
  const { read, written } = encodeUtf8Into(text, buffer);
  if (read < text.length) throw new OutputTooLargeError();
  return typedArraySubarray(buffer, 0, written) as Uint8Array<ArrayBuffer>;
}

function spill(post: Post, id: number, output: SpilledOutput & { bytes: Uint8Array<ArrayBuffer> }): void {
  post({ kind: "spill", id, output }, output.bytes.buffer);
}
