import type { MessageRecord, QuestionRecord, SessionRecord } from "../../sessions/types.ts";

/** A session with the questions that wait for an answer. */
export type SessionAnswer = SessionRecord & { questions: QuestionRecord[] };

/** Where the sessions of a project are read: the daemon that runs, or what it left in the database. */
export interface SessionSource {
  /** The newest first. */
  list(): Promise<SessionAnswer[]>;
  /** The last `limit` messages in order; all when absent. */
  messages(id: string, limit?: number): Promise<MessageRecord[]>;
  /**
   * Runs `work` on the session that `given` means.
   *
   * @throws {BeeuniError} `session_not_found`, with the nearest one; what `work` throws.
   */
  named<T>(given: string, work: (id: string) => Promise<T>): Promise<T>;
}
