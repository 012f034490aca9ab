import type { Logger } from "../log/logger.ts";
import type { TurnEnded } from "../sessions/types.ts";

/** One line per turn; one that failed is a warning. */
export function logTurn(logger: Logger, turn: TurnEnded): void {
  const { session, agent, harness, state, code, error, ms } = turn;
  logger[state === "failed" ? "warn" : "info"]("turn", {
    session,
    agent,
    harness,
    outcome: state,
    code,
    reason: error,
    ms: Math.round(ms),
  });
}
