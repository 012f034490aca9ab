import type { MessageRecord, ToolCallRecord } from "../../sessions/types.ts";
import { callLine } from "./call_line.ts";
import { terminalText } from "./terminal_text.ts";

/** How a log is shown. */
export interface LogStyle {
  /** Whether it goes to a terminal: control characters are escaped there. */
  terminal: boolean;
  color: boolean;
}

/**
 * One message of `sessions log`: role and time, its text, and of each tool call the line
 * `[<tool> · <status> · <ms>]`, its arguments, and its output or error (specification 4.4).
 *
 * @returns Lines, each with its newline; an empty one at the end.
 */
export function logMessage(message: MessageRecord, style: LogStyle): string {
  const { role, text, error, tools } = message;
  const lines = [heading(message, style)];
  if (text !== "") lines.push(shown(text, style));
  for (const call of tools) lines.push(...callLines(call, style));
  if (error !== undefined) lines.push(`error: ${shown(error, style)}`);
  if (role === "assistant" && text === "" && tools.length === 0 && error === undefined) {
    lines.push("(no text)");
  }
  return `${lines.join("\n")}\n\n`;
}

/** The line above a message. */
export function heading({ role, created }: MessageRecord, { color }: LogStyle): string {
  const line = `${role} · ${created.replace(/\.\d+Z$/, "Z")}`;
  return color ? `\x1b[1m${line}\x1b[0m` : line;
}

/** The lines of a tool call in a log. */
export function callLines(call: ToolCallRecord, style: LogStyle): string[] {
  const lines = [callLine(call, style), field("arguments", JSON.stringify(call.args) ?? "", style)];
  if (call.output !== undefined) lines.push(field("output", call.output, style));
  if (call.error !== undefined) lines.push(field("error", call.error, style));
  if (call.file !== undefined) lines.push(field("whole output", call.file, style));
  return lines;
}

/** `  name: value`, or the value's lines below the name. */
function field(name: string, value: string, style: LogStyle): string {
  const text = shown(value, style).replace(/\n$/, "");
  if (!text.includes("\n")) return `  ${name}: ${text}`;
  return [`  ${name}:`, ...text.split("\n").map((line) => `    ${line}`)].join("\n");
}

function shown(text: string, { terminal }: LogStyle): string {
  return terminalText(text, terminal).replace(/\n+$/, "");
}
