import { createHash } from "node:crypto";

/**
 * The calls of a turn that a person allowed, through Beeuni's questions: for these very arguments. What OpenCode's own
 * server was told is not among them: whoever has its password can tell it anything.
 */
export class AllowedCalls {
  readonly #allowed = new Set<string>();

  /** @param session OpenCode's ids of the session and of the call. */
  add(session: string, call: string, args: unknown): void {
    this.#allowed.add(keyOf(session, call, args));
  }

  has(session: string, call: string, args: unknown): boolean {
    return this.#allowed.has(keyOf(session, call, args));
  }
}

function keyOf(session: string, call: string, args: unknown): string {
  // A digest: arguments may be megabytes.
  return createHash("sha256").update(JSON.stringify([session, call, args ?? {}])).digest("base64url");
}
