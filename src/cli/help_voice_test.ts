import assert from "node:assert/strict";
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { OWN_COMMAND } from "./commands/completions.ts";
import { createProgram } from "./program.ts";
import { exitWithUsageErrors } from "./usage_error.ts";

// All help texts read as one: a command says what it does, beginning with the verb; an option says what it is or does.
// Both begin with a capital and have no full stop.

/** What a command does. A new verb is welcome where none of these says it. */
const VERBS = [
  "Answer",
  "Check",
  "Give",
  "List",
  "Make",
  "Print",
  "Remove",
  "Run",
  "Serve",
  "Set",
  "Start",
  "Stop",
  "Store",
  "Tell",
  "Write",
];

const COMMANDS = everyCommand(createProgram(() => Promise.resolve()), []);

function everyCommand(command: Command, path: readonly string[]): { command: Command; path: string }[] {
  const inner = command.commands.flatMap((child) => everyCommand(child, [...path, child.name()]));
  return [{ command, path: path.join(" ") }, ...inner];
}

/** The one example of a command, as its help prints it. */
function example(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => help += text });
  command.outputHelp();
  return /^Example:\n {2}(.+)$/m.exec(help)?.[1] ?? "";
}

Deno.test("every command says what it does, beginning with the verb", () => {
  for (const { command, path } of COMMANDS) {
    assert.ok(
      VERBS.includes(command.description().match(/^\w+/)?.[0] ?? ""),
      `${path}: ${command.description()}`,
    );
    assertVoice(command.description(), path);
    // What the library adds by itself has its own words.
    for (const visible of command.createHelp().visibleCommands(command)) {
      assertVoice(visible.description(), `${path} ${visible.name()}`);
    }
  }
});

Deno.test("every option and every argument says what it is", () => {
  for (const { command, path } of COMMANDS) {
    for (const { flags, description } of command.createHelp().visibleOptions(command)) {
      assertVoice(description, `${path} ${flags}`);
    }
    for (const argument of command.registeredArguments) {
      assertVoice(argument.description, `${path} <${argument.name()}>`);
    }
  }
});

function assertVoice(text: string, place: string): void {
  assert.match(text, /^[A-Z].*[^.]$/, place);
  assert.doesNotMatch(text, /^(The|A|An) |\. /, place);
  assert.ok(text.length <= 110, `${place} has ${text.length} characters`);
}

Deno.test("one option has the same words wherever it does the same", () => {
  const differ = new Map<string, Set<string>>();
  for (const { command } of COMMANDS) {
    for (const { flags, description } of command.createHelp().visibleOptions(command)) {
      differ.set(flags, (differ.get(flags) ?? new Set()).add(description));
    }
  }
  const several = [...differ].filter(([, texts]) => texts.size > 1).map(([flags]) => flags);
  // A call, a session and a daemon are three things that an agent and a time are given to.
  assert.deepEqual(several.sort(), ["--agent <name>", "--timeout <time>"]);
});

Deno.test("every example is a line that its command, or one below it, can run", async () => {
  for (const { command, path } of COMMANDS) {
    const line = example(command);
    const words = await shellWords(line.replace(/ [<>] .*$/, ""));
    assert.equal(words.shift(), "beeuni", path);
    let started = 0;
    const program = createProgram(() => {
      started++;
      return Promise.resolve();
    });
    exitWithUsageErrors(program);
    await program.parseAsync(words, { from: "user" });
    assert.equal(started, 1, line);
    assert.ok(` ${words.join(" ")} `.startsWith(path === "" ? " " : ` ${path} `), `${path}: ${line}`);
  }
});

/** The words a shell makes of a line. */
async function shellWords(line: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `for word in ${line}; do printf '%s\\0' "$word"; done`],
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

Deno.test("completions know every command and every option that a help names", () => {
  const root = tab(createProgram(() => Promise.resolve()), OWN_COMMAND);
  for (const { command, path } of COMMANDS) {
    const known = path === "" ? root : root.commands.get(path);
    assert.ok(known, path);
    for (const { long } of command.createHelp().visibleOptions(command)) {
      assert.ok(known.options.has(long?.slice(2) ?? ""), `${path} ${long}`);
    }
    for (const argument of command.registeredArguments) assert.ok(known.arguments.has(argument.name()), path);
  }
});
