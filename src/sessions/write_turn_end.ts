import type { Followers } from "./followers.ts";
import { recordId } from "./record_id.ts";
import type { RunningTurn } from "./running_turn.ts";
import type { SessionStore } from "./session_store.ts";
import type { TurnOutcome } from "./turn_outcome.ts";
import type { MessageRecord } from "./types.ts";

/**
 * Stores how a turn ended, with what it left open, and tells who follows. It may be called again when it failed.
 *
 * @param outcome Its errors are masked already.
 * @throws {BeeuniError} `unwritable`, `state_database`.
 */
export function writeTurnEnd(
  turn: RunningTurn,
  { state, error, callError, messageError }: TurnOutcome,
  { store, followers }: { store: SessionStore; followers: Followers },
): void {
  turn.recorder.endAll({ state, callError, messageError });
  // Why it failed stands with its last message; a turn that failed before one gets one for it.
  if (error === undefined || messageError === undefined || turn.recorder.lastError !== undefined) return;
  const created = new Date().toISOString();
  const message: MessageRecord = {
    id: recordId("msg"),
    role: "assistant",
    created,
    text: "",
    error: messageError,
    tools: [],
  };
  store.addMessage(turn.session.id, message, false);
  followers.tell({ type: "message", message });
}
