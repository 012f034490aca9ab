import { isRecord } from "../../../host/is_record.ts";
import type { HarnessTool } from "../harness_tool.ts";
import { boundText } from "./bound_text.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Most questions of one call: each may wait for minutes. */
const MAX_QUESTIONS = 10;

const DESCRIPTION = `Asks the user one or more questions, one after the other, and returns the answers.

- Ask when a decision is the user's: what is wanted, which of several ways. Don't ask for what you can find out.
- Give \`options\` to choose from, the one you would take first. The user may also answer in other words, so no option
  "other" is needed.
- A question that nobody answers in time comes back as unanswered. Then go on as seems best, and say so.`;

/** One question, checked. */
interface Question {
  question: string;
  options: { label: string; description: string }[];
  multiple: boolean;
}

/** `question`: the user's answers. */
export const questionTool: HarnessTool = {
  name: "question",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: MAX_QUESTIONS,
        description: "The questions.",
        items: {
          type: "object",
          properties: {
            question: { type: "string", description: "The whole question." },
            header: { type: "string", description: "What it is about, at most 30 characters." },
            options: {
              type: "array",
              description: "Answers to choose from; may be empty.",
              items: {
                type: "object",
                properties: {
                  label: { type: "string", description: "The answer, 1 to 5 words." },
                  description: { type: "string", description: "What it means." },
                },
                required: ["label", "description"],
              },
            },
            multiple: { type: "boolean", description: "Whether several may be chosen. Default false." },
          },
          required: ["question", "header", "options"],
        },
      },
    },
    required: ["questions"],
  },

  async execute(values, context) {
    const args = new ToolArguments("question", values);
    const list = args.list("questions");
    if (list.length === 0 || list.length > MAX_QUESTIONS) {
      throw new Error(`Ask 1 to ${MAX_QUESTIONS} questions, not ${list.length}.`);
    }
    // All are checked before the first is asked.
    const questions = list.map(checked);
    const answers: string[] = [];
    let isThere = true;
    for (const question of questions) {
      context.signal.throwIfAborted();
      // Where nobody answered one in time, the next would only wait as long again.
      const answer: string | null = isThere
        ? await context.ask(textOf(question), question.options.map(({ label }) => label))
        : null;
      isThere = answer !== null;
      answers.push(
        `"${question.question}"=${answer === null || answer.trim() === "" ? "unanswered" : `"${answer}"`}`,
      );
    }
    const rest = isThere
      ? "Go on with these answers in mind."
      : "Nobody answered in time: go on as seems best, and say what you assumed.";
    return boundText("question", `The user's answers: ${answers.join(", ")}. ${rest}`, context);
  },
};

/** @throws {Error} With which question is wrong and what to give. */
function checked(value: unknown, index: number): Question {
  const args = new ToolArguments("question", isRecord(value) ? value : {});
  try {
    return {
      question: args.someText("question"),
      options: isRecord(value) && value.options !== undefined ? args.list("options").map(checkedOption) : [],
      multiple: args.flag("multiple"),
    };
  } catch (error) {
    throw new Error(`Question ${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** An option; some models give only its label. */
function checkedOption(value: unknown): Question["options"][number] {
  if (typeof value === "string") return { label: value, description: "" };
  const args = new ToolArguments("question", isRecord(value) ? value : {});
  return { label: args.someText("label"), description: args.optionalText("description") ?? "" };
}

/** What the user reads. */
function textOf({ question, options, multiple }: Question): string {
  const explained = options.filter(({ description }) => description.trim() !== "");
  return [
    question,
    ...explained.map(({ label, description }) => `- ${label}: ${description}`),
    ...(multiple ? ["(Several answers are fine: separate them with commas.)"] : []),
  ].join("\n");
}
