import type { Message } from "@earendil-works/pi-ai";
import type { ToolHost } from "../../host/types.ts";

/**
 * A JSON value with every known secret in it masked (specification 2.6).
 *
 * @returns The same value when there is none in it; its masked text when that is no JSON any more.
 */
export function maskValue(value: unknown, host: Pick<ToolHost, "mask">): unknown {
  const text = JSON.stringify(value) ?? "null";
  const masked = host.mask(text);
  if (masked === text) return value;
  try {
    return JSON.parse(masked);
  } catch {
    return masked;
  }
}

/**
 * A message as it is stored: what a model wrote of a call, the name of the tool too, and what it was told about one that
 * failed are masked. What is said and what tools returned stays.
 */
export function maskedMessage(message: Message, host: Pick<ToolHost, "mask">): unknown {
  if (message.role === "assistant") {
    return {
      ...message,
      content: message.content.map((part) =>
        part.type !== "toolCall" ? part : {
          ...part,
          name: host.mask(part.name),
          arguments: maskValue(part.arguments, host),
          ...(part.argumentsError !== undefined && { argumentsError: host.mask(part.argumentsError) }),
        }
      ),
    };
  }
  if (message.role !== "toolResult") return message;
  return {
    ...message,
    toolName: host.mask(message.toolName),
    content: !message.isError
      ? message.content
      : message.content.map((part) => part.type === "text" ? { ...part, text: host.mask(part.text) } : part),
  };
}
