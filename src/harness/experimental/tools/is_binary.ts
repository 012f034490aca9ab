/** How much of a file tells whether it is text, in bytes. */
export const SAMPLE_BYTES = 4_096;

/** From this share of control characters on it is no text, as in OpenCode. */
const MAX_CONTROLS = 0.3;

/** Whether the beginning of a file is that of a binary one: a NUL, or a good part of control characters. */
export function isBinary(sample: Uint8Array): boolean {
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    // Tab, line feed, vertical tab, form feed and carriage return are text; so is the escape of a terminal's colours.
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) controls++;
  }
  return controls > sample.length * MAX_CONTROLS;
}
