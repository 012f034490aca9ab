import type { Logger } from "../log/logger.ts";
import { boundedRun } from "./bounded_run.ts";
import type { Followers } from "./followers.ts";
import { OpenQuestions } from "./open_questions.ts";
import type { SessionStore } from "./session_store.ts";
import { type AbortCause, type TurnOutcome, turnOutcome } from "./turn_outcome.ts";
import { TurnRecorder } from "./turn_recorder.ts";
import type { Harness, MessageRecord, SessionRecord } from "./types.ts";

/** How long a harness may take to end a turn that was aborted, in milliseconds. */
export const SETTLE_MS = 5000;

/** What a turn is made of. */
export interface RunningTurnOptions {
  session: SessionRecord;
  prompt: string;
  /** Sequence number of the prompt's message: the history is what is before it. */
  promptSeq: number;
  store: SessionStore;
  followers: Followers;
  mask: (text: string) => string;
  logger: Logger;
  harness: () => Promise<Harness>;
  /** How long its questions wait, in milliseconds. */
  questionMs: number;
  settleMs: number;
}

/** One turn from its start to its end, whatever its harness does. */
export class RunningTurn {
  readonly session: SessionRecord;
  readonly recorder: TurnRecorder;
  readonly questions: OpenQuestions;
  readonly started = performance.now();
  readonly #options: RunningTurnOptions;
  readonly #abort = new AbortController();
  #cause: AbortCause | undefined;

  constructor(options: RunningTurnOptions) {
    const { session, store, followers, mask, logger, questionMs } = options;
    this.#options = options;
    this.session = session;
    this.questions = new OpenQuestions({
      session: session.id,
      store,
      mask,
      tell: (event) => followers.tell(event),
      waitMs: questionMs,
    });
    this.recorder = new TurnRecorder({
      session: session.id,
      store,
      followers,
      questions: this.questions,
      mask,
      logger,
      onFailure: (error) => this.abort({ by: "failure", error }),
    });
  }

  /** Aborts it; the first cause counts. */
  abort(cause: AbortCause): void {
    this.#cause ??= cause;
    this.#abort.abort(
      cause.by === "failure" ? cause.error : new DOMException("the turn was stopped", "AbortError"),
    );
  }

  /** Runs it; settles when it is over, at most {@link SETTLE_MS} after an abort. Never rejects. */
  async run(): Promise<TurnOutcome> {
    const { harness, settleMs } = this.#options;
    const { signal } = this.#abort;
    let thrown: { error: unknown } | undefined;
    try {
      await boundedRun(
        async () => {
          const runs = await harness();
          signal.throwIfAborted();
          await runs.run(this.#turn(signal));
        },
        signal,
        settleMs,
      );
    } catch (error) {
      thrown = { error };
    }
    this.recorder.close();
    return turnOutcome(this.session, this.#cause, thrown);
  }

  #turn(signal: AbortSignal): Parameters<Harness["run"]>[0] {
    const { session, prompt, promptSeq, store } = this.#options;
    const saved = store.saved(session.id);
    let history: readonly MessageRecord[] | undefined;
    return {
      session,
      prompt,
      ...(saved === undefined ? {} : { saved }),
      // Long, and most turns have what they need in `saved`.
      get history() {
        return history ??= store.messages(session.id, { before: promptSeq });
      },
      signal,
      report: this.recorder,
    };
  }
}
