import type { Command, CommanderError } from "commander";
import { BeeuniError } from "../errors/error.ts";
import { nearest } from "../manifest/nearest.ts";

/**
 * A wrong command line as one of our errors (specification 5.1): what is wrong, and the nearest known word or where
 * the help is.
 *
 * @param error As commander words it: `error: unknown option '--jsn'`, with `(Did you mean --json?)` on a second line.
 * @param command The command that the user got as far as.
 * @param path Its name with those of its parents, such as `beeuni tools ls`.
 */
export function usageError(error: CommanderError, command: Command, path: string): BeeuniError {
  const help = `See \`${path} --help\`.`;
  if (path.startsWith("beeuni secrets")) return withoutValues(plainUsageError(error, command, help));
  return plainUsageError(error, command, help);
}

/** What was typed behind `beeuni secrets` may be a value: only what looks like a word of ours is repeated. */
function withoutValues(error: BeeuniError): BeeuniError {
  const message = error.message
    .replace(/^(unknown (?:command|option)) '(?!-{0,2}[a-z]{1,12}')[^]*$/, "$1.")
    .replace(/^(too many arguments for '[a-z]+')\.[^]*$/, "$1.");
  return new BeeuniError("usage", message, error.hint === undefined ? {} : { hint: error.hint });
}

function plainUsageError(error: CommanderError, command: Command, help: string): BeeuniError {
  const [word] = command.args;
  if (error.code === "commander.excessArguments" && command.commands.length > 0 && word !== undefined) {
    // A command that also has commands below it takes their misspelt names for arguments.
    const near = nearest(word, command.commands.map((child) => child.name()));
    const hint = near === undefined ? help : `Did you mean ${near}?`;
    return new BeeuniError("usage", `unknown command '${word}'.`, { hint });
  }
  const [first = "", ...rest] = error.message.split("\n");
  const message = first.replace(/^error: /, "");
  const suggestion = /^\((Did you mean .+)\)$/.exec(rest.join("\n").trim())?.[1];
  return new BeeuniError("usage", message.endsWith(".") ? message : `${message}.`, {
    hint: suggestion ?? help,
  });
}

/**
 * A word that is no command of `command`.
 *
 * @param path Its name with those of its parents.
 */
export function unknownCommand(word: string, command: Command, path: string): BeeuniError {
  const near = nearest(word, command.commands.map((child) => child.name()));
  const error = new BeeuniError("usage", `unknown command '${word}'.`, {
    hint: near === undefined ? `See \`${path} --help\`.` : `Did you mean ${near}?`,
  });
  return path.startsWith("beeuni secrets") ? withoutValues(error) : error;
}

/**
 * Commander prints the help of a command when there is `--help` behind it, whatever word stands between: a misspelt
 * command below it would be taken for it.
 */
function refuseUnknownBeforeHelp(command: Command, path: string): void {
  if (command.commands.length === 0) return;
  command.on("beforeHelp", () => {
    const [word] = command.args[0] === "help" ? command.args.slice(1) : command.args;
    const isKnown = command.commands.some((child) =>
      child.name() === word || child.aliases().includes(word ?? "")
    );
    if (word !== undefined && !word.startsWith("-") && !isKnown) throw unknownCommand(word, command, path);
  });
}

/** Makes commander throw {@link usageError}s in place of ending the process; help and version stay what they are. */
export function exitWithUsageErrors(command: Command, parents = ""): void {
  const path = `${parents}${command.name()}`;
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === "commander.help" ? error : usageError(error, command, path);
  });
  refuseUnknownBeforeHelp(command, path);
  for (const child of command.commands) exitWithUsageErrors(child, `${path} `);
}
