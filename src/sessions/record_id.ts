import { randomBytes } from "node:crypto";

let lastTime = 0;
let sequence = 0;

/**
 * A new id such as `ses_0mhb1x2k9000q3v7rk2t9c`: sorts by when it was made, within one millisecond too, and can't be
 * met by chance or by guessing. It fits `^[A-Za-z0-9_.-]{1,128}$` (specification 2.7).
 *
 * @param now Milliseconds since 1970; a clock that was set back does not break the order within a process.
 */
export function recordId(prefix: "ses" | "msg" | "que", now = Date.now()): string {
  if (now > lastTime) [lastTime, sequence] = [now, 0];
  else sequence++;
  const random = [...randomBytes(12)].map((byte) => (byte % 36).toString(36)).join("");
  return `${prefix}_${digits(lastTime, 9)}${digits(sequence, 4)}${random}`;
}

function digits(value: number, length: number): string {
  return value.toString(36).padStart(length, "0");
}
