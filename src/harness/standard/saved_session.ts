import { createHash } from "node:crypto";
import { isRecord } from "../../host/is_record.ts";

/** What is kept of a session with it. */
export interface SavedSession {
  /** OpenCode's id of it; `""` before the first turn. */
  opencode: string;
  /** What was answered `always`, as {@link alwaysKey}. */
  always: string[];
}

/** Reads what was kept; nothing when it can't be read. */
export function readSaved(saved: string | undefined): SavedSession {
  const found: SavedSession = { opencode: "", always: [] };
  let value: unknown;
  try {
    value = JSON.parse(saved ?? "");
  } catch {
    return found;
  }
  if (!isRecord(value)) return found;
  if (typeof value.opencode === "string" && /^ses_\w+$/.test(value.opencode)) found.opencode = value.opencode;
  if (Array.isArray(value.always)) found.always = value.always.filter((key) => typeof key === "string");
  return found;
}

/** What an `always` is remembered by: a digest, since a command may hold a secret. */
export function alwaysKey(tool: string, subject: string): string {
  return createHash("sha256").update(`${tool} ${subject}`).digest("base64url").slice(0, 22);
}
