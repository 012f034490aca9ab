import { Argument, type Command, Option } from "commander";
import type { Run } from "./command.ts";

/** One option of a command. */
export interface OptionDefinition {
  /** As commander reads them: `--port <number>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** Turns the text into a value; throws commander's `InvalidArgumentError`. */
  parse?: (text: string) => unknown;
}

/** One argument of a command. */
export interface ArgumentDefinition {
  name: string;
  description: string;
  choices?: readonly string[];
  optional?: boolean;
}

/** A command that does something. */
export interface CommandDefinition {
  name: string;
  alias?: string;
  summary: string;
  /** One example for the help. */
  example: string;
  arguments?: readonly ArgumentDefinition[];
  options?: readonly OptionDefinition[];
  /** Loads the code of the command: only the one that is run. */
  load: () => Promise<Run<never>>;
}

/** Runs what a command line asks for. */
export type Start = (run: Run<never>, options: Record<string, unknown>) => Promise<void>;

/** Adds a command that does something; `command` itself when it is one that only needs an action. */
export function addCommand(parent: Command, definition: CommandDefinition, start: Start): Command {
  const command = parent.command(definition.name).summary(definition.summary).description(definition.summary);
  if (definition.alias !== undefined) command.alias(definition.alias);
  for (const { name, description, choices, optional } of definition.arguments ?? []) {
    const argument = new Argument(optional ? `[${name}]` : `<${name}>`, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const { flags, description, choices, parse } of definition.options ?? []) {
    const option = new Option(flags, description);
    if (choices !== undefined) option.choices(choices);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  addCommonOptions(command);
  addExample(command, definition.example);
  command.action(async () => {
    const given: Record<string, unknown> = { ...command.optsWithGlobals() };
    command.registeredArguments.forEach((argument, index) => {
      given[argument.name()] = command.processedArgs[index];
    });
    await start(await definition.load(), given);
  });
  return command;
}

/** Adds a noun: a group of commands that does nothing by itself. */
export function addNoun(parent: Command, name: string, summary: string, example: string): Command {
  const command = parent.command(name).summary(summary).description(summary);
  command.helpCommand("help [command]", "Print the help of a command");
  addExample(command, example);
  return command;
}

/**
 * Adds the options that every command has. The program has them too, and takes them wherever they stand; here they
 * are for the command's help and its completions.
 */
export function addCommonOptions(command: Command): void {
  command.option("--project <dir>", "Folder of beeuni.yaml (default: here or the nearest one above)");
  command.option("--json", "Print one JSON document");
}

/** Adds the example to the command's help. */
export function addExample(command: Command, example: string): void {
  command.addHelpText("after", `\nExample:\n  ${example}`);
}
