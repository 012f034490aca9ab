import type { CommandContext } from "../command.ts";
import { type PromptOptions, promptTurn } from "../sessions/prompt_turn.ts";

/** Options of {@link sessionsNew}. */
export interface SessionsNewOptions extends PromptOptions {
  agent?: string;
  harness?: "standard" | "experimental";
  model?: string;
}

/**
 * `beeuni sessions new`: makes a session, and with `--prompt` begins its first turn (specification 4.4).
 *
 * @throws {BeeuniError} as `promptTurn` does; `agent_forbidden`, `harness_missing`, `no_model`, `model_key`.
 */
export async function sessionsNew(
  options: SessionsNewOptions,
  { output }: CommandContext,
): Promise<number> {
  const { agent, harness, model } = options;
  return await promptTurn(options, output, async (api, { signal, ...beginning }) => {
    const begun = await api.create({
      ...beginning,
      ...(agent === undefined ? {} : { agent }),
      ...(harness === undefined ? {} : { harness }),
      ...(model === undefined ? {} : { model }),
    }, signal);
    return { ...begun, chosen: harness === undefined };
  });
}
