import type { QuestionRequest } from "../../sessions/types.ts";

/** The answers to the question whether a call may go on (specification 4.4). */
export const PERMISSION_ANSWERS = ["once", "always", "reject"] as const;

/** What a question can be answered with; none = free text. */
export function possibleAnswers(
  { kind, options = [] }: Pick<QuestionRequest, "kind" | "options">,
): readonly string[] {
  return kind === "permission" ? PERMISSION_ANSWERS : options;
}

/**
 * The answer that somebody typed at a terminal: one of the possible ones, also by its number or its beginning where
 * that is one alone, or free text.
 *
 * @returns `undefined` when it is none.
 */
export function typedAnswer(
  question: Pick<QuestionRequest, "kind" | "options">,
  line: string,
): string | undefined {
  const text = line.trim();
  const possible = possibleAnswers(question);
  if (text === "") return undefined;
  if (possible.length === 0) return text;
  const lower = text.toLowerCase();
  const exact = possible.find((answer) => answer.toLowerCase() === lower);
  if (exact !== undefined) return exact;
  if (/^\d+$/.test(text) && question.kind === "question") return possible[Number(text) - 1];
  const [only, another] = possible.filter((answer) => answer.toLowerCase().startsWith(lower));
  return another === undefined ? only : undefined;
}
