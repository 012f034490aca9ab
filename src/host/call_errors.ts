import { BeeuniError } from "../errors/error.ts";
import { MAX_WAITING_PER_TOOL } from "./call_queue.ts";

// Every way in which a call can fail on the daemon's side, with the sentence the model reads.

/** Published message: exact. */
export function toolNotFound(tool: string): BeeuniError {
  return new BeeuniError("tool_not_found", `no tool named ${tool} is loaded`);
}

/** Published message: exact. */
export function agentForbidden(agent: string, tool: string): BeeuniError {
  return new BeeuniError("agent_forbidden", `agent ${agent} may not use ${tool}`);
}

export function callInFlight(call: string): BeeuniError {
  return new BeeuniError(
    "call_in_flight",
    `a call with the id ${call} is in flight: use an id of its own for each call.`,
  );
}

export function hostStopping(): BeeuniError {
  return new BeeuniError("stopping", "the tool host is stopping and takes no new calls.");
}

export function queueFull(tool: string): BeeuniError {
  return new BeeuniError(
    "queue_full",
    `${tool} has ${MAX_WAITING_PER_TOOL} calls waiting: try again later.`,
    {
      details: { retryable: true },
    },
  );
}

export function callAborted(tool: string): BeeuniError {
  return new BeeuniError("aborted", `the call of ${tool} was cancelled.`);
}

/** @param ms The deadline in milliseconds. */
export function callTimedOut(tool: string, ms: number): BeeuniError {
  return new BeeuniError("timed_out", `${tool} did not finish within ${duration(ms)} and was stopped.`, {
    hint: `Ask for less at once, or raise tool_settings.${tool}.timeout.`,
  });
}

/** @param what What happened, behind the name, such as `ran out of memory`. */
export function sandboxDied(tool: string, what: string): BeeuniError {
  return new BeeuniError("sandbox_died", `the sandbox of ${tool} ${what}`, { details: { retryable: true } });
}

function duration(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
