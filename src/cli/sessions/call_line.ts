import { escapeControls } from "../../log/escape_controls.ts";
import type { ToolCallRecord } from "../../sessions/types.ts";

/** Of a call that did not go well, and of every other one. */
const RED = 31;
const DIM = 2;

/**
 * The one line of a tool call: `[<tool> · <status> · <ms>]` (specification 4.4).
 *
 * @param options.color Whether it may have colour.
 */
export function callLine(
  { tool, status, ms }: Pick<ToolCallRecord, "tool" | "status" | "ms">,
  { color }: { color: boolean },
): string {
  // The model chose the name.
  const line = `[${escapeControls(tool)} · ${status} · ${Math.round(ms)} ms]`;
  if (!color) return line;
  return `\x1b[${status === "completed" || status === "running" ? DIM : RED}m${line}\x1b[0m`;
}
