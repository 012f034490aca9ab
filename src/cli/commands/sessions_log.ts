import type { MessageRecord, QuestionRecord } from "../../sessions/types.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { followLog } from "../sessions/follow_log.ts";
import { readSessions, runningSessions, sessionProject } from "../sessions/open_sessions.ts";
import { questionNotes } from "../sessions/question_desk.ts";
import { noSessions } from "../sessions/session_id.ts";
import { logMessage } from "../sessions/session_log.ts";
import type { SessionSource } from "../sessions/session_source.ts";

/** Options of {@link sessionsLog}. */
export interface SessionsLogOptions extends CommonOptions {
  /** Absent = the newest session. */
  id?: string;
  limit?: number;
  follow?: boolean;
}

/**
 * `beeuni sessions log`: the messages of a session in order, with every tool call; read from the daemon that runs, else
 * from what it left (specification 4.4). With `--follow` it goes on until the turn is over.
 *
 * @throws {BeeuniError} `no_manifest`, `session_not_found`, `daemon_not_running` when the daemon ends meanwhile,
 *   `aborted`, `state_newer`, `state_database`.
 */
export async function sessionsLog(
  options: SessionsLogOptions,
  { output }: CommandContext,
): Promise<number> {
  const { limit, follow, json } = options;
  const project = await sessionProject(options);
  const api = follow ? await runningSessions(project) : undefined;
  if (api !== undefined) {
    const id = await api.named(options.id ?? await newest(api), async (id) => (await api.get(id)).id);
    await followLog({
      api,
      stateDir: project.stateDir,
      session: id,
      output,
      ...(limit === undefined ? {} : { limit }),
    });
    if (json) output.document(await api.messages(id, limit));
    return 0;
  }
  const { messages, questions } = await readSessions(
    project,
    async (source) =>
      await source.named(options.id ?? await newest(source), async (id) => {
        const messages = await source.messages(id, limit);
        return { messages, questions: json ? [] : await openQuestions(source, id, messages) };
      }),
  );
  if (json) output.document(messages);
  else {
    const style = { terminal: Deno.stdout.isTerminal(), color: output.color };
    for (const message of messages) output.write(logMessage(message, style));
    // A call that "runs" may wait for somebody who looks here why nothing goes on.
    for (const line of questions.flatMap(questionNotes)) output.note(line);
    if (messages.length === 0) output.note("beeuni: the session has no messages yet.");
  }
  if (follow) output.note("beeuni: no daemon runs for this project, so nothing more comes.");
  return 0;
}

/** What a session asks; only a call that runs can. */
async function openQuestions(
  source: SessionSource,
  session: string,
  messages: readonly MessageRecord[],
): Promise<QuestionRecord[]> {
  if (!messages.some(({ tools }) => tools.some(({ status }) => status === "running"))) return [];
  return (await source.list()).find(({ id }) => id === session)?.questions ?? [];
}

async function newest(source: Pick<SessionSource, "list">): Promise<string> {
  const [session] = await source.list();
  if (session === undefined) throw noSessions();
  return session.id;
}
