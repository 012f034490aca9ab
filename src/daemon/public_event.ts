import type { HostEvent } from "../host/types.ts";

/** An event as clients read it: a name, and data with the names of the HTTP interface. */
export interface PublicEvent {
  type: string;
  data: Record<string, unknown>;
}

/** What clients are told of something that happened in the host (specification 2.7). */
export function publicEvent(event: HostEvent): PublicEvent {
  switch (event.type) {
    case "load": {
      const { generation, changed, failed, ms } = event;
      return { type: "load", data: { generation, changed, failed, ms } };
    }
    case "call_start": {
      const { call, tool, agent, session } = event;
      return { type: "call_start", data: { call, tool, agent, session } };
    }
    case "call_end": {
      const { call, tool, agent, session, outcome, code, queuedMs, runMs, bytes } = event;
      return {
        type: "call_end",
        data: { call, tool, agent, session, outcome, code, queued_ms: queuedMs, run_ms: runMs, bytes },
      };
    }
    case "tool_log": {
      const { call, tool, agent, stream, text } = event;
      return { type: "log", data: { call, tool, agent, stream, text } };
    }
    case "runner": {
      const { agent, pid, state, reason } = event;
      return { type: "runner", data: { agent, pid, state, reason } };
    }
  }
}
