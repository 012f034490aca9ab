import type { Output } from "./output.ts";

/** What every command gets besides its options. */
export interface CommandContext {
  output: Output;
}

/** Options that every command has. */
export interface CommonOptions {
  /** `--project DIR`: where the manifest is; absent = the working directory and its parents. */
  project?: string;
  /** `--json`. */
  json?: boolean;
}

/**
 * A command: does its work and answers the exit code (0, or 1 when what it looked at has errors).
 *
 * @throws {BeeuniError} when it can't do its work; the program prints it and exits with its code.
 */
export type Run<Options> = (options: Options, context: CommandContext) => Promise<number>;
