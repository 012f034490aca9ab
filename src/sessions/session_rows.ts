import type { SQLOutputValue } from "node:sqlite";
import type { MessageRecord, SessionRecord, ToolCallRecord } from "./types.ts";

/** A row of the database, by column. */
export type Row = Record<string, SQLOutputValue>;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A text column that was selected as a blob: `node:sqlite` ends a text at its first NUL character, and a tool's output
 * may contain one.
 */
export function textOf(value: SQLOutputValue | undefined): string {
  return value instanceof Uint8Array ? decoder.decode(value) : String(value ?? "");
}

/** A row of `sessions`. */
export function sessionOf(row: Row): SessionRecord {
  return {
    id: String(row.id),
    agent: String(row.agent),
    harness: row.harness === "standard" ? "standard" : "experimental",
    ...(row.model === null ? {} : { model: String(row.model) }),
    created: String(row.created),
    updated: String(row.updated),
    state: row.state as SessionRecord["state"],
    title: String(row.title),
  };
}

/** A row of `messages`, without its calls. */
export function messageOf(row: Row): MessageRecord {
  return {
    id: String(row.id),
    role: row.role === "user" ? "user" : "assistant",
    created: String(row.created),
    text: textOf(row.text),
    ...(row.error === null ? {} : { error: textOf(row.error) }),
    tools: [],
  };
}

/**
 * A row of `tool_calls`.
 *
 * @param now Milliseconds since 1970, for how long a running one takes so far.
 */
export function toolCallOf(row: Row, now: number): ToolCallRecord {
  const status = row.status as ToolCallRecord["status"];
  const soFar = status === "running" ? Math.max(0, now - Date.parse(String(row.started))) : 0;
  return {
    call: String(row.call),
    tool: String(row.tool),
    status,
    args: JSON.parse(String(row.args)),
    ...(row.output === null ? {} : { output: textOf(row.output) }),
    ...(row.error === null ? {} : { error: textOf(row.error) }),
    ms: row.ms === null ? soFar : Number(row.ms),
    ...(row.file === null ? {} : { file: String(row.file) }),
  };
}
