import { BeeuniError } from "../../errors/error.ts";
import type { QuestionRecord } from "../../sessions/types.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { PERMISSION_ANSWERS } from "../sessions/given_answer.ts";
import { requireRunning, sessionProject } from "../sessions/open_sessions.ts";
import { terminalText } from "../sessions/terminal_text.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link sessionsAnswer}. */
export interface SessionsAnswerOptions extends CommonOptions {
  id: string;
  answer: string;
}

/**
 * `beeuni sessions answer`: answers the oldest question that a session asks (specification 4.4).
 *
 * @throws {BeeuniError} `no_manifest`, `session_not_found`, `no_turn`, `question_not_found`, `usage` for an answer that
 *   is none.
 */
export async function sessionsAnswer(
  options: SessionsAnswerOptions,
  _context: CommandContext,
): Promise<CommandResult> {
  const { answer } = options;
  const api = await requireRunning(await sessionProject(options), options.id);
  const { id, questions } = await api.named(options.id, (id) => api.get(id));
  const [question] = questions.toSorted((a, b) => a.created < b.created ? -1 : a.created > b.created ? 1 : 0);
  if (question === undefined) {
    throw new BeeuniError("question_not_found", `session ${id} asks nothing.`, {
      hint: `\`beeuni sessions log ${id}\` shows what it does.`,
    });
  }
  checkAnswer(question, answer);
  await api.answer(id, { answer, question: question.id });
  return {
    stdout: options.json ? jsonDocument({ session: id, question, answer }) : `${told(question, answer)}\n`,
    exitCode: 0,
  };
}

/** A permission has three answers. Those of a question are only offered: the agent understands any words. */
function checkAnswer({ kind }: QuestionRecord, answer: string): void {
  if (kind === "permission" && !PERMISSION_ANSWERS.some((known) => known === answer)) {
    throw new BeeuniError("usage", `${JSON.stringify(answer)} is no answer to whether a call may go on.`, {
      hint: "Answer once, always or reject.",
    });
  }
  if (answer.trim() === "") {
    throw new BeeuniError("usage", "the answer is empty.", { hint: "Say something." });
  }
}

function told({ kind, tool, text }: QuestionRecord, answer: string): string {
  return kind === "permission"
    ? `${answer}: ${terminalText(tool, true)}: ${terminalText(text, true)}`
    : `${terminalText(text, true)} ${terminalText(answer, true)}`;
}
