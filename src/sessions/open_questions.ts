import { BeeuniError } from "../errors/error.ts";
import { recordId } from "./record_id.ts";
import type { SessionStore } from "./session_store.ts";
import type { Answer, QuestionRecord, QuestionRequest, SessionEvent } from "./types.ts";

/** Answers to a permission question. */
const PERMISSION_ANSWERS = ["once", "always", "reject"];

/** What {@link OpenQuestions} works with. */
export interface OpenQuestionsOptions {
  session: string;
  store: SessionStore;
  mask: (text: string) => string;
  tell: (event: SessionEvent) => void;
  /** How long a question waits, in milliseconds. */
  waitMs: number;
}

/** The questions of one turn that wait for an answer. Each has a deadline; then, and when the turn ends, it is a no. */
export class OpenQuestions {
  readonly #options: OpenQuestionsOptions;
  readonly #open = new Map<string, { question: QuestionRecord; settle: (answer: Answer) => void }>();
  #closed = false;

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
  }

  /** Those that wait, the oldest first. */
  get list(): QuestionRecord[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /**
   * Asks, and waits for the answer: `null` when nobody gives one in time, `signal` aborts or the turn ends.
   *
   * @throws {BeeuniError} when the question can't be stored.
   */
  async ask(request: QuestionRequest, signal: AbortSignal): Promise<Answer> {
    const { session, store, mask, tell, waitMs } = this.#options;
    if (this.#closed || signal.aborted) return null;
    const now = Date.now();
    const { kind, call, tool, text, options } = request;
    const question: QuestionRecord = {
      id: recordId("que"),
      session,
      kind,
      ...(call === undefined ? {} : { call }),
      tool,
      text: mask(text),
      ...(options === undefined ? {} : { options: options.map(mask) }),
      created: new Date(now).toISOString(),
      deadline: new Date(now + waitMs).toISOString(),
    };
    store.addQuestion(question);
    const answered = Promise.withResolvers<Answer>();
    this.#open.set(question.id, { question, settle: answered.resolve });
    const giveUp = () => this.#giveUp(question.id);
    const timer = setTimeout(giveUp, waitMs);
    signal.addEventListener("abort", giveUp, { once: true });
    tell({ type: "question", question });
    try {
      return await answered.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    }
  }

  /**
   * Answers a question, the oldest one when none is named.
   *
   * @throws {BeeuniError} `question_not_found`; `bad_request` for an answer that a permission does not take.
   */
  answer(answer: string, id?: string): QuestionRecord {
    const found = id === undefined ? this.#open.values().next().value : this.#open.get(id);
    if (found === undefined) throw noQuestion(id);
    if (found.question.kind === "permission" && !PERMISSION_ANSWERS.includes(answer)) {
      throw new BeeuniError(
        "bad_request",
        "`answer` must be once, always or reject: the question is a permission.",
      );
    }
    this.#options.store.answerQuestion(found.question.id, answer, new Date().toISOString());
    this.#settle(found.question.id, answer);
    return found.question;
  }

  /** The turn is over: nobody's answer is awaited any more. Their rows are ended with the turn's. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#open.keys()]) this.#settle(id, null);
  }

  #giveUp(id: string): void {
    if (!this.#open.has(id)) return;
    try {
      this.#options.store.answerQuestion(id, null, new Date().toISOString());
    } catch {
      // It stays open in the database; the end of the turn closes it.
    }
    this.#settle(id, null);
  }

  #settle(id: string, answer: Answer): void {
    const found = this.#open.get(id);
    if (found === undefined) return;
    this.#open.delete(id);
    this.#options.tell({ type: "answer", question: id, answer });
    found.settle(answer);
  }
}

/** What to tell when there is no such question. */
export function noQuestion(id: string | undefined): BeeuniError {
  return new BeeuniError(
    "question_not_found",
    id === undefined
      ? "no question waits for an answer in this session."
      : `no question ${id.slice(0, 128)} waits for an answer in this session.`,
    { hint: "It may have been answered, or its time is over." },
  );
}
