import { type ChatRequest, lastToolResult } from "./chat_request.ts";
import type { CallStep, Step } from "./step.ts";

/** A message of the model: its text and its calls. */
export interface Completion {
  id: string;
  model: string;
  text: string;
  calls: { id: string; name: string; arguments: string }[];
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
/** UTF-16 units of arguments in one chunk: real servers send them in small pieces. */
const PIECE = 24;

/** The message that a step stands for; of a failing one what comes before the failure. */
export function completionOf(step: Step, request: ChatRequest, number: number): Completion {
  const calls: readonly CallStep[] = "tools" in step ? step.tools : "tool" in step ? [step] : [];
  return {
    id: `chatcmpl-${number}`,
    model: request.model,
    text: "echo" in step ? lastToolResult(request) : "text" in step ? step.text ?? "" : "",
    calls: calls.map((call, index) => ({
      id: `call_${number}_${index}`,
      name: call.tool,
      arguments: call.raw ?? JSON.stringify(call.args ?? {}),
    })),
  };
}

/** The body of an answer that is not streamed. */
export function wholeAnswer({ id, model, text, calls }: Completion): unknown {
  const tool_calls = calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    id,
    object: "chat.completion",
    created: 1,
    model,
    usage: USAGE,
    choices: [{
      index: 0,
      finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      message: {
        role: "assistant",
        content: text === "" ? null : text,
        ...(calls.length > 0 ? { tool_calls } : {}),
      },
    }],
  };
}

/** The chunks of a streamed answer without its end. */
export function streamedChunks(completion: Completion): unknown[] {
  const chunk = (delta: unknown) => chunkOf(completion, delta, null);
  const chunks = [chunk({ role: "assistant", content: "" })];
  for (const word of completion.text.match(/\S+\s*|\s+/g) ?? []) chunks.push(chunk({ content: word }));
  completion.calls.forEach((call, index) => {
    const head = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    chunks.push(chunk({ tool_calls: [head] }));
    for (let at = 0; at < call.arguments.length; at += PIECE) {
      const piece = call.arguments.slice(at, at + PIECE);
      chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  });
  return chunks;
}

/** The chunks that end a streamed answer. */
export function streamedEnd(completion: Completion): unknown[] {
  const { id, model, calls } = completion;
  return [
    chunkOf(completion, {}, calls.length > 0 ? "tool_calls" : "stop"),
    { id, object: "chat.completion.chunk", created: 1, model, choices: [], usage: USAGE },
  ];
}

function chunkOf({ id, model }: Completion, delta: unknown, finish_reason: string | null): unknown {
  return {
    id,
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason }],
  };
}
