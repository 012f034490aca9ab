import type { AgentEvent, AgentTool } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Message } from "@earendil-works/pi-ai";
import { BeeuniError } from "../../errors/error.ts";
import { modelError } from "../../models/model_failure.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import { modelFetch } from "./model_fetch.ts";
import { loadPi } from "./pi.ts";
import { exactPayload, type ToolDeclaration } from "./request_payload.ts";

/** How often a request is sent again after 408, 409, 429, 5xx or no answer; the library waits as `Retry-After` says. */
const RETRIES = 3;

/** A longer wait that a provider asks for is not waited for, in milliseconds. */
const MAX_RETRY_WAIT_MS = 60_000;

/**
 * Every tool is registered with it: the library would otherwise check arguments and change them to fit. The tool's own
 * schema is put into the request, see `exactPayload`.
 */
const ANY_OBJECT = { type: "object" };

/** How much of arguments that can't be read is repeated to the model, in UTF-16 units. */
const MAX_REPEATED = 2000;

/** What a loop tells of, in this order; each is called before the next thing happens. */
export interface LoopEvents {
  /** A request is about to be made; throws to end the loop. */
  request?(): void;
  /** More of the running message's text. */
  text?(delta: string): void;
  /** A message of the model is complete, or ended early with what there is of it. */
  message(message: AssistantMessage, failure: BeeuniError | undefined): void;
  /** A call of the last message begins. */
  callStart(call: StartedCall): void;
  /** It is over; `text` is what the model is told. */
  callEnd(call: { id: string; tool: string; text: string; isError: boolean }): void;
  /** Every call of the last message is over. */
  results?(): void;
}

/** A call that begins. */
export interface StartedCall {
  id: string;
  tool: string;
  /** What the model gave: an object, or the text of what was none. */
  args: unknown;
}

/** Options of {@link runLoop}. */
export interface LoopOptions {
  endpoint: ModelEndpoint;
  /** The system prompt. */
  system: string;
  tools: readonly ToolDeclaration[];
  /** The conversation so far; everything new is added to it, failed messages left out. */
  messages: Message[];
  prompt: string;
  /** Id that providers group requests by. */
  session: string;
  signal: AbortSignal;
  /** A model that sends nothing for so long has failed, in milliseconds. */
  silenceMs: number;
  /** The id for a call that the model names so; models repeat theirs, and some give none. */
  callId(given: string): string;
  /**
   * Runs a call of an offered tool. Rejects with what the model is told; the loop does not wait for it once `signal`
   * is aborted.
   */
  call(id: string, tool: string, args: Record<string, unknown>): Promise<string>;
  events: LoopEvents;
}

/**
 * Runs the agent loop: asks the model, runs its calls at the same time, and again, until it calls no tool.
 *
 * A call of a tool that is not offered, and one whose arguments are no JSON object, never reach {@link
 * LoopOptions.call}: the model is told `Tool <name> not found`, or what is wrong with the JSON.
 *
 * @returns The text of the last message.
 * @throws {BeeuniError} `aborted`, `model_key`, `model_failed`, and what {@link LoopEvents.request} throws.
 */
export async function runLoop(options: LoopOptions): Promise<string> {
  const { endpoint, tools, messages, signal, events } = options;
  const pi = await loadPi(endpoint);
  const http = modelFetch(options.silenceMs);
  let last: AssistantMessage | undefined;
  let failure: BeeuniError | undefined;

  /** What the model wrote as arguments where that was no JSON object, by call id. */
  const unreadable = new Map<string, string>();
  const textless = new Map<string, string>();
  const system = { role: "system" as const, content: options.system, timestamp: 0 };
  const context = { messages: [system, ...messages], tools: tools.map(registered) };
  const prompt = { role: "user" as const, content: options.prompt, timestamp: Date.now() };
  messages.push(prompt);

  function registered({ name, description }: ToolDeclaration): AgentTool {
    return {
      name,
      label: name,
      description,
      parameters: ANY_OBJECT,
      execute: async (id, args) => {
        const output = await options.call(id, name, args as Record<string, unknown>);
        return { content: [{ type: "text", text: output }], details: undefined };
      },
    };
  }

  function ended(message: AssistantMessage): void {
    last = message;
    for (const part of message.content) {
      if (part.type !== "toolCall") continue;
      part.id = options.callId(part.id);
      if (part.argumentsError === undefined) continue;
      const { reason, given } = unreadableArguments(part.argumentsError);
      unreadable.set(part.id, given);
      part.argumentsError = `${reason}. Write them again, as one JSON object. Received:\n${
        given.slice(0, MAX_REPEATED)
      }`;
    }
    if (message.stopReason === "error" || message.stopReason === "aborted") {
      failure = signal.aborted ? aborted() : modelError(
        endpoint,
        http.failure() ?? { kind: "answer", reason: message.errorMessage ?? "it ended early" },
      );
    } else {
      messages.push(message);
    }
    events.message(message, failure);
  }

  function onEvent(event: AgentEvent): void {
    switch (event.type) {
      case "message_update":
        if (event.assistantMessageEvent.type === "text_delta") {
          events.text?.(event.assistantMessageEvent.delta);
        }
        break;
      case "message_end":
        if (event.message.role === "assistant") ended(event.message);
        if (event.message.role === "toolResult") {
          messages.push(event.message);
          const text = textOf(event.message.content);
          if (text.trim() === "") textless.set(event.message.toolCallId, text);
        }
        break;
      case "tool_execution_start": {
        const call = last?.content.find((part) => part.type === "toolCall" && part.id === event.toolCallId);
        if (call?.type === "toolCall") {
          events.callStart({ id: call.id, tool: call.name, args: unreadable.get(call.id) ?? call.arguments });
        }
        break;
      }
      case "tool_execution_end":
        events.callEnd({
          id: event.toolCallId,
          tool: event.toolName,
          text: textOf(event.result.content),
          isError: event.isError,
        });
        break;
      case "turn_end":
        if (event.toolResults.length > 0) events.results?.();
        break;
    }
  }

  for (const message of messages) {
    if (message.role !== "toolResult") continue;
    const text = textOf(message.content);
    if (text.trim() === "") textless.set(message.toolCallId, text);
  }
  if (signal.aborted) throw aborted();
  await pi.runAgentLoop(
    [prompt],
    context,
    {
      model: pi.model,
      sessionId: options.session,
      // An empty key would be refused before the request: the header it is for is left out then.
      apiKey: endpoint.apiKey === "" ? "none" : endpoint.apiKey,
      ...(endpoint.apiKey === "" && { headers: { authorization: null } }),
      identity: { userAgent: { custom: "beeuni" }, attribution: null },
      fetch: http.fetch,
      maxRetries: RETRIES,
      maxRetryDelayMs: MAX_RETRY_WAIT_MS,
      onPayload: (payload) => {
        exactPayload(payload, endpoint.api, tools, textless);
        return undefined;
      },
      // System messages of the library: the prompt and the tools.
      convertToLlm: (all) => all,
      prepareRequest: () => events.request?.(),
      finishTurn: () => signal.aborted ? { action: "end" } : undefined,
    },
    onEvent,
    signal,
    pi.stream,
  );
  if (signal.aborted) throw aborted();
  if (failure !== undefined) throw failure;
  return last === undefined ? "" : messageText(last);
}

/** The text of a message of the model, without what it thought. */
export function messageText(message: AssistantMessage): string {
  return textOf(message.content);
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content.filter((part) => part.type === "text").map((part) => part.text).join("");
}

/** The library's error about arguments, taken apart: why they can't be read, and the text itself. */
function unreadableArguments(error: string): { reason: string; given: string } {
  const [reason = "", ...rest] = error.split("\n\nReceived arguments:\n");
  return { reason, given: rest.join("\n\nReceived arguments:\n") };
}

function aborted(): BeeuniError {
  return new BeeuniError("aborted", "the turn was stopped");
}
