import { BeeuniError } from "../../errors/error.ts";
import type { CommandContext } from "../command.ts";
import { type PromptOptions, promptTurn } from "../sessions/prompt_turn.ts";

/** Options of {@link sessionsPrompt}. */
export interface SessionsPromptOptions extends PromptOptions {
  id: string;
}

/**
 * `beeuni sessions prompt`: the next turn of a session (specification 4.4).
 *
 * @throws {BeeuniError} as `promptTurn` does; `usage` without a prompt, `session_not_found`, `turn_running`.
 */
export async function sessionsPrompt(
  options: SessionsPromptOptions,
  { output }: CommandContext,
): Promise<number> {
  if (options.prompt === undefined) {
    throw new BeeuniError("usage", "a prompt is missing.", { hint: "Give one with --prompt." });
  }
  return await promptTurn(
    options,
    output,
    (api, { prompt = "", attended, signal }) =>
      api.named(options.id, async (id) => ({ session: await api.prompt(id, { prompt, attended }, signal) })),
  );
}
