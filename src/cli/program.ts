import { Command, InvalidArgumentError } from "commander";
import config from "../../deno.json" with { type: "json" };
import { addCommand, addCommonOptions, addExample, addNoun, type Start } from "./define.ts";
import { addHarness } from "./harness_program.ts";
import { writeHelp } from "./help.ts";
import { addSecrets } from "./secrets_program.ts";
import { addSessions } from "./sessions_program.ts";

/** Shells that completions are written for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/**
 * The whole command line: every command with its options, its help and its example (specification 5.1).
 *
 * The code of a command is loaded when it is run; what is here is only names and words.
 *
 * @param words The words of the line that will be parsed: the commands below a name that is not among them are left
 *   out, which halves the time this takes. Absent = all.
 */
export function createProgram(start: Start, words?: readonly string[]): Command {
  const isNeeded = (name: string) => words === undefined || words.includes(name);
  const program = new Command("beeuni").description("Give the agents of a project their tools");
  // Before the commands are added: they inherit it.
  writeHelp(program);
  program.version(config.version, "--version", "Print the version");
  program.helpOption("-h, --help", "Print this help");
  addCommonOptions(program);
  addExample(program, "beeuni tools ls");

  addCommand(program, {
    name: "init",
    summary: "Write a beeuni.yaml with the five Beeuni tools",
    example: "beeuni init",
    load: async () => (await import("./commands/init.ts")).init,
  }, start);
  addCommand(program, {
    name: "validate",
    summary: "Check beeuni.yaml and what it imports",
    example: "beeuni validate --load",
    options: [{ flags: "--load", description: "Also load the modules, in their sandbox" }],
    load: async () => (await import("./commands/validate_project.ts")).validateProject,
  }, start);
  addCommand(program, {
    name: "schema",
    summary: "Print the JSON Schema of beeuni.yaml",
    example: "beeuni schema > beeuni.schema.json",
    load: async () => (await import("./commands/schema.ts")).printSchema,
  }, start);
  const tools = addNoun(program, "tools", "List, call and write tools", "beeuni tools ls");
  if (isNeeded("tools")) addToolsCommands(tools, start);
  addSessions(program, start, isNeeded("sessions"));
  addSecrets(program, start, isNeeded("secrets"));
  const daemon = addDaemon(program, start);
  if (isNeeded("daemon")) addDaemonCommands(daemon, start);
  addHarness(program, start, isNeeded("harness"));
  addCommand(program, {
    name: "doctor",
    summary: "Tell what works on this machine, and try the sandbox",
    example: "beeuni doctor",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  }, start);
  addCommand(program, {
    name: "version",
    summary: "Print the version and how the program was built",
    example: "beeuni version --json",
    load: async () => (await import("./commands/version.ts")).version,
  }, start);
  addCommand(program, {
    name: "completions",
    summary: "Print the completions for a shell",
    example: "beeuni completions bash > ~/.local/share/bash-completion/completions/beeuni",
    arguments: [{ name: "shell", description: "Name of the shell", choices: SHELLS }],
    load: async () => (await import("./commands/completions.ts")).completions,
  }, start);
  // In place of the library's, which knows one level, and prints the general help for a word it does not know.
  addCommand(program, {
    name: "help",
    summary: "Print the help of a command",
    example: "beeuni help tools call",
    arguments: [{
      name: "command...",
      description: "Words of the command, such as tools call",
      optional: true,
    }],
    load: async () => (await import("./commands/help.ts")).help,
  }, start);
  return program;
}

function addToolsCommands(tools: Command, start: Start): void {
  const name = { name: "name", description: "Name of the tool" };
  const agent = {
    flags: "--agent <name>",
    description: "Agent that calls (default: default_agent, then beeuni, then the only one)",
  };
  const envFile = { flags: "--env-file <file>", description: "File of secrets, as NAME=value lines" };
  addCommand(tools, {
    name: "ls",
    alias: "list",
    summary: "List the tools that a session gets",
    example: "beeuni tools ls --json",
    load: async () => (await import("./commands/tools_ls.ts")).toolsLs,
  }, start);
  addCommand(tools, {
    name: "call",
    summary: "Run one tool in its sandbox, without a daemon",
    example: `beeuni tools call lookup_order --args '{"id":"A-1042"}'`,
    arguments: [name],
    options: [
      { flags: "--args <json>", description: "Arguments: JSON, @file, or - for stdin (default: {})" },
      agent,
      envFile,
      {
        flags: "--timeout <time>",
        description: "Time the call may take, such as 30s (default: the tool's own)",
      },
      { flags: "--check-args", description: "Check the arguments against the tool's parameters first" },
    ],
    load: async () => (await import("./commands/tools_call.ts")).toolsCall,
  }, start);
  addCommand(tools, {
    name: "new",
    summary: "Write the module of a new tool and its line in beeuni.yaml",
    example: "beeuni tools new lookup_order",
    arguments: [name],
    load: async () => (await import("./commands/tools_new.ts")).toolsNew,
  }, start);
  addCommand(tools, {
    name: "eject",
    summary: "Give the project its own copy of a Beeuni tool",
    example: "beeuni tools eject web_search",
    arguments: [{ name: "name", description: "Name of the Beeuni tool" }],
    options: [
      { flags: "--force", description: "Overwrite the module the project has for it" },
      {
        flags: "--diff",
        description: "Only show how the project's copy differs from the built-in",
      },
    ],
    load: async () => (await import("./commands/tools_eject.ts")).toolsEject,
  }, start);
  addCommand(tools, {
    name: "schema",
    summary: "Print the JSON Schema of a tool's arguments",
    example: "beeuni tools schema lookup_order",
    arguments: [name],
    load: async () => (await import("./commands/tools_schema.ts")).toolsSchema,
  }, start);
}

function addDaemon(program: Command, start: Start): Command {
  return addCommand(program, {
    name: "daemon",
    summary: "Serve the project's tools and sessions over HTTP",
    example: "beeuni daemon --port 4096",
    options: [
      { flags: "--host <address>", description: "Address to listen on (default: 127.0.0.1)" },
      { flags: "--port <number>", description: "Port to listen on (default: any that is free)", parse: port },
      {
        flags: "--agent <name>",
        description: "Agent of calls that name none (default: default_agent, then beeuni, then the only one)",
      },
      { flags: "--env-file <file>", description: "File of secrets, as NAME=value lines" },
      {
        flags: "--idle-timeout <time>",
        description: "End after this time without anything to do, such as 30m (default: never)",
      },
    ],
    load: async () => (await import("./commands/daemon.ts")).daemon,
  }, start);
}

function addDaemonCommands(daemon: Command, start: Start): void {
  addCommand(daemon, {
    name: "status",
    summary: "Tell whether the project's daemon runs, and where",
    example: "beeuni daemon status --json",
    load: async () => (await import("./commands/daemon_status.ts")).daemonStatus,
  }, start);
  addCommand(daemon, {
    name: "stop",
    summary: "Stop the project's daemon and wait until it ended",
    example: "beeuni daemon stop",
    load: async () => (await import("./commands/daemon_stop.ts")).daemonStop,
  }, start);
  addCommand(daemon, {
    name: "reload",
    summary: "Make the project's daemon read the manifest and the modules again",
    example: "beeuni daemon reload",
    load: async () => (await import("./commands/daemon_reload.ts")).daemonReload,
  }, start);
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65535) throw new InvalidArgumentError("It must be 0 to 65535.");
  return value;
}
