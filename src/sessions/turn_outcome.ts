import { BeeuniError } from "../errors/error.ts";
import type { SessionRecord, TurnEnded } from "./types.ts";

/** Why a turn was aborted. */
export type AbortCause = { by: "user" } | { by: "daemon" } | { by: "failure"; error: unknown };

/** How a turn ended, with what is told and stored of it. */
export interface TurnOutcome {
  state: TurnEnded["state"];
  /** Present when it failed. */
  error?: BeeuniError;
  /** Error of calls that it left running. */
  callError: string;
  /** Error of a message that it left unfinished. */
  messageError?: string;
}

/**
 * How a turn ended. A turn that was aborted is that, however its harness ended: one that swallows the abort has not
 * completed anything.
 *
 * @param thrown What the harness threw; `undefined` when it ended well.
 */
export function turnOutcome(
  { harness }: Pick<SessionRecord, "harness">,
  cause: AbortCause | undefined,
  thrown: { error: unknown } | undefined,
): TurnOutcome {
  switch (cause?.by) {
    case "user":
      return { state: "stopped", callError: "the turn was stopped.", messageError: "the turn was stopped." };
    case "daemon":
      return interrupted();
    case "failure":
      return failed(knownError(cause.error, harness));
  }
  if (thrown !== undefined) return failed(knownError(thrown.error, harness));
  return { state: "completed", callError: "the turn ended before the call was over." };
}

/** What a turn is that the daemon's end cut short. */
export function interrupted(): TurnOutcome {
  return {
    state: "interrupted",
    callError: "the daemon ended before the call was over.",
    messageError: "the daemon ended before the message was complete.",
  };
}

function failed(error: BeeuniError): TurnOutcome {
  return {
    state: "failed",
    error,
    callError: "the turn failed before the call was over.",
    messageError: error.message,
  };
}

function knownError(error: unknown, harness: string): BeeuniError {
  if (error instanceof BeeuniError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BeeuniError("harness_failed", `the ${harness} harness failed: ${reason}`, { cause: error });
}
