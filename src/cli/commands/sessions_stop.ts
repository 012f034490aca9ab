import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext, CommonOptions } from "../command.ts";
import { requireRunning, sessionProject } from "../sessions/open_sessions.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** How long the end of the turn is waited for, in milliseconds: the stop ladder. */
const WAIT_MS = 10_000;
const POLL_MS = 50;

/** Options of {@link sessionsStop}. */
export interface SessionsStopOptions extends CommonOptions {
  id: string;
}

/**
 * `beeuni sessions stop`: stops the turn that runs in a session, and waits until it is over (specification 4.4).
 *
 * @throws {BeeuniError} `no_manifest`, `session_not_found`, `no_turn`.
 */
export async function sessionsStop(
  options: SessionsStopOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const api = await requireRunning(await sessionProject(options), options.id);
  using _progress = output.progress("the turn is being stopped");
  const id = await api.named(options.id, async (id) => (await api.stop(id)).id);
  let session = await api.get(id);
  for (let waited = 0; session.state === "running" && waited < WAIT_MS; waited += POLL_MS) {
    await delay(POLL_MS);
    session = await api.get(id);
  }
  const { questions: _, ...document } = session;
  return { stdout: options.json ? jsonDocument(document) : `stopped ${id}\n`, exitCode: 0 };
}
