import { createHash } from "node:crypto";

/** SHA-256 of some bytes or of a text as UTF-8, 64 hex digits. */
export function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}
