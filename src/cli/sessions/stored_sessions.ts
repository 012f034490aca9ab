import type { MessageRecord, SessionRecord, ToolCallRecord } from "../../sessions/types.ts";
import type { StateDatabase } from "../../state/database.ts";
import { resolveSessionId } from "./session_id.ts";
import type { SessionSource } from "./session_source.ts";

/** A row of the database, its columns by name. */
type Row = Readonly<Record<string, unknown>>;

/**
 * The sessions as the last daemon left them, read without one (specification 4.4). No daemon runs, so a turn that "runs"
 * was interrupted; the next daemon will say the same.
 */
export class StoredSessions implements SessionSource {
  readonly #database: StateDatabase;

  constructor(database: StateDatabase) {
    this.#database = database;
  }

  list(): Promise<SessionRecord[]> {
    const rows = this.#all("SELECT * FROM sessions ORDER BY created DESC, id DESC");
    return Promise.resolve(rows.map(sessionOf));
  }

  async messages(id: string, limit?: number): Promise<MessageRecord[]> {
    const rows = this.#all(
      "SELECT * FROM messages WHERE session = ? ORDER BY seq DESC LIMIT ?",
      id,
      limit ?? -1,
    );
    return await Promise.resolve(rows.reverse().map((row) => this.#message(row)));
  }

  async named<T>(given: string, work: (id: string) => Promise<T>): Promise<T> {
    const known = (await this.list()).map(({ id }) => id);
    return await work(resolveSessionId(given, known));
  }

  #message(row: Row): MessageRecord {
    const calls = this.#all("SELECT * FROM tool_calls WHERE message = ? ORDER BY seq", String(row.id));
    return {
      id: String(row.id),
      role: row.role === "user" ? "user" : "assistant",
      created: String(row.created),
      text: String(row.text),
      ...(row.error === null ? {} : { error: String(row.error) }),
      tools: calls.map(callOf),
    };
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    return this.#database.attempt(() => this.#database.prepare(sql).all(...values));
  }
}

function sessionOf(row: Row): SessionRecord {
  const state = row.state as SessionRecord["state"];
  return {
    id: String(row.id),
    agent: String(row.agent),
    harness: row.harness as SessionRecord["harness"],
    ...(row.model === null ? {} : { model: String(row.model) }),
    created: String(row.created),
    updated: String(row.updated),
    state: state === "running" ? "interrupted" : state,
    title: String(row.title),
  };
}

function callOf(row: Row): ToolCallRecord {
  const status = row.status as ToolCallRecord["status"];
  return {
    call: String(row.call),
    tool: String(row.tool),
    status: status === "running" ? "aborted" : status,
    args: JSON.parse(String(row.args)),
    ...(row.output === null ? {} : { output: String(row.output) }),
    ...(row.error === null ? {} : { error: String(row.error) }),
    ms: Number(row.ms ?? 0),
    ...(row.file === null ? {} : { file: String(row.file) }),
  };
}
