import type { SessionStore } from "../../sessions/session_store.ts";
import type { MessageRecord } from "../../sessions/types.ts";
import { resolveSessionId } from "./session_id.ts";
import type { SessionAnswer, SessionSource } from "./session_source.ts";

/**
 * The sessions as the last daemon left them, read without one (specification 4.4). No daemon runs, so a turn that "runs"
 * was interrupted and its calls aborted; the next daemon will say the same.
 */
export class StoredSessions implements SessionSource {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  list(): Promise<SessionAnswer[]> {
    return Promise.resolve(
      this.#store.sessions().map((session) => ({
        ...session,
        state: session.state === "running" ? "interrupted" : session.state,
        questions: [],
      })),
    );
  }

  messages(id: string, limit?: number): Promise<MessageRecord[]> {
    const messages = this.#store.messages(id, limit === undefined ? {} : { limit });
    for (const call of messages.flatMap(({ tools }) => tools)) {
      if (call.status !== "running") continue;
      call.status = "aborted";
      // Nobody knows how long it took; the time since then is not it.
      call.ms = 0;
    }
    return Promise.resolve(messages);
  }

  async named<T>(given: string, work: (id: string) => Promise<T>): Promise<T> {
    const known = (await this.list()).map(({ id }) => id);
    return await work(resolveSessionId(given, known));
  }
}
