import type { DaemonClient } from "../../daemon/client.ts";
import { BeeuniError } from "../../errors/error.ts";
import type { MessageRecord, SessionRecord } from "../../sessions/types.ts";
import { resolveSessionId } from "./session_id.ts";
import type { SessionAnswer, SessionSource } from "./session_source.ts";

/** What a session is made of. */
export interface NewSession {
  agent?: string;
  harness?: string;
  model?: string;
  prompt?: string;
  /** Whether somebody is there to answer questions. */
  attended: boolean;
}

/** The session routes of a daemon (docs/design-harness.md), with their shapes. */
export class SessionApi implements SessionSource {
  readonly daemon: DaemonClient;

  constructor(daemon: DaemonClient) {
    this.daemon = daemon;
  }

  async create(
    session: NewSession,
    signal: AbortSignal,
  ): Promise<{ session: SessionRecord; because?: string }> {
    const answer = await this.daemon.request("POST", "/beeuni/sessions", { body: session, signal });
    return answer as { session: SessionRecord; because?: string };
  }

  /** The newest first. */
  async list(): Promise<SessionAnswer[]> {
    return (await this.daemon.request("GET", "/beeuni/sessions")).sessions as SessionAnswer[];
  }

  async get(id: string): Promise<SessionAnswer> {
    return (await this.daemon.request("GET", sessionPath(id))).session as SessionAnswer;
  }

  async prompt(
    id: string,
    body: { prompt: string; attended: boolean },
    signal: AbortSignal,
  ): Promise<SessionRecord> {
    const answer = await this.daemon.request("POST", sessionPath(id, "prompt"), { body, signal });
    return answer.session as SessionRecord;
  }

  /** The last `limit` messages in order; all when absent. */
  async messages(id: string, limit?: number): Promise<MessageRecord[]> {
    const path = sessionPath(id, limit === undefined ? "messages" : `messages?limit=${limit}`);
    return (await this.daemon.request("GET", path)).messages as MessageRecord[];
  }

  async stop(id: string): Promise<SessionRecord> {
    return (await this.daemon.request("POST", sessionPath(id, "stop"))).session as SessionRecord;
  }

  async answer(id: string, body: { answer: string; question: string }): Promise<void> {
    await this.daemon.request("POST", sessionPath(id, "answer"), { body });
  }

  async remove(id: string): Promise<void> {
    await this.daemon.request("DELETE", sessionPath(id));
  }

  /**
   * Runs `work` on the session that `given` means; the list of sessions is only asked for when there is none of that
   * very name.
   *
   * @throws {BeeuniError} `session_not_found`, with the nearest one; what `work` throws.
   */
  async named<T>(given: string, work: (id: string) => Promise<T>): Promise<T> {
    // What no path can carry is no id.
    if (/^[\w-]+$/.test(given)) {
      try {
        return await work(given);
      } catch (error) {
        if (!(error instanceof BeeuniError) || error.code !== "session_not_found") throw error;
      }
    }
    const known = (await this.list()).map(({ id }) => id);
    return await work(resolveSessionId(given, known));
  }
}

/** The path of a session's route. */
export function sessionPath(id: string, below?: string): string {
  return `/beeuni/sessions/${encodeURIComponent(id)}${below === undefined ? "" : `/${below}`}`;
}
