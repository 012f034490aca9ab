import { jsonStringify, stringToWellFormed } from "./primordials.ts";
import { toPlain } from "./plain_value.ts";
import { MAX_SPILL_BYTES } from "./bound_output.ts";

/** An output above what may be kept in a file. */
export class OutputTooLargeError extends Error {
  override readonly name = "OutputTooLargeError";

  constructor() {
    super(
      `the output is over ${
        MAX_SPILL_BYTES / (1024 * 1024)
      } MiB: return what the model needs, or write it to a file`,
    );
  }
}

/**
 * The text that the model reads of what `execute` gave (specification 2.1): a string as it is (lone surrogates as
 * U+FFFD), undefined as nothing, anything else as JSON indented by 2.
 *
 * @throws {NotJsonError} JSON would lose something; the message names the place and the cure.
 * @throws {OutputTooLargeError} The text would be longer than a file of it may be, or than a string can be.
 */
export function resultText(value: unknown): { text: string; json: boolean } {
  if (typeof value === "string") return { text: stringToWellFormed(value), json: false };
  // Counted before the JSON is made: making it of more than may be kept would fill the worker's heap.
  let left = MAX_SPILL_BYTES;
  const spend = (units: number) => {
    left -= units;
    if (left < 0) throw new OutputTooLargeError();
  };
  const plain = toPlain(value, { root: "result", spend });
  if (plain === undefined) return { text: "", json: false };
  try {
    return { text: jsonStringify(plain, null, 2), json: true };
  } catch {
    // Plain data has nothing else to fail on than the length of the text.
    throw new OutputTooLargeError();
  }
}
