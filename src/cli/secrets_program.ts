import type { Command } from "commander";
import { addCommand, addNoun, type Start } from "./define.ts";

/** Adds `beeuni secrets`, with its commands unless the line needs none of them. */
export function addSecrets(program: Command, start: Start, withCommands: boolean): void {
  const secrets = addNoun(
    program,
    "secrets",
    "Set, list and remove the project's secrets",
    "beeuni secrets set WEATHER_API_KEY=-",
  );
  if (!withCommands) return;
  const set = addCommand(secrets, {
    name: "set",
    summary: "Store secrets, encrypted, for the agents that are granted them",
    example: "beeuni secrets set WEATHER_API_KEY=- < key.txt",
    arguments: [{
      name: "entries...",
      description: "NAME=VALUE, or NAME=- to read the value from stdin (it stays out of the shell's history)",
    }],
    load: async () => (await import("./commands/secrets_set.ts")).secretsSet,
  }, start);
  // A value that begins with a hyphen is no option, and an error about one would print it.
  set.allowUnknownOption();
  addCommand(secrets, {
    name: "ls",
    alias: "list",
    summary: "List the names of the secrets, when they were set and which agents have them",
    example: "beeuni secrets ls --json",
    load: async () => (await import("./commands/secrets_ls.ts")).secretsLs,
  }, start);
  addCommand(secrets, {
    name: "rm",
    summary: "Remove secrets",
    example: "beeuni secrets rm WEATHER_API_KEY",
    arguments: [{ name: "names...", description: "Names of the secrets" }],
    load: async () => (await import("./commands/secrets_rm.ts")).secretsRm,
  }, start);
}
