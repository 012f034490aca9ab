import type { HostEvent } from "../host/types.ts";
import type { Logger } from "../log/logger.ts";

/** Longest name a tool can have, and somewhat more. */
const MAX_TOOL_NAME = 128;

/** One line per call (specification 2.7); a sandbox that died is a warning. */
export function logCall(logger: Logger, event: Extract<HostEvent, { type: "call_end" }>): void {
  const { call, agent, session, outcome, code, bytes } = event;
  // Of a call that was refused it is whatever stood in the URL.
  const tool = event.tool.slice(0, MAX_TOOL_NAME);
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
