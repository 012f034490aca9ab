import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { hideRuntimes } from "./support/hide_runtimes.ts";

const executable = Deno.env.get("BEEUNI_BIN");
// Nothing that a test starts finds a Deno or a Node then: the executable has to do with what it carries.
if (executable) hideRuntimes();

/** Options of {@link beeuniCommand}: those of `Deno.Command` without the arguments. */
export type BeeuniCommandOptions = Omit<Deno.CommandOptions, "args">;

/**
 * A `beeuni` command: the executable named by `BEEUNI_BIN`, else the program from source. Both are the same program
 * (specification 5.2), so every test runs on either.
 */
export function beeuniCommand(args: readonly string[], options: BeeuniCommandOptions = {}): Deno.Command {
  const { program, first } = beeuniProgram();
  return new Deno.Command(program, { ...options, args: [...first, ...args] });
}

/** The program behind {@link beeuniCommand} and the arguments that come before the user's. */
export function beeuniProgram(): { program: string; first: string[] } {
  if (executable) return { program: resolve(executable), first: [] };
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return { program: Deno.execPath(), first: ["run", "-A", main] };
}
