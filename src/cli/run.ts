import { CommanderError } from "commander";
import type { Start } from "./define.ts";
import { addHiddenCommands } from "./hidden_commands.ts";
import { createOutput, type Output } from "./output.ts";
import { createProgram } from "./program.ts";
import { exitWithUsageErrors } from "./usage_error.ts";

/**
 * Runs one command line.
 *
 * @param args What stands behind `beeuni`.
 * @returns The exit code (specification 5.1).
 */
export async function run(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  let output: Output | undefined;
  const start: Start = async (command, options) => {
    output = createOutput({ json: options.json === true });
    const program = () => createProgram(() => Promise.resolve());
    const result = await command(options as never, { output, program });
    if (typeof result === "number") {
      exitCode = result;
    } else {
      exitCode = result.exitCode;
      output.write(result.stdout);
    }
  };
  const program = createProgram(start, args);
  addHiddenCommands(program, start);
  exitWithUsageErrors(program);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    output ??= createOutput({ json: program.opts().json === true });
    return output.fail(error);
  }
}
