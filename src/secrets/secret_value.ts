import { BeeuniError } from "../errors/error.ts";
import { MIN_MASKED_LENGTH } from "../log/mask_forms.ts";

/** The largest value, in bytes of UTF-8 (specification 4.5). */
export const MAX_SECRET_BYTES = 128 * 1024;

/**
 * Checks that a value can be stored.
 *
 * @throws {BeeuniError} `usage`; the message has the name and never the value.
 */
export function checkSecretValue(name: string, value: string): void {
  if (value.includes("\0")) {
    throw new BeeuniError("usage", `the value of ${name} contains a NUL character.`, {
      hint: "Store binary data as base64.",
    });
  }
  if (new TextEncoder().encode(value).length > MAX_SECRET_BYTES) throw tooLarge(name);
}

/** What to tell of a value that is larger than allowed. */
export function tooLarge(name: string): BeeuniError {
  return new BeeuniError("usage", `the value of ${name} is larger than 128 KiB.`, {
    hint: "Store a key in its place, and fetch the data with it.",
  });
}

/** Whether a value is too short to be masked in logs (specification 2.6). */
export function isTooShortToMask(value: string): boolean {
  return value.length < MIN_MASKED_LENGTH;
}

/**
 * A value as it came from stdin: text, without one final newline (LF or CRLF); everything else byte for byte.
 *
 * @throws {BeeuniError} `usage` when it is not UTF-8.
 */
export function valueFromStdin(name: string, bytes: Uint8Array): string {
  let text: string;
  try {
    // Else a byte order mark would be dropped.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BeeuniError("usage", `the value of ${name} on stdin is not UTF-8 text.`, {
      hint: "Store binary data as base64.",
    });
  }
  return text.replace(/\r?\n$/, "");
}
