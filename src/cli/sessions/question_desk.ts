import { BeeuniError } from "../../errors/error.ts";
import type { QuestionRecord } from "../../sessions/types.ts";
import { possibleAnswers, typedAnswer } from "./given_answer.ts";
import type { InputLines } from "./input_lines.ts";
import { terminalText } from "./terminal_text.ts";

/** Options of {@link QuestionDesk}. */
export interface QuestionDeskOptions {
  /** Writes a line to stderr. */
  note: (text: string) => void;
  /** Sends an answer to the daemon. */
  answer: (question: QuestionRecord, answer: string) => Promise<void>;
  /** Where somebody types; absent = nobody is there, and it is said how to answer from elsewhere. */
  input?: Pick<InputLines, "next">;
}

/** Puts the questions of a session to whoever sits at the terminal, one after the other (specification 4.1). */
export class QuestionDesk implements Disposable {
  readonly #options: QuestionDeskOptions;
  readonly #seen = new Set<string>();
  /** The one that is being asked now. */
  #asking: { id: string; over: AbortController } | undefined;
  #waiting: QuestionRecord[] = [];

  constructor(options: QuestionDeskOptions) {
    this.#options = options;
  }

  /** Tells of the questions that wait now: new ones are put, others that are gone are not asked any further. */
  update(questions: readonly QuestionRecord[]): void {
    this.#waiting = this.#waiting.filter(({ id }) => questions.some((question) => question.id === id));
    if (this.#asking !== undefined && !questions.some(({ id }) => id === this.#asking?.id)) {
      this.#asking.over.abort();
    }
    for (const question of questions) {
      if (this.#seen.has(question.id)) continue;
      this.#seen.add(question.id);
      if (this.#options.input === undefined) this.#tell(question);
      else this.#waiting.push(question);
    }
    if (this.#asking === undefined) void this.#askNext();
  }

  [Symbol.dispose](): void {
    this.#waiting = [];
    this.#asking?.over.abort();
  }

  #tell(question: QuestionRecord): void {
    for (const line of questionNotes(question)) this.#options.note(line);
  }

  async #askNext(): Promise<void> {
    const { input, note } = this.#options;
    const question = this.#waiting.shift();
    if (question === undefined || input === undefined) return;
    const over = new AbortController();
    this.#asking = { id: question.id, over };
    for (const line of questionLines(question)) note(line);
    note(`  → ${asked(question)} (until ${until(question)})`);
    while (true) {
      const line = await input.next(over.signal);
      if (line === undefined) {
        if (!over.signal.aborted) this.#tell(question);
        else note("  (answered elsewhere, or too late)");
        break;
      }
      const answer = typedAnswer(question, line);
      if (answer === undefined) note(`  → ${asked(question)}`);
      else {
        await this.#send(question, answer);
        break;
      }
    }
    this.#asking = undefined;
    await this.#askNext();
  }

  async #send(question: QuestionRecord, answer: string): Promise<void> {
    try {
      await this.#options.answer(question, answer);
    } catch (error) {
      if (!(error instanceof BeeuniError)) throw error;
      this.#options.note(`beeuni: the answer did not arrive: ${error.message}`);
    }
  }
}

/** The lines that say what is asked, and how to answer it from another command. */
export function questionNotes(question: QuestionRecord): string[] {
  const answers = possibleAnswers(question).map(shellAnswer).join("|") || "<text>";
  return [
    ...questionLines(question),
    `  → Answer with \`beeuni sessions answer ${question.session} ${answers}\` until ${until(question)}.`,
  ];
}

/** What is asked, safe to show. */
function questionLines({ kind, tool, text, options = [] }: QuestionRecord): string[] {
  const words = terminalText(text, true);
  if (kind === "permission") return [`beeuni: ${terminalText(tool, true)} needs your permission: ${words}`];
  return [
    `beeuni: the agent asks: ${words}`,
    ...options.map((option, index) => `  ${index + 1}. ${terminalText(option, true)}`),
  ];
}

function asked(question: QuestionRecord): string {
  if (question.kind === "permission") return "once, always or reject?";
  return possibleAnswers(question).length === 0 ? "Your answer?" : "Its number or its words?";
}

/** The answer as a word of a command line. */
function shellAnswer(answer: string): string {
  return /^[\w-]+$/.test(answer) ? answer : JSON.stringify(terminalText(answer, true));
}

/** When it is too late, to the second. */
function until({ deadline }: QuestionRecord): string {
  return deadline.replace(/\.\d+Z$/, "Z");
}
