import type { RunnerErrorCode } from "../protocol.ts";
import { countLines, isWithinBounds, MAX_OUTPUT_BYTES, MAX_SPILL_BYTES } from "./bound_output.ts";
import type { FromTool } from "./messages.ts";
import { OutputSender } from "./output_sender.ts";
import { encodeUtf8, jsonStringify } from "./primordials.ts";
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
 * @returns What sends the rest of a long one, as its pieces come back; undefined when all of it is sent.
 * @throws {OutputTooLargeError} Nothing was sent.
 */
export function answerOutput(post: Post, id: number, text: string, json: boolean): OutputSender | undefined {
  if (!isOverBounds(text)) {
    return void post({ kind: "result", id, json: `{"output":${jsonStringify(text)}}` });
  }
  if (text.length > MAX_SPILL_BYTES) throw new OutputTooLargeError();
  return send(
    new OutputSender(post, id, text, { json }, () => {
      answerError(post, id, { code: "output_too_large", message: new OutputTooLargeError().message });
    }),
  );
}

/**
 * Answers call `id` with an error, its message bounded as outputs are. One over the bounds is masked first: its whole
 * goes to a file, and the daemon would not know a secret that the bound cuts.
 *
 * @returns As {@link answerOutput} does.
 */
export function answerError(
  post: Post,
  id: number,
  { code, message, detail }: ErrorAnswer,
): OutputSender | undefined {
  // What does not fit into a file either is no message; its beginning will do.
  const head = maskedHead(message, MAX_MESSAGE);
  const isLong = isOverBounds(head);
  const text = isLong ? maskSecrets(head) : head;
  if (isLong && isOverBounds(text)) {
    const error = detail === undefined ? { code } : { code, detail };
    return send(new OutputSender(post, id, text, { json: false, error }, () => {}));
  }
  // Put together by hand: an object would be asked for its `toJSON`.
  const rest = detail === undefined ? "" : `,"detail":${jsonStringify(detail)}`;
  post({ kind: "error", id, json: `{"code":"${code}","message":${jsonStringify(text)}${rest}}` });
}

/** Longest message in UTF-16 units: three bytes each are still within a file. */
const MAX_MESSAGE = MAX_SPILL_BYTES / 4;

function isOverBounds(text: string): boolean {
  // A UTF-16 unit takes one to three bytes, so a long text need not be encoded to be known as too long.
  if (text.length > MAX_OUTPUT_BYTES) return true;
  const bytes = encodeUtf8(text);
  return !isWithinBounds(bytes.length, countLines(bytes));
}

function send(sender: OutputSender): OutputSender | undefined {
  return sender.start() ? sender : undefined;
}
