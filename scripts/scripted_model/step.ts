import type { ChatRequest } from "./chat_request.ts";

/** One tool call of a step. */
export interface CallStep {
  tool: string;
  /** Default `{}`. */
  args?: unknown;
  /** The arguments as the model writes them, in place of `args`: may be no JSON. */
  raw?: string;
}

/** What every step may have. */
interface StepTiming {
  /** Milliseconds before anything is answered. */
  sleep?: number;
}

/**
 * How the model answers one request. Text and calls in one step are one message.
 *
 * - `text`: the message's text; `echo`: its text is the result of the last tool call.
 * - `tool` or `tools`: one call, or several in parallel.
 * - `status`: an HTTP error with `headers` and `body` (default the error object that OpenAI answers), `times` times,
 *   after which the next step stands in its place; default every time.
 * - `cut`: the connection closes after `text`, in the midst of the message; `times` as above.
 * - `silent`: after `text` nothing comes any more, and the connection stays open.
 */
export type Step =
  & StepTiming
  & (
    | { text: string }
    | { echo: true }
    | CallStep & { text?: string }
    | { tools: readonly CallStep[]; text?: string }
    | { status: number; headers?: Readonly<Record<string, string>>; body?: string; times?: number }
    | { cut: true; text?: string; times?: number }
    | { silent: true; text?: string }
  );

/** A step, or what makes one of the request that it answers. */
export type ScriptStep = Step | ((request: ChatRequest) => Step);

/** Whether the step ends a request without a whole message, so that the harness may ask again. */
export function isFailure(step: Step): step is Step & { times?: number } {
  return "status" in step || "cut" in step;
}
