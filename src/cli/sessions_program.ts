import { type Command, InvalidArgumentError } from "commander";
import { addCommand, addNoun, type OptionDefinition, type Start } from "./define.ts";

/** Adds `beeuni sessions`, with its commands unless the line needs none of them. */
export function addSessions(program: Command, start: Start, withCommands: boolean): void {
  const sessions = addNoun(
    program,
    "sessions",
    "Give agents prompts, read what they did, answer what they ask",
    'beeuni sessions new --wait --prompt "Summarize README.md"',
  );
  if (!withCommands) return;
  const id = { name: "id", description: "Id of the session, or the beginning of it" };
  const prompt: OptionDefinition[] = [
    { flags: "--prompt <text>", description: "What the agent is to do, or - for stdin" },
    { flags: "--wait", description: "Print the answer as it comes; exit code 0 when the turn ended well" },
    {
      flags: "--timeout <time>",
      description: "Time the turn may take, such as 5m, before it is stopped (with --wait; exit code 124)",
    },
  ];
  addCommand(sessions, {
    name: "new",
    summary: "Start a session, and give its agent a prompt",
    example: 'beeuni sessions new --wait --prompt "Summarize README.md"',
    options: [
      {
        flags: "--agent <name>",
        description: "Agent of the session (default: default_agent, then beeuni, then the only one)",
      },
      {
        flags: "--harness <name>",
        description: "Harness that runs it (default: standard when OpenCode is there, else experimental)",
        choices: ["standard", "experimental"],
      },
      { flags: "--model <model>", description: "Model, as <provider>/<model> (default: the agent's own)" },
      ...prompt,
    ],
    load: async () => (await import("./commands/sessions_new.ts")).sessionsNew,
  }, start);
  addCommand(sessions, {
    name: "prompt",
    summary: "Give the agent of a session its next prompt",
    example: 'beeuni sessions prompt ses_0mx4 --wait --prompt "And the tests?"',
    arguments: [id],
    options: prompt,
    load: async () => (await import("./commands/sessions_prompt.ts")).sessionsPrompt,
  }, start);
  addCommand(sessions, {
    name: "ls",
    alias: "list",
    summary: "List the sessions, the newest first",
    example: "beeuni sessions ls --json",
    load: async () => (await import("./commands/sessions_ls.ts")).sessionsLs,
  }, start);
  addCommand(sessions, {
    name: "log",
    summary: "Print the messages of a session, with every tool call",
    example: "beeuni sessions log --limit 10",
    arguments: [{ ...id, description: `${id.description} (default: the newest one)`, optional: true }],
    options: [
      { flags: "--limit <n>", description: "Number of messages, the last ones (default: all)", parse: limit },
      {
        flags: "--follow",
        description: "Go on until the turn is over; when none runs, wait for the next one",
      },
    ],
    load: async () => (await import("./commands/sessions_log.ts")).sessionsLog,
  }, start);
  addCommand(sessions, {
    name: "stop",
    summary: "Stop the turn that runs in a session",
    example: "beeuni sessions stop ses_0mx4",
    arguments: [id],
    load: async () => (await import("./commands/sessions_stop.ts")).sessionsStop,
  }, start);
  addCommand(sessions, {
    name: "answer",
    summary: "Answer what a session asks: once, always or reject, or the text of an answer",
    example: "beeuni sessions answer ses_0mx4 once",
    arguments: [id, {
      name: "answer",
      description: "One of once, always (for this session) and reject; to a question of the agent, the text",
    }],
    load: async () => (await import("./commands/sessions_answer.ts")).sessionsAnswer,
  }, start);
  addCommand(sessions, {
    name: "rm",
    summary: "Remove a session and all that is kept of it",
    example: "beeuni sessions rm ses_0mx4",
    arguments: [id],
    load: async () => (await import("./commands/sessions_rm.ts")).sessionsRm,
  }, start);
}

function limit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return Number(text);
}
