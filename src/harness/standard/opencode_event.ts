import { isRecord } from "../../host/is_record.ts";

/** How a tool call of OpenCode stands. */
export interface ToolState {
  status: "pending" | "running" | "completed" | "error";
  input?: Record<string, unknown>;
  output?: string;
  error?: string;
  metadata?: Record<string, unknown>;
  time?: { start?: number; end?: number };
}

/** A part of a message; of other types than these nothing is used. */
export type OpenCodePart =
  & { id: string; sessionID: string; messageID: string }
  & (
    | { type: "text"; text: string; synthetic?: boolean; ignored?: boolean }
    | { type: "tool"; tool: string; callID: string; state: ToolState }
    | { type: "other" }
  );

/** What went wrong with a message: a name such as `APIError` and its details. */
export interface OpenCodeFailure {
  name: string;
  data: Record<string, unknown>;
}

/** A message without its parts. */
export interface OpenCodeMessage {
  id: string;
  sessionID: string;
  role: "user" | "assistant";
  /** The agent that runs. */
  agent: string;
  /** The summary that takes the place of a conversation that grew too long. */
  summary: boolean;
  completed: boolean;
  error?: OpenCodeFailure;
}

/** One question of OpenCode's `question` tool. */
export interface OpenCodeQuestion {
  question: string;
  options: string[];
  multiple: boolean;
}

/** What OpenCode tells, as far as it is used. */
export type OpenCodeEvent =
  /** The stream broke and began anew: events may be missing. Ours, not OpenCode's. */
  | { type: "gap" }
  | { type: "session"; id: string; parent: string | undefined }
  | { type: "message"; message: OpenCodeMessage }
  | { type: "part"; part: OpenCodePart }
  | { type: "delta"; session: string; message: string; part: string; delta: string }
  | { type: "status"; session: string; status: "busy" | "idle" | "retry"; attempt: number; reason: string }
  | { type: "failure"; session: string | undefined; failure: OpenCodeFailure }
  | {
    type: "permission";
    id: string;
    session: string;
    permission: string;
    patterns: string[];
    call: string | undefined;
    /** The arguments that our plugin will send. */
    args?: Record<string, unknown>;
  }
  /** A question or permission was answered, by whomever: `once`, `always`, `reject`; absent for a question. */
  | { type: "replied"; id: string; session: string; reply: string | undefined }
  | { type: "question"; id: string; session: string; call: string | undefined; questions: OpenCodeQuestion[] }
  /** Something of a session that only shows that it lives. */
  | { type: "other"; session: string | undefined };

/** Reads an event of `GET /event`; `undefined` for what is none. */
export function readEvent(value: unknown): OpenCodeEvent | undefined {
  if (!isRecord(value) || typeof value.type !== "string") return undefined;
  const properties = record(value.properties);
  const session = optional(properties.sessionID);
  switch (value.type) {
    case "session.created":
    case "session.updated": {
      const info = record(properties.info);
      return { type: "session", id: text(info.id), parent: optional(info.parentID) };
    }
    case "message.updated":
      return { type: "message", message: readMessage(properties.info) };
    case "message.part.updated":
      return { type: "part", part: readPart(properties.part) };
    case "message.part.delta":
      return properties.field !== "text" || session === undefined ? { type: "other", session } : {
        type: "delta",
        session,
        message: text(properties.messageID),
        part: text(properties.partID),
        delta: text(properties.delta),
      };
    case "session.status":
      return session === undefined ? undefined : readStatus(session, properties.status);
    case "session.idle":
      return session === undefined ? undefined : readStatus(session, { type: "idle" });
    case "session.error":
      return { type: "failure", session, failure: readFailure(properties.error) };
    case "permission.asked":
      return {
        type: "permission",
        id: text(properties.id),
        session: session ?? "",
        permission: text(properties.permission),
        patterns: texts(properties.patterns),
        call: optional(record(properties.tool).callID),
        ...(isRecord(record(properties.metadata).args) && { args: record(record(properties.metadata).args) }),
      };
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return {
        type: "replied",
        id: text(properties.requestID),
        session: session ?? "",
        reply: optional(properties.reply),
      };
    case "question.asked":
      return {
        type: "question",
        id: text(properties.id),
        session: session ?? "",
        call: optional(record(properties.tool).callID),
        questions: list(properties.questions).map((each) => {
          const { question, options, multiple } = record(each);
          return {
            question: text(question),
            options: list(options).map((option) => text(record(option).label)),
            multiple: multiple === true,
          };
        }),
      };
    default:
      return { type: "other", session };
  }
}

/** Reads a message's `info`. */
export function readMessage(value: unknown): OpenCodeMessage {
  const info = record(value);
  return {
    id: text(info.id),
    sessionID: text(info.sessionID),
    role: info.role === "assistant" ? "assistant" : "user",
    agent: text(info.agent),
    summary: info.summary === true,
    completed: record(info.time).completed !== undefined,
    ...(isRecord(info.error) && { error: readFailure(info.error) }),
  };
}

/** Reads a part of a message. */
export function readPart(value: unknown): OpenCodePart {
  const part = record(value);
  const ids = { id: text(part.id), sessionID: text(part.sessionID), messageID: text(part.messageID) };
  if (part.type === "text") {
    return {
      ...ids,
      type: "text",
      text: text(part.text),
      synthetic: part.synthetic === true,
      ignored: part.ignored === true,
    };
  }
  if (part.type !== "tool") return { ...ids, type: "other" };
  return {
    ...ids,
    type: "tool",
    tool: text(part.tool),
    callID: text(part.callID),
    state: readToolState(record(part.state)),
  };
}

function readToolState(state: Record<string, unknown>): ToolState {
  const { status } = state;
  const time = record(state.time);
  return {
    status: status === "running" || status === "completed" || status === "error" ? status : "pending",
    input: record(state.input),
    ...(typeof state.output === "string" && { output: state.output }),
    ...(typeof state.error === "string" && { error: state.error }),
    metadata: record(state.metadata),
    time: {
      ...(typeof time.start === "number" && { start: time.start }),
      ...(typeof time.end === "number" && { end: time.end }),
    },
  };
}

function readStatus(session: string, value: unknown): OpenCodeEvent {
  const { type, attempt, message } = record(value);
  return {
    type: "status",
    session,
    status: type === "busy" || type === "retry" ? type : "idle",
    attempt: typeof attempt === "number" ? attempt : 0,
    reason: text(message),
  };
}

function readFailure(value: unknown): OpenCodeFailure {
  const { name, data } = record(value);
  return { name: text(name) || "UnknownError", data: record(data) };
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): string[] {
  return list(value).filter((each) => typeof each === "string");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function optional(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
