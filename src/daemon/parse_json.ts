import { BeeuniError } from "../errors/error.ts";

/** How deep a body may nest. Writing JSON recurses: far deeper values would end in a stack overflow. */
const MAX_DEPTH = 1000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON value in a request body.
 *
 * A key such as `__proto__` becomes a property like any other (`JSON.parse` defines, it does not assign).
 *
 * @throws {BeeuniError} `bad_request` when the bytes are not UTF-8, not JSON, or nested too deep.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw new BeeuniError("bad_request", "the request body is not valid UTF-8.", { cause });
  }
  // A body this short can't nest too deep: each level takes two characters.
  if (text.length > 2 * MAX_DEPTH && nestingOf(text, MAX_DEPTH) > MAX_DEPTH) {
    throw new BeeuniError("bad_request", `the request body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BeeuniError("bad_request", "the request body is not valid JSON.", { cause });
  }
}

/** How deep brackets outside of strings nest in a JSON text; stops counting beyond `limit`. */
function nestingOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length && deepest <= limit; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x5b: // [
      case 0x7b: // {
        deepest = Math.max(deepest, ++depth);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return deepest;
}

/** Index of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
