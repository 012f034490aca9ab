import tab from "@bomb.sh/tab/commander";
import { BEEUNI_TOOLS } from "../../beeuni_tools/registry.ts";
import { escapeControls } from "../../log/escape_controls.ts";
import type { CommandContext } from "../command.ts";
import { OWN_COMMAND } from "./completions.ts";

/** Options of {@link complete}. */
export interface CompleteOptions {
  /** The words of the line so far, without the program's name; the last one is being typed. */
  words: string[];
}

/** Commands whose argument is the name of a tool that exists. */
const WITH_TOOL = ["tools call", "tools schema"];

/** Commands whose first argument is the id of a session. */
const WITH_SESSION = ["prompt", "log", "stop", "answer", "rm"].map((verb) => `sessions ${verb}`);

/** What a question about a permission is answered with. */
const ANSWERS = ["once", "always", "reject"];

/** `beeuni complete -- <words>`: what the completion scripts ask while somebody types. */
export async function complete({ words }: CompleteOptions, { program }: CommandContext): Promise<number> {
  const root = tab(program(), OWN_COMMAND);
  root.commands.delete(OWN_COMMAND.completionCommandName);
  if (WITH_TOOL.includes(words.slice(0, 2).join(" "))) {
    const tools = await projectTools();
    for (const name of WITH_TOOL) {
      root.commands.get(name)?.argument("name", (add) => tools.forEach((tool) => add(tool.name, tool.kind)));
    }
  }
  root.commands.get("tools eject")?.argument(
    "name",
    (add) => BEEUNI_TOOLS.forEach((name) => add(name, `the source of beeuni:${name}`)),
  );
  if (words.slice(0, 2).join(" ") === "secrets rm") {
    const names = await setSecrets();
    root.commands.get("secrets rm")?.argument("names", (add) => names.forEach((name) => add(name, "")), true);
  }
  if (WITH_SESSION.includes(words.slice(0, 2).join(" "))) {
    const sessions = await projectSessions();
    for (const name of WITH_SESSION) {
      root.commands.get(name)?.argument("id", (add) => sessions.forEach(({ id, title }) => add(id, title)));
    }
  }
  if (words.at(-2) === "--agent") {
    const agents = await projectAgents();
    for (const { options } of root.commands.values()) {
      const option = options.get("agent");
      if (option !== undefined) option.handler = (add) => agents.forEach((name) => add(name, ""));
    }
  }
  root.commands.get("sessions answer")?.argument("answer", (add) => ANSWERS.forEach((word) => add(word, "")));
  if (words[0] === "help") {
    const names = commandsBelow(words.slice(1, -1), [...root.commands.keys()]);
    root.commands.get("help")?.argument("command", (add) => names.forEach((name) => add(name, "")), true);
  }
  // The library prints by itself, to stdout.
  root.parse([...words]);
  return 0;
}

/** Names of the commands one level below a command. */
function commandsBelow(path: readonly string[], all: readonly string[]): string[] {
  return all.map((name) => name.split(" ")).filter((words) =>
    words.length === path.length + 1 && path.every((word, index) => words[index] === word)
  ).flatMap((words) => words.at(-1) ?? []);
}

/** The agents of the project here; none when they can't be had, for the same reason as the tools. */
async function projectAgents(): Promise<string[]> {
  try {
    const { readManifest } = await import("../../manifest/read.ts");
    return [...readManifest().agents.keys()];
  } catch {
    return [];
  }
}

/** The tools of the project here; none when there is none, or its manifest can't be read: nobody asked about that. */
async function projectTools(): Promise<{ name: string; kind: string }[]> {
  try {
    const { readManifest } = await import("../../manifest/read.ts");
    return readManifest().tools;
  } catch {
    return [];
  }
}

/** Names of the secrets of the project here; none when they can't be had, for the same reason. */
async function setSecrets(): Promise<string[]> {
  try {
    const { findManifest } = await import("../../manifest/find_manifest.ts");
    return await (await import("../secret_names.ts")).secretNames(findManifest()) ?? [];
  } catch {
    return [];
  }
}

/** Sessions of the project here, the newest first; none when they can't be had, for the same reason. */
async function projectSessions(): Promise<{ id: string; title: string }[]> {
  try {
    const { readSessions, sessionProject } = await import("../sessions/open_sessions.ts");
    const sessions = await readSessions(await sessionProject({}), (source) => source.list());
    return sessions.map(({ id, title }) => ({ id, title: escapeControls(title) }));
  } catch {
    return [];
  }
}
