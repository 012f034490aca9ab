import { randomUUID } from "node:crypto";
import { isHarnessTool } from "../../manifest/harness_tools.ts";
import type { ToolStatus, TurnReport } from "../../sessions/types.ts";
import type {
  OpenCodeEvent,
  OpenCodeFailure,
  OpenCodeMessage,
  OpenCodePart,
  ToolState,
} from "./opencode_event.ts";

/** Stands between a subagent and its tool in the name of a call. */
const SUBAGENT_SEPARATOR = "/";

/** OpenCode's texts for a call that a rule or a person forbade. */
const REFUSED =
  /^(?:Error: )?(?:The user (?:has specified a rule which prevents|rejected permission)|PermissionDenied)/;

/** OpenCode's text for a call of a tool that is hidden or isn't there. */
const UNAVAILABLE = /tried to call unavailable tool '/;

type CallEnd = {
  status: Exclude<ToolStatus, "running">;
  output?: string;
  error?: string;
  file?: string;
  ms?: number;
};

/** One message of the model, as it grows. */
interface MessageState {
  session: string;
  agent: string;
  /** Our id; absent until there is something to report, and for a subagent's message. */
  id?: string;
  /** Text by part, in order. */
  texts: Map<string, string>;
  /** Whether OpenCode called it complete; more of its text may still come. */
  completed: boolean;
  ended: boolean;
  error?: OpenCodeFailure;
  summary: boolean;
}

/** A call, by the id of its part. */
interface CallState {
  id: string;
  session: string;
  call: string;
  tool: string;
  agent: string;
  args: Record<string, unknown>;
  ended: boolean;
}

/** Options of {@link TurnRecord}. */
export interface TurnRecordOptions {
  /** OpenCode's id of the session. */
  session: string;
  report: TurnReport;
  /** Id of the session's last message before the turn: what is not behind it is of earlier turns. */
  after: string;
  /** Ids of calls that are taken. */
  calls: Iterable<string>;
  /** Whether a tool of this name is loaded. */
  isHosted: (tool: string) => boolean;
  mask: (text: string) => string;
  /** Whether the user stopped the turn: then OpenCode takes what was asked for a no. */
  stopped?: () => boolean;
}

/**
 * Makes of OpenCode's events what is reported of a turn: each event may come twice, late or, after a gap, as what was
 * read in its place.
 *
 * Calls of subagents are reported with the message that started them, as `<agent>/<tool>`.
 */
export class TurnRecord {
  readonly #options: TurnRecordOptions;
  /** The session and its subagents'. */
  readonly #sessions = new Set<string>();
  readonly #messages = new Map<string, MessageState>();
  readonly #calls = new Map<string, CallState>();
  readonly #taken: Set<string>;
  /** How the host ended calls, by OpenCode's session and call. */
  readonly #ends = new Map<string, { status: CallEnd["status"]; file?: string }>();
  /** Why calls were refused, by OpenCode's session and call. */
  readonly #refusals = new Map<string, string>();
  #current: MessageState | undefined;
  /** Whether the session was seen at work since the turn began. */
  begun = false;
  /** How the last message of the session failed. */
  failure: OpenCodeFailure | undefined;

  constructor(options: TurnRecordOptions) {
    this.#options = options;
    this.#sessions.add(options.session);
    this.#taken = new Set(options.calls);
  }

  /** Whether the session is the turn's or one of its subagents'. */
  owns(session: string | undefined): boolean {
    return session !== undefined && this.#sessions.has(session);
  }

  /** The sessions of the turn, its own first. */
  get sessions(): string[] {
    return [...this.#sessions];
  }

  /** Whether a call runs: then the model's silence means nothing. */
  get busy(): boolean {
    return [...this.#calls.values()].some(({ ended }) => !ended);
  }

  /** Calls of `task` that run and started this agent: each by its session and the agent that made it. */
  tasksOf(agent: string): { session: string; agent: string }[] {
    return [...this.#calls.values()].filter(({ tool, ended, args }) =>
      tool === "task" && !ended && args.subagent_type === agent
    );
  }

  /** A call that OpenCode has told of: its arguments, and which agent made it. */
  call(session: string, call: string | undefined): Readonly<CallState> | undefined {
    return [...this.#calls.values()].findLast((each) => each.session === session && each.call === call);
  }

  /** Takes an event. @returns Whether it is of this turn. */
  take(event: OpenCodeEvent): boolean {
    switch (event.type) {
      case "session":
        if (event.parent !== undefined && this.#sessions.has(event.parent)) this.#sessions.add(event.id);
        return this.owns(event.id);
      case "message":
        if (!this.owns(event.message.sessionID)) return false;
        this.message(event.message);
        return true;
      case "part":
        if (!this.owns(event.part.sessionID)) return false;
        this.part(event.part);
        return true;
      case "delta":
        if (!this.owns(event.session)) return false;
        this.#delta(event.message, event.part, event.delta);
        return true;
      default:
        return "session" in event && this.owns(event.session);
    }
  }

  /** How a message stands. */
  message(message: OpenCodeMessage): void {
    const main = message.sessionID === this.#options.session;
    if (main && message.id <= this.#options.after) return;
    // The prompt's own message does not say so: seconds may go by until OpenCode is at work on it.
    if (message.role !== "assistant") return;
    if (main) this.begun = true;
    const state = this.#messages.get(message.id) ?? this.#newMessage(message);
    state.agent = message.agent;
    state.summary = message.summary;
    if (main && !state.summary) this.#current = state;
    if (message.error !== undefined) {
      state.error = message.error;
      if (main) this.failure = message.error;
    } else if (main && message.completed) this.failure = undefined;
    if (message.completed && message.error === undefined) state.completed = true;
  }

  /**
   * A message begins, so those before it are over. That a message is complete does not say so: OpenCode writes down how
   * it stands when it sends an event, and where it is busy already the first one says that it is complete.
   */
  #newMessage({ id, sessionID, agent, summary }: OpenCodeMessage): MessageState {
    const state = { session: sessionID, agent, texts: new Map(), completed: false, ended: false, summary };
    if (this.#isOwn(state)) {
      for (const message of this.#messages.values()) if (message.completed) this.#endMessage(message);
    }
    this.#messages.set(id, state);
    return state;
  }

  /**
   * How a part stands.
   *
   * @param read It was read after a gap: the events since then may have told more of its text already.
   */
  part(part: OpenCodePart, read = false): void {
    const message = this.#messages.get(part.messageID);
    if (message === undefined) return;
    if (part.type === "tool") return this.#toolPart(message, part.id, part);
    if (part.type !== "text" || part.synthetic || part.ignored || !this.#isOwn(message)) return;
    const before = message.texts.get(part.id) ?? "";
    if (read && before.startsWith(part.text)) return void message.texts.set(part.id, before);
    message.texts.set(part.id, part.text);
    // The whole text may hold more than its deltas did, after a gap.
    if (part.text.length > before.length && part.text.startsWith(before)) {
      this.#addText(message, part.text.slice(before.length));
    }
  }

  #delta(id: string, part: string, delta: string): void {
    const message = this.#messages.get(id);
    // A part that was not told of is the model's thoughts, or of the user's message.
    const before = message?.texts.get(part);
    if (message === undefined || before === undefined) return;
    message.texts.set(part, before + delta);
    this.#addText(message, delta);
  }

  #addText(message: MessageState, delta: string): void {
    if (delta === "" || message.ended) return;
    this.#options.report.addText(this.#begin(message), delta);
  }

  #isOwn({ session, summary }: MessageState): boolean {
    return session === this.#options.session && !summary;
  }

  #begin(message: MessageState): string {
    return message.id ??= this.#options.report.beginMessage();
  }

  #endMessage(message: MessageState, error?: string): void {
    if (message.ended || !this.#isOwn(message)) return;
    message.ended = true;
    this.#options.report.endMessage(this.#begin(message), {
      text: [...message.texts.values()].join(""),
      ...(error !== undefined && { error }),
    });
  }

  #toolPart(
    message: MessageState,
    part: string,
    { tool, callID, state }: { tool: string; callID: string; state: ToolState },
  ): void {
    // Its arguments are still being written.
    if (state.status === "pending") return;
    let call = this.#calls.get(part);
    if (call === undefined) {
      call = this.#beginCall(message, tool, callID, state);
      this.#calls.set(part, call);
    }
    call.args = state.input ?? call.args;
    if (state.status === "running" || call.ended) return;
    call.ended = true;
    const { start, end } = state.time ?? {};
    this.#options.report.endCall(call.id, {
      ...this.#endOf(call, tool, state),
      ...(start !== undefined && end !== undefined && { ms: Math.max(0, end - start) }),
    });
  }

  #beginCall(message: MessageState, tool: string, callID: string, state: ToolState): CallState {
    const { session, agent } = message;
    const id = this.#takeId(callID);
    // A call that OpenCode could not make is one of its tool `invalid`, with the name that the model used.
    const input = state.input ?? {};
    const name = tool === "invalid" && typeof input.tool === "string" ? input.tool : tool;
    const own = session === this.#options.session;
    const place = own ? this.#begin(message) : this.#begin(this.#current ?? message);
    this.#options.report.beginCall(place, {
      call: id,
      tool: own ? name : `${agent}${SUBAGENT_SEPARATOR}${name}`,
      args: tool === "invalid" ? {} : input,
    });
    return { id, session, call: callID, tool, agent, args: input, ended: false };
  }

  /** Models repeat their ids from one message to the next; a stored call has one of its own. */
  #takeId(given: string): string {
    const id = /^[A-Za-z0-9_-]{1,64}$/.test(given) && !this.#taken.has(given)
      ? given
      : `call_${randomUUID().replaceAll("-", "")}`;
    this.#taken.add(id);
    return id;
  }

  #endOf(call: CallState, tool: string, state: ToolState): CallEnd {
    const key = `${call.session} ${call.call}`;
    const known = this.#ends.get(key);
    const file = known?.file === undefined ? {} : { file: known.file };
    if (tool === "invalid") {
      const error = String(state.output ?? state.error ?? state.input?.error ?? "");
      const name = String(state.input?.tool ?? "");
      const hidden = UNAVAILABLE.test(error) && (isHarnessTool(name) || this.#options.isHosted(name));
      return { status: hidden ? "refused" : "error", error };
    }
    if (state.status === "completed") return { status: "completed", output: state.output ?? "", ...file };
    const error = (state.error ?? "").replace(/^Error: /, "");
    const refusal = this.#refusals.get(key);
    if (refusal === undefined && this.#options.stopped?.()) return { status: "aborted", error };
    if (refusal !== undefined) return { status: "refused", error: refusal };
    if (known !== undefined && known.status !== "completed") return { status: known.status, error, ...file };
    if (REFUSED.test(error)) return { status: "refused", error };
    return { status: /^Tool execution aborted/.test(error) ? "aborted" : "error", error };
  }

  /** How the host ended a call, told before OpenCode knows. */
  callEnded(session: string, call: string, end: { status: CallEnd["status"]; file?: string }): void {
    this.#ends.set(`${session} ${call}`, end);
  }

  /** Why a call will be refused, told before OpenCode is. */
  refuse(session: string, call: string | undefined, why: string): void {
    if (call !== undefined) this.#refusals.set(`${session} ${call}`, why);
  }

  /** The turn is over: nothing stays open. @param error Why it failed; without it all went well. */
  end(error: { message: string; stopped: boolean } | undefined): void {
    const { report } = this.#options;
    for (const call of this.#calls.values()) {
      if (call.ended) continue;
      call.ended = true;
      report.endCall(call.id, {
        status: "aborted",
        error: error?.stopped === false ? error.message : "Tool execution aborted",
      });
    }
    const open = [...this.#messages.values()].filter((each) => !each.ended && this.#isOwn(each));
    for (const message of open) {
      // One without a word leaves no message, unless it is the place to say what went wrong.
      const last = message === open.at(-1);
      const needed = message.completed || (last && error?.stopped === false);
      if (message.id === undefined && !needed) continue;
      this.#endMessage(message, last ? error?.message : undefined);
    }
    if (open.length === 0 && error?.stopped === false) {
      report.endMessage(report.beginMessage(), { text: "", error: error.message });
    }
  }
}
