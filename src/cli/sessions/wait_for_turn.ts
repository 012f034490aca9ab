import { findDaemon } from "../../daemon/client.ts";
import { BeeuniError } from "../../errors/error.ts";
import type { MessageRecord, SessionRecord } from "../../sessions/types.ts";
import type { Output } from "../output.ts";
import { isAttended } from "./attended.ts";
import { followEvents } from "./follow_events.ts";
import { InputLines } from "./input_lines.ts";
import { QuestionDesk } from "./question_desk.ts";
import type { SessionApi } from "./session_api.ts";
import { SessionMirror } from "./session_mirror.ts";
import { type StopReason, type TurnOutcome, turnOutcome } from "./turn_outcome.ts";
import { TurnPrinter } from "./turn_printer.ts";

/** How long a turn that was told to stop may take for it, in milliseconds: the stop ladder and what it lets finish. */
const STOP_MS = 10_000;

/** Options of {@link waitForTurn}. */
export interface WaitOptions {
  api: SessionApi;
  /** Absolute path of the project's state directory. */
  stateDir: string;
  session: SessionRecord;
  output: Output;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
  /** `--timeout`. */
  timeout?: { ms: number; text: string };
}

/** A turn that was waited for. */
export interface WaitedTurn {
  outcome: TurnOutcome;
  session: SessionRecord;
  /** The prompt and all that followed. */
  messages: MessageRecord[];
}

/**
 * Waits for the session's turn and, unless with `--json`, prints its answer as it comes; questions are put to whoever
 * sits at the terminal. `--timeout` and Ctrl-C stop the turn.
 *
 * @throws {BeeuniError} what the daemon answers; a daemon that is gone is an outcome, no error.
 */
export async function waitForTurn(options: WaitOptions): Promise<WaitedTurn> {
  const { session: { id }, stateDir, output, timeout } = options;
  const mirror = new SessionMirror();
  mirror.session = options.session;
  using stopper = stopTurn(options);
  {
    using printer = output.json ? undefined : new TurnPrinter(output, { terminal: Deno.stdout.isTerminal() });
    using desk = new QuestionDesk({
      note: (text) => output.note(text),
      answer: (question, answer) => options.api.answer(id, { answer, question: question.id }),
      ...(isAttended() ? { input: new InputLines() } : {}),
    });
    try {
      const find = () => findDaemon(stateDir);
      for await (const event of followEvents({ find, session: id, signal: stopper.leave })) {
        mirror.apply(event);
        printer?.update(mirror.turn, { quiet: mirror.end !== undefined || mirror.questions.length > 0 });
        desk.update(mirror.questions);
        if (mirror.end !== undefined) break;
      }
    } catch (error) {
      const isGone = error instanceof BeeuniError && error.code === "daemon_not_running";
      if (!isGone && !stopper.leave.aborted) throw error;
    }
  }
  return {
    outcome: turnOutcome({ session: id, end: mirror.end, stopped: stopper.reason, timeout: timeout?.text }),
    session: mirror.session,
    messages: mirror.turn,
  };
}

interface Stopper extends Disposable {
  /** Why the turn was told to stop; `undefined` when it was not. */
  readonly reason: StopReason | undefined;
  /** Aborts when a turn that was told to stop is not waited for any longer. */
  readonly leave: AbortSignal;
}

/** Tells the daemon to stop the turn at the deadline or at Ctrl-C. */
function stopTurn({ api, session: { id }, interrupted, timeout }: WaitOptions): Stopper {
  const leave = new AbortController();
  let reason: StopReason | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  function stop(why: StopReason): void {
    if (reason !== undefined) return;
    reason = why;
    leaving = setTimeout(() => leave.abort(), STOP_MS);
    // It may be over meanwhile, and a daemon that is gone has stopped it too: the events tell.
    api.stop(id).catch(() => {});
  }
  const atTimeout = timeout === undefined ? undefined : setTimeout(stop, timeout.ms, "timeout");
  const atInterrupt = () => stop("interrupt");
  if (interrupted.aborted) atInterrupt();
  interrupted.addEventListener("abort", atInterrupt, { once: true });
  return {
    get reason() {
      return reason;
    },
    leave: leave.signal,
    [Symbol.dispose]() {
      clearTimeout(atTimeout);
      clearTimeout(leaving);
      interrupted.removeEventListener("abort", atInterrupt);
    },
  };
}
