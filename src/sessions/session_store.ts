import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { StateDatabase } from "../state/database.ts";
import { messageOf, type Row, sessionOf, textOf, toolCallOf } from "./session_rows.ts";
import type {
  Answer,
  MessageRecord,
  QuestionRecord,
  SessionRecord,
  SessionState,
  ToolCallRecord,
} from "./types.ts";

/** How a tool call ended; arguments and errors are masked already. */
export type CallEnd = Pick<ToolCallRecord, "status" | "output" | "error" | "ms" | "file">;

/** What is written of a turn that did not end by itself. */
export interface TurnLeftovers {
  state: Exclude<SessionState, "idle" | "running">;
  /** Error of calls that still run; they become `aborted`. */
  callError: string;
  /** Error of a message that is not complete; `undefined` = it is complete as it is. */
  messageError: string | undefined;
}

const CALL_COLUMNS = "c.call, c.tool, c.status, c.args, CAST(c.output AS BLOB) AS output, " +
  "CAST(c.error AS BLOB) AS error, c.started, c.ms, c.file";
const MESSAGE_COLUMNS = "seq, id, role, created, CAST(text AS BLOB) AS text, CAST(error AS BLOB) AS error";
const SESSION_COLUMNS = "id, agent, harness, model, created, updated, state, title";

/**
 * Sessions in the state database (specification 4.4). Everything it is given is stored as it is: masking is done before.
 *
 * Every method throws what `StateDatabase` does: `state_database`, `unwritable`.
 */
export class SessionStore {
  readonly #database: StateDatabase;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: StateDatabase) {
    this.#database = database;
  }

  /** Runs `work` as one transaction: all of it is written or nothing. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /** All sessions, the newest first. */
  sessions(): SessionRecord[] {
    return this.#all(`SELECT ${SESSION_COLUMNS} FROM sessions ORDER BY seq DESC`).map(sessionOf);
  }

  session(id: string): SessionRecord | undefined {
    const [row] = this.#all(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ?`, id);
    return row === undefined ? undefined : sessionOf(row);
  }

  addSession(session: SessionRecord): void {
    const { id, agent, harness, model = null, created, updated, state, title } = session;
    this.#run(
      `INSERT INTO sessions (${SESSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, agent, harness, model, created, updated, state, title],
    );
  }

  setState(id: string, { state, title, updated }: Pick<SessionRecord, "state" | "title" | "updated">): void {
    this.#run(
      "UPDATE sessions SET state = ?, title = ?, updated = ? WHERE id = ?",
      state,
      title,
      updated,
      id,
    );
  }

  touch(id: string, updated: string): void {
    this.#run("UPDATE sessions SET updated = ? WHERE id = ?", updated, id);
  }

  removeSession(id: string): void {
    this.#run("DELETE FROM sessions WHERE id = ?", id);
  }

  /** What the harness keeps with the session. */
  saved(id: string): string | undefined {
    const [row] = this.#all("SELECT CAST(saved AS BLOB) AS saved FROM sessions WHERE id = ?", id);
    return row === undefined || row.saved === null ? undefined : textOf(row.saved);
  }

  save(id: string, saved: string): void {
    this.#run("UPDATE sessions SET saved = ? WHERE id = ?", saved, id);
  }

  /**
   * Messages of a session in order, with their calls.
   *
   * @param options.limit Only the last ones.
   * @param options.before Only those before the message of this sequence number.
   */
  messages(
    session: string,
    { limit = -1, before = Number.MAX_SAFE_INTEGER }: { limit?: number; before?: number } = {},
  ): MessageRecord[] {
    const rows = this.#all(
      `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
      ...[session, before, limit],
    ).reverse();
    const messages = rows.map(messageOf);
    const byId = new Map(messages.map((message) => [message.id, message]));
    const calls = this.#all(
      `SELECT c.message, ${CALL_COLUMNS} FROM tool_calls c JOIN messages m ON m.id = c.message ` +
        "WHERE m.session = ? AND m.seq >= ? AND m.seq < ? ORDER BY c.seq",
      ...[session, Number(rows[0]?.seq ?? before), before],
    );
    const now = Date.now();
    for (const row of calls) byId.get(String(row.message))?.tools.push(toolCallOf(row, now));
    return messages;
  }

  /** @returns Its sequence number. */
  addMessage(session: string, message: MessageRecord, open: boolean): number {
    const { id, role, created, text, error = null } = message;
    return this.#run(
      "INSERT INTO messages (id, session, role, created, text, error, open) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[id, session, role, created, text, error, open ? 1 : 0],
    );
  }

  /** What there is of an open message. */
  setText(message: string, text: string): void {
    this.#run("UPDATE messages SET text = ? WHERE id = ?", text, message);
  }

  endMessage(message: Pick<MessageRecord, "id" | "text" | "error">): void {
    const { id, text, error } = message;
    this.#run("UPDATE messages SET text = ?, error = ?, open = 0 WHERE id = ?", text, error ?? null, id);
  }

  /**
   * @param args JSON.
   * @returns Its sequence number: ids of calls repeat.
   */
  addCall(message: string, call: string, tool: string, args: string, started: string): number {
    return this.#run(
      "INSERT INTO tool_calls (message, call, tool, status, args, started) VALUES (?, ?, ?, 'running', ?, ?)",
      ...[message, call, tool, args, started],
    );
  }

  endCall(seq: number, end: CallEnd): void {
    const { status, output, error, ms, file } = end;
    this.#run(
      "UPDATE tool_calls SET status = ?, output = ?, error = ?, ms = ?, file = ? WHERE seq = ?",
      ...[status, output ?? null, error ?? null, ms, file ?? null, seq],
    );
  }

  addQuestion(question: QuestionRecord): void {
    const { id, session, kind, call = null, tool, text, options = [], created, deadline } = question;
    this.#run(
      "INSERT INTO questions (id, session, kind, call, tool, text, options, created, deadline) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[id, session, kind, call, tool, text, JSON.stringify(options), created, deadline],
    );
  }

  answerQuestion(id: string, answer: Answer, answered: string): void {
    this.#run("UPDATE questions SET answer = ?, answered = ? WHERE id = ?", answer, answered, id);
  }

  /**
   * Ends what a turn left open: its calls, its messages, its questions, the turn itself; all of it or nothing.
   *
   * @param id Absent = every session whose turn runs.
   * @returns How many sessions that were.
   */
  endTurns({ state, callError, messageError }: TurnLeftovers, now: string, id?: string): number {
    const which = id === undefined
      ? "SELECT id FROM sessions WHERE state = 'running'"
      : "SELECT id FROM sessions WHERE id = ?";
    const one = id === undefined ? [] : [id];
    return this.transaction(() => {
      this.#run(
        "UPDATE tool_calls SET status = 'aborted', error = ?, ms = coalesce(ms, 0) WHERE status = 'running' AND " +
          `message IN (SELECT id FROM messages WHERE session IN (${which}))`,
        ...[callError, ...one],
      );
      this.#run(
        `UPDATE messages SET open = 0, error = ? WHERE open = 1 AND session IN (${which})`,
        ...[messageError ?? null, ...one],
      );
      this.#run(
        `UPDATE questions SET answered = ? WHERE answered IS NULL AND session IN (${which})`,
        now,
        ...one,
      );
      const ended = this.#statement(`UPDATE sessions SET state = ?, updated = ? WHERE id IN (${which})`);
      return Number(ended.run(state, now, ...one).changes);
    });
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.attempt(() => this.#statement(sql).all(...values));
  }

  /** @returns The sequence number of a row that was added. */
  #run(sql: string, ...values: SQLInputValue[]): number {
    return this.#database.attempt(() => Number(this.#statement(sql).run(...values).lastInsertRowid));
  }
}
