import type { CommandContext, CommonOptions } from "../command.ts";
import { sessionProject } from "../sessions/open_sessions.ts";
import { SessionApi } from "../sessions/session_api.ts";
import { ensureDaemon } from "../sessions/start_daemon.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link sessionsRm}. */
export interface SessionsRmOptions extends CommonOptions {
  id: string;
}

/**
 * `beeuni sessions rm`: removes a session; a turn that runs in it is stopped first (specification 4.4). The daemon does
 * it, and is started for it: the harness keeps something of a session too.
 *
 * @throws {BeeuniError} `no_manifest`, `session_not_found`, `daemon_not_running`.
 */
export async function sessionsRm(
  options: SessionsRmOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const { root, stateDir } = await sessionProject(options);
  using progress = output.progress("the session is being removed");
  const onStart = () => progress.update("the daemon starts");
  const api = new SessionApi(await ensureDaemon({ root, stateDir, onStart }));
  const id = await api.named(options.id, async (id) => {
    await api.remove(id);
    return id;
  });
  return { stdout: options.json ? jsonDocument({ removed: id }) : `removed ${id}\n`, exitCode: 0 };
}
