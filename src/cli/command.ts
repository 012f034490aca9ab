import type { Command } from "commander";
import type { CommandResult } from "./commands/result.ts";
import type { Output } from "./output.ts";

/** What every command gets besides its options. */
export interface CommandContext {
  output: Output;
  /**
   * The whole command line anew, to look at. It is given and not imported, so that the program stays in the first
   * chunk of the bundle.
   */
  program: () => Command;
}

/** Options that every command has. */
export interface CommonOptions {
  /** `--project DIR`: where the manifest is; absent = the working directory and its parents. */
  project?: string;
  /** `--json`. */
  json?: boolean;
}

/**
 * A command: does its work and answers what to print and the exit code (0, or 1 when what it looked at has errors),
 * or the exit code alone when it printed by itself.
 *
 * @throws {BeeuniError} when it can't do its work; the program prints it and exits with its code.
 */
export type Run<Options> = (
  options: Options,
  context: CommandContext,
) => number | CommandResult | Promise<number | CommandResult>;
