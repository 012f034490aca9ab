import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "@earendil-works/pi-ai";
import type { MessageRecord, ToolCallRecord } from "../../sessions/types.ts";

/** What the harness keeps with a session. */
export interface Transcript {
  /** The conversation as the model was sent it, without system messages. */
  messages: Message[];
  /** What a person answered `always` to, as `PermissionGate` names it. */
  always: string[];
  /** Id of the last stored message that {@link messages} has; `""` = none. */
  upTo: string;
}

/** The form of what is saved; another one is not read, and the transcript is made of the history. */
const FORM = 1;

/** What stands between a subagent's name and its tool's in the records of its calls. */
export const SUBAGENT_SEPARATOR = "/";

/** What a model is told about a call that the end of the daemon cut. */
const INTERRUPTED = "The call was interrupted before it ended; whether it had an effect is not known.";

/**
 * The text to save.
 *
 * @param stored The JSON of one message; a caller that saves often remembers it, since a message never changes.
 */
export function writeTranscript(
  { messages, always, upTo }: Transcript,
  stored: (message: Message) => string = JSON.stringify,
): string {
  const rest = JSON.stringify({ form: FORM, always, upTo });
  return `${rest.slice(0, -1)},"messages":[${messages.map((message) => stored(message)).join(",")}]}`;
}

/**
 * The transcript of a session: what was saved, and what the history has on top of it. A turn that failed, was stopped
 * or interrupted has saved less than it reported; without a saved one all of it is made of the history.
 *
 * Every call in it has a result, as providers demand.
 */
export function readTranscript(saved: string | undefined, history: readonly MessageRecord[]): Transcript {
  const read = parse(saved);
  const known = read === undefined ? -1 : history.findIndex(({ id }) => id === read.upTo);
  // A saved transcript that ends with a message nobody knows is of another history.
  const { messages, always } = read !== undefined && (known >= 0 || read.upTo === "") ? read : EMPTY;
  const missed = history.slice(known + 1).flatMap(fromRecord);
  return {
    messages: withResults([...messages, ...missed], history),
    always: [...(read?.always ?? always)],
    upTo: history.at(-1)?.id ?? "",
  };
}

const EMPTY: Transcript = { messages: [], always: [], upTo: "" };

function parse(saved: string | undefined): Transcript | undefined {
  if (saved === undefined) return undefined;
  try {
    const value = JSON.parse(saved) as Partial<Transcript> & { form?: unknown } | null;
    const usable = value?.form === FORM && Array.isArray(value.messages) && Array.isArray(value.always) &&
      typeof value.upTo === "string";
    return usable ? { messages: value.messages!, always: value.always!, upTo: value.upTo! } : undefined;
  } catch {
    return undefined;
  }
}

/** A stored message as the model would have been sent it. */
function fromRecord(record: MessageRecord): Message[] {
  const timestamp = Date.parse(record.created) || 0;
  if (record.role === "user") return [{ role: "user", content: record.text, timestamp }];
  const calls = record.tools.filter(({ tool }) => !tool.includes(SUBAGENT_SEPARATOR));
  if (record.text === "" && calls.length === 0) return [];
  const message: AssistantMessage = {
    role: "assistant",
    content: [
      ...(record.text === "" ? [] : [{ type: "text" as const, text: record.text }]),
      ...calls.map(toolCall),
    ],
    // Of no provider: what a model thought is dropped, and ids are made to fit.
    api: "beeuni-history",
    provider: "beeuni-history",
    model: "beeuni-history",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: calls.length === 0 ? "stop" : "toolUse",
    timestamp,
  };
  return [message, ...calls.map((call) => result(call.call, call.tool, call, timestamp))];
}

function toolCall({ call, tool, args }: ToolCallRecord): ToolCall {
  const object = typeof args === "object" && args !== null && !Array.isArray(args);
  return { type: "toolCall", id: call, name: tool, arguments: object ? args as ToolCall["arguments"] : {} };
}

/** Gives each call without a result the one that was stored, or one that says it was interrupted. */
function withResults(messages: readonly Message[], history: readonly MessageRecord[]): Message[] {
  const given = new Set(messages.flatMap((each) => each.role === "toolResult" ? [each.toolCallId] : []));
  const stored = new Map(history.flatMap(({ tools }) => tools.map((call) => [call.call, call])));
  return messages.flatMap((message, index): Message[] => {
    const own = [message];
    // Missing results go behind those that are there.
    const batch = batchOf(messages, index);
    if (batch === undefined) return own;
    const missing = batch.calls.filter(({ id }) => !given.has(id));
    return [
      ...own,
      ...missing.map(({ id, name }) => result(id, name, stored.get(id), batch.timestamp)),
    ];
  });
}

/** The calls whose results end at `index`: there the next message is none of their results. */
function batchOf(
  messages: readonly Message[],
  index: number,
): { calls: ToolCall[]; timestamp: number } | undefined {
  if (messages[index + 1]?.role === "toolResult") return undefined;
  let start = index;
  while (messages[start]?.role === "toolResult") start--;
  const message = messages[start];
  if (message?.role !== "assistant") return undefined;
  return {
    calls: message.content.filter((part) => part.type === "toolCall"),
    timestamp: message.timestamp,
  };
}

function result(
  id: string,
  tool: string,
  record: ToolCallRecord | undefined,
  timestamp: number,
): ToolResultMessage {
  const completed = record?.status === "completed";
  const text = completed ? record.output ?? "" : record?.error ?? INTERRUPTED;
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: tool,
    content: [{ type: "text", text }],
    isError: !completed,
    timestamp,
  };
}
