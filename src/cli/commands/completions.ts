import tab from "@bomb.sh/tab/commander";
import { AFTER_BASH_SCRIPT, BEFORE_BASH_SCRIPT } from "../bash_completions.ts";
import type { CommandContext } from "../command.ts";
import type { SHELLS } from "../program.ts";

/** Options of {@link completions}. */
export interface CompletionsOptions {
  shell: typeof SHELLS[number];
}

/** `beeuni completions <shell>`: prints the script that asks `beeuni complete` for words (specification 5.1). */
export function completions({ shell }: CompletionsOptions, context: CommandContext): number {
  const program = context.program();
  if (shell === "bash") context.output.write(BEFORE_BASH_SCRIPT);
  // The library prints by itself, to stdout.
  tab(program, OWN_COMMAND).setup(program.name(), program.name(), shell);
  if (shell === "bash") context.output.write(AFTER_BASH_SCRIPT);
  return 0;
}

/** The adapter adds a command of its own for the script; it goes to a program that nobody runs. */
export const OWN_COMMAND = { completionCommandName: "completion-script" };
