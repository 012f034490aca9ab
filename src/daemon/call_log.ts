import type { HostEvent } from "../host/types.ts";
import type { Logger } from "../log/logger.ts";

/** One line per call (specification 2.7); a sandbox that died is a warning. */
export function logCall(logger: Logger, event: Extract<HostEvent, { type: "call_end" }>): void {
  const { call, tool, agent, session, outcome, code, bytes } = event;
  logger[outcome === "sandbox_died" ? "warn" : "info"]("call", {
    call,
    tool,
    agent,
    session,
    outcome,
    code,
    queued_ms: roundMs(event.queuedMs),
    run_ms: roundMs(event.runMs),
    bytes,
  });
}

/** Milliseconds to a microsecond: more digits are noise. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
