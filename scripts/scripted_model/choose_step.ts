import { type ChatRequest, messageText } from "./chat_request.ts";
import { isFailure, type ScriptStep, type Step } from "./step.ts";

/** Stands in a prompt before its script, a JSON array of steps. */
export const SCRIPT_MARK = "SCRIPT:";

/** A prompt that carries its own script. */
export function scriptedPrompt(steps: readonly Step[], words = ""): string {
  return `${words} ${SCRIPT_MARK} ${JSON.stringify(steps)}`.trimStart();
}

/** The script of a prompt, and the prompt it stands in. */
export interface FoundScript {
  prompt: string;
  steps: readonly ScriptStep[];
  /** How many messages the model has written since. */
  written: number;
}

/**
 * The script that a request belongs to: that of its last user message that has one, in itself or in `known`.
 *
 * @param known Scripts by words that a prompt contains; the last one that fits is taken.
 */
export function findScript(
  { messages }: ChatRequest,
  known: ReadonlyMap<string, readonly ScriptStep[]>,
): FoundScript | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role !== "user") continue;
    const prompt = messageText(message);
    const words = [...known.keys()].findLast((key) => prompt.includes(key));
    const steps = words === undefined ? stepsIn(prompt) : known.get(words);
    if (steps === undefined) continue;
    const written = messages.slice(at + 1).filter(({ role }) => role === "assistant").length;
    return { prompt, steps, written };
  }
  return undefined;
}

/**
 * The step of a script that answers the request.
 *
 * @param failed How often each step of this script has failed so far, by its index; is counted up.
 * @returns `{ text: "done" }` behind the last step.
 */
export function chooseStep(script: FoundScript, request: ChatRequest, failed: Map<number, number>): Step {
  // A failure writes no message: those that are over move the rest of the script up.
  let at = 0;
  for (let left = script.written;; at++) {
    const given = script.steps[at];
    if (given === undefined) return { text: "done" };
    const step = typeof given === "function" ? given(request) : given;
    if (isFailure(step)) {
      const times = failed.get(at) ?? 0;
      if (times >= (step.times ?? Infinity)) continue;
      if (left === 0) {
        failed.set(at, times + 1);
        return step;
      }
    } else if (left === 0) return step;
    left--;
  }
}

function stepsIn(prompt: string): Step[] | undefined {
  const mark = prompt.indexOf(SCRIPT_MARK);
  if (mark < 0) return undefined;
  const text = prompt.slice(mark + SCRIPT_MARK.length);
  const start = text.indexOf("[");
  // What a harness adds behind the prompt may hold brackets too: the longest part that is JSON is the script.
  for (let end = text.lastIndexOf("]"); end > start; end = text.lastIndexOf("]", end - 1)) {
    try {
      return JSON.parse(text.slice(start, end + 1));
    } catch {
      // Shorter.
    }
  }
  throw new Error(`the script of a prompt is no JSON array: ${text.slice(0, 200)}`);
}
