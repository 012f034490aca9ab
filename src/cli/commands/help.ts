import type { Command } from "commander";
import type { CommandContext } from "../command.ts";
import { unknownCommand } from "../usage_error.ts";

/** Options of {@link help}. */
export interface HelpOptions {
  /** Words of a command, such as `tools call`; none = the program. */
  command: string[];
}

/**
 * `beeuni help [command…]`: the help of a command at any depth, as its `--help` prints it.
 *
 * @throws {BeeuniError} `usage` when there is no such command.
 */
export function help({ command: words }: HelpOptions, { program }: CommandContext): number {
  let command: Command = program();
  let path = command.name();
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (next === undefined) throw unknownCommand(word, command, path);
    command = next;
    path += ` ${next.name()}`;
  }
  command.outputHelp();
  return 0;
}
