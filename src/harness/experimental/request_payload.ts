import type { ModelApi } from "../../models/types.ts";

/** What a model is told about a tool. */
export interface ToolDeclaration {
  name: string;
  description: string;
  /** The tool's own JSON Schema, unchanged. */
  parameters: Record<string, unknown>;
}

/** What the library writes in place of an output without text. */
const NO_OUTPUT = "(no tool output)";

/** Keywords that Anthropic's API refuses at the root of a schema, with an error for the whole request. */
const REFUSED_AT_ROOT = ["anyOf", "oneOf", "allOf"];

/**
 * Changes a request to a model where the library would change what a tool says (specification 4.2): each tool has its
 * own schema unchanged, and its own output, also an empty one.
 *
 * An answer's length is left to the server where its API allows that: a bound that is above a model's own is refused,
 * and one below it cuts long calls.
 *
 * @param payload The request as the library made it; changed in place.
 * @param tools The tools offered, in the order the library was given them.
 * @param outputs Output by call id, of the calls that had one without text.
 */
export function exactPayload(
  payload: unknown,
  api: ModelApi,
  tools: readonly ToolDeclaration[],
  outputs: ReadonlyMap<string, string>,
): void {
  if (!isRecord(payload)) return;
  const offered = Array.isArray(payload.tools) ? payload.tools : [];
  for (const [index, tool] of tools.entries()) {
    const entry: unknown = offered[index];
    if (!isRecord(entry)) continue;
    if (api === "anthropic-messages") {
      if (fitsAnthropic(tool.parameters)) entry.input_schema = tool.parameters;
    } else if (isRecord(entry.function)) {
      entry.function.parameters = tool.parameters;
    }
  }
  if (api === "anthropic-messages") return;
  delete payload.max_tokens;
  delete payload.max_completion_tokens;
  for (const message of Array.isArray(payload.messages) ? payload.messages : []) {
    if (!isRecord(message) || message.role !== "tool" || message.content !== NO_OUTPUT) continue;
    message.content = outputs.get(String(message.tool_call_id)) ?? NO_OUTPUT;
  }
}

function fitsAnthropic(schema: Record<string, unknown>): boolean {
  return schema.type === "object" && !REFUSED_AT_ROOT.some((keyword) => keyword in schema);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
