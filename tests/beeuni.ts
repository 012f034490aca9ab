import { fileURLToPath } from "node:url";

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
  const program = Deno.env.get("BEEUNI_BIN");
  if (program) return { program, first: [] };
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return { program: Deno.execPath(), first: ["run", "-A", main] };
}
