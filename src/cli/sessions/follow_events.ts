import { setTimeout as delay } from "node:timers/promises";
import type { DaemonClient } from "../../daemon/client.ts";
import { BeeuniError } from "../../errors/error.ts";
import type { SessionEvent } from "../../sessions/types.ts";
import { readEvents } from "./read_events.ts";
import { SessionApi, sessionPath } from "./session_api.ts";

/** Tries in a row without an event, and the pause between them in milliseconds. */
const MAX_TRIES = 5;
const PAUSE_MS = 200;

/** How often a session is asked for where the daemon has as many followers as it takes, in milliseconds. */
const POLL_MS = 1000;

/** Options of {@link followEvents}. */
export interface FollowOptions {
  /** The project's daemon as it is now; `undefined` when none runs. Asked for again when the connection is lost. */
  find: () => Promise<DaemonClient | undefined>;
  /** Id of a session. */
  session: string;
  signal: AbortSignal;
  /** Default a second. */
  pollMs?: number;
}

/**
 * The events of a session, a snapshot first, for as long as there is a daemon; after a connection that was lost (a
 * reader too slow, a daemon that was restarted) they begin anew with a snapshot. Where the daemon takes no more followers
 * they are a snapshot now and then.
 *
 * @throws {BeeuniError} `daemon_not_running` when it is gone, `session_not_found`; the signal's reason.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<SessionEvent> {
  const { find, session, signal, pollMs = POLL_MS } = options;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await delay(PAUSE_MS, undefined, { signal });
    signal.throwIfAborted();
    const daemon = await find();
    if (daemon === undefined) break;
    try {
      for await (const event of readEvents(await daemon.stream(sessionPath(session, "events"), signal))) {
        tries = 0;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof BeeuniError && error.code === "queue_full") {
        tries = 0;
        yield await snapshot(daemon, session);
        await delay(pollMs, undefined, { signal });
        continue;
      }
      if (error instanceof BeeuniError && error.code !== "daemon_not_running") throw error;
    }
    signal.throwIfAborted();
  }
  throw new BeeuniError("daemon_not_running", "the daemon ended.", {
    hint:
      `Session ${session} goes on with its next prompt: \`beeuni sessions prompt ${session} --prompt …\`.`,
    details: { id: session },
  });
}

async function snapshot(daemon: DaemonClient, id: string): Promise<SessionEvent> {
  const api = new SessionApi(daemon);
  const { questions, ...session } = await api.get(id);
  return { type: "snapshot", session, questions, messages: await api.messages(id) };
}
