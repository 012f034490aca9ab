import { findDaemon } from "../../daemon/client.ts";
import { BeeuniError } from "../../errors/error.ts";
import { interruption } from "../interruption.ts";
import type { Output } from "../output.ts";
import { isAttended } from "./attended.ts";
import { followEvents } from "./follow_events.ts";
import { InputLines } from "./input_lines.ts";
import { QuestionDesk } from "./question_desk.ts";
import type { SessionApi } from "./session_api.ts";
import { SessionMirror } from "./session_mirror.ts";
import { TurnPrinter } from "./turn_printer.ts";

/** Options of {@link followLog}. */
export interface FollowLogOptions {
  api: SessionApi;
  /** Absolute path of the project's state directory. */
  stateDir: string;
  /** Id of the session. */
  session: string;
  output: Output;
  /** How many of the messages that are there already are printed; all when absent. */
  limit?: number;
}

/**
 * Prints the messages of a session as they come, until its turn is over; when none runs, the next one is waited for.
 * With `--json` nothing is printed. Ctrl-C ends it and leaves the turn alone.
 *
 * @throws {BeeuniError} `daemon_not_running` when the daemon ended, `aborted`.
 */
export async function followLog(options: FollowLogOptions): Promise<void> {
  const { api, session, stateDir, output, limit = Infinity } = options;
  using interrupted = interruption();
  const mirror = new SessionMirror();
  using printer = output.json ? undefined : new TurnPrinter(output, {
    terminal: Deno.stdout.isTerminal(),
    log: true,
  });
  using desk = new QuestionDesk({
    note: (text) => output.note(text),
    answer: (question, answer) => api.answer(session, { answer, question: question.id }),
    ...(isAttended() ? { input: new InputLines() } : {}),
  });
  let skipped: number | undefined;
  let ran = false;
  try {
    const find = () => findDaemon(stateDir);
    for await (const event of followEvents({ find, session, signal: interrupted.signal })) {
      mirror.apply(event);
      skipped ??= Math.max(0, mirror.messages.length - limit);
      const isRunning = mirror.end === undefined;
      printer?.update(mirror.messages.slice(skipped), { quiet: !isRunning || mirror.questions.length > 0 });
      desk.update(mirror.questions);
      if (isRunning) ran = true;
      else if (ran) return;
    }
  } catch (error) {
    throw interrupted.signal.aborted ? new BeeuniError("aborted", "the log was left.") : error;
  }
}
