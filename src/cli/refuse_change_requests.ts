import type { Command } from "commander";
import { BeeuniError } from "../errors/error.ts";

/** `beeuni cr …` does not exist yet (specification 1.8), but the published steps name it: say what does its work. */
export function refuseChangeRequests(program: Command): void {
  program.command("cr", { hidden: true }).argument("[words...]").allowUnknownOption().helpOption(false)
    .action(() => {
      throw new BeeuniError("usage", "`beeuni cr` is not there yet.", {
        hint: "Push the branch with `git push` and open a pull request.",
      });
    });
}
