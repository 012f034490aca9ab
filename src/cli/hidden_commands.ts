import type { Command } from "commander";
import { BeeuniError } from "../errors/error.ts";
import type { Start } from "./define.ts";

/** Adds the commands that no help names: they are called by scripts, or only say what to use in their place. */
export function addHiddenCommands(program: Command, start: Start): void {
  addCompletionRequests(program, start);
  refuseChangeRequests(program);
}

/** What the completion scripts call: `beeuni complete -- <words>`. */
function addCompletionRequests(program: Command, start: Start): void {
  program.command("complete", { hidden: true }).argument("[words...]").allowUnknownOption().helpOption(false)
    .action(async (words: string[]) => {
      await start((await import("./commands/complete.ts")).complete, { words });
    });
}

/** `beeuni cr …` does not exist yet (specification 1.8), but the published steps name it: say what does its work. */
function refuseChangeRequests(program: Command): void {
  program.command("cr", { hidden: true }).argument("[words...]").allowUnknownOption().helpOption(false)
    .action(() => {
      throw new BeeuniError("usage", "`beeuni cr` is not there yet.", {
        hint: "Push the branch with `git push` and open a pull request.",
      });
    });
}
