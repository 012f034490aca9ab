/** A message of a chat-completions request, as far as a script needs it. */
export interface ChatMessage {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A tool as the model is offered it. */
export interface ChatTool {
  type: string;
  function: { name: string; description?: string; parameters?: unknown };
}

/** The body of a chat-completions request, as far as a script needs it. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  stream?: boolean;
}

/** The text of a message, its parts joined. */
export function messageText({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

/** Names of the tools a request offers, sorted. */
export function offeredTools(request: ChatRequest): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name).sort();
}

/** What the last tool call of a conversation gave the model; `""` when there was none. */
export function lastToolResult(request: ChatRequest): string {
  const message = request.messages.findLast(({ role }) => role === "tool");
  return message === undefined ? "" : messageText(message);
}
