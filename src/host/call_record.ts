import type { CallRequest, CallResult } from "./types.ts";
import type { RunningCall } from "./runner_worker.ts";

/** One call from its request to its end. */
export interface Call {
  readonly id: string;
  readonly request: CallRequest;
  /** Empty when it belongs to none. */
  readonly session: string;
  readonly settle: PromiseWithResolvers<CallResult>;
  /** When it came, in milliseconds of the steady clock. */
  readonly accepted: number;
  /** When it was sent to its worker; 0 before. */
  started: number;
  /** Set once it was sent to a worker. */
  running: RunningCall | undefined;
  /** Its caller knows how it ended. It may still run, or hold a place in the queue. */
  answered: boolean;
  cancelTimer: () => void;
  onAbort: () => void;
}

const nothing = () => {};

/** A call that has just come. */
export function newCall(request: CallRequest): Call {
  return {
    id: request.call ?? crypto.randomUUID(),
    request,
    session: request.session ?? "",
    settle: Promise.withResolvers(),
    accepted: performance.now(),
    started: 0,
    running: undefined,
    answered: false,
    cancelTimer: nothing,
    onAbort: nothing,
  };
}
