import { isRecord } from "../../host/is_record.ts";
import type { Logger } from "../../log/logger.ts";
import type { MessageRecord, Turn } from "../../sessions/types.ts";
import { type OpenCodeClient, OpenCodeRefusal } from "./opencode_client.ts";
import type { SavedSession } from "./saved_session.ts";

/** How much of a lost conversation a new session is told, in UTF-16 units: the last of it. */
const MAX_HISTORY = 60_000;

/**
 * OpenCode's session of a turn: the one it was begun with, or a new one. When OpenCode has lost it, the new one is told
 * what was said.
 *
 * @param saved What is kept of the session; a new id goes into it.
 * @returns Its id, and the text that goes before the prompt.
 */
export async function openSession(
  client: OpenCodeClient,
  turn: Turn,
  saved: SavedSession,
  logger: Logger,
): Promise<{ id: string; before: string | undefined }> {
  const { session, history, report, signal } = turn;
  if (saved.opencode !== "") {
    try {
      await client.request("GET", `/session/${saved.opencode}`, { signal });
      return { id: saved.opencode, before: undefined };
    } catch (error) {
      if (!(error instanceof OpenCodeRefusal) || error.status !== 404) throw error;
    }
  }
  // With a title of its own no model is asked for one.
  const made = await client.request("POST", "/session", { body: { title: `beeuni ${session.id}` }, signal });
  const id = isRecord(made) && typeof made.id === "string" ? made.id : "";
  if (id === "") throw new OpenCodeRefusal("/session", 200, "no id");
  saved.opencode = id;
  report.save(JSON.stringify(saved));
  const before = transcript(history);
  if (before !== undefined) {
    logger.warn("OpenCode does not know this session any more: a new one goes on with what was said", {
      session: session.id,
    });
  }
  return { id, before };
}

/** What was said, the last of it, as a text; `undefined` when nothing was. */
function transcript(history: readonly MessageRecord[]): string | undefined {
  const blocks = history.map(({ role, text, tools }) =>
    [
      `${role === "user" ? "User" : "You"}: ${text}`,
      ...tools.map(({ tool, args, output, error }) =>
        `You called ${tool} with ${JSON.stringify(args)}: ${(output ?? error ?? "").slice(0, 2000)}`
      ),
    ].join("\n")
  );
  if (blocks.length === 0) return undefined;
  const text = blocks.join("\n\n").slice(-MAX_HISTORY).toWellFormed();
  return `What was said in this conversation so far:\n\n${text}`;
}
