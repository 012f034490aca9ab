import { BeeuniError } from "../../errors/error.ts";
import type { ToolHost } from "../../host/types.ts";
import type { ToolCallRecord } from "../../sessions/types.ts";
import type { HarnessToolContext } from "./harness_tool.ts";
import type { OfferedTool } from "./offered_tools.ts";
import { CALL_ABORTED, raced } from "./raced.ts";

/** How a call ended. */
export type CallEnd =
  & Pick<ToolCallRecord, "output" | "error" | "file">
  & { status: "completed" | "error" | "aborted" | "refused"; ms?: number };

/** What the model is told about a tool it is not offered (specification 4.3). */
export function notFound(tool: string): string {
  return `Tool ${tool} not found`;
}

/** Options of {@link callTool}. */
export interface CallToolOptions {
  host: ToolHost;
  args: Record<string, unknown>;
  context: HarnessToolContext;
}

/**
 * Runs one call of an offered tool, through the tool host or in the harness. Never rejects, and does not wait for a
 * tool that goes on after the signal.
 */
export async function callTool(tool: OfferedTool, options: CallToolOptions): Promise<CallEnd> {
  const { host, args, context } = options;
  const { signal } = context;
  if (signal.aborted) return { status: "aborted", error: CALL_ABORTED };
  const began = performance.now();
  try {
    if (tool.harness !== undefined) {
      const { output, file } = await raced(tool.harness.execute(args, context), signal);
      return { status: "completed", output, ms: since(began), ...(file !== undefined && { file }) };
    }
    const { agent, session, call } = context;
    const { output, file, durationMs } = await raced(
      host.call({ tool: tool.name, args, agent, session, call, signal }),
      signal,
    );
    return { status: "completed", output, ms: durationMs, ...(file !== undefined && { file }) };
  } catch (error) {
    return { ...failure(error, tool, host, signal), ms: since(began) };
  }
}

function failure(error: unknown, tool: OfferedTool, host: ToolHost, signal: AbortSignal): CallEnd {
  if (signal.aborted) return { status: "aborted", error: CALL_ABORTED };
  if (!(error instanceof BeeuniError)) {
    return { status: "error", error: host.mask(error instanceof Error ? error.message : String(error)) };
  }
  switch (error.code) {
    // A reload took the tool away, or its agent's right, in the midst of the turn.
    case "tool_not_found":
      return { status: "error", error: notFound(tool.name) };
    case "agent_forbidden":
      return { status: "refused", error: notFound(tool.name) };
    case "aborted":
      return { status: "aborted", error: error.message };
    default:
      return { status: "error", error: error.message };
  }
}

function since(began: number): number {
  return Math.round(performance.now() - began);
}
