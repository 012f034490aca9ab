import assert from "node:assert/strict";
import type { Command } from "commander";
import { BeeuniError } from "../errors/error.ts";
import type { Run } from "./command.ts";
import { addHiddenCommands } from "./hidden_commands.ts";
import { createProgram } from "./program.ts";
import { exitWithUsageErrors } from "./usage_error.ts";

interface Started {
  run: Run<never>;
  options: Record<string, unknown>;
}

async function parse(...args: string[]): Promise<Started | undefined> {
  let started: Started | undefined;
  const start = (run: Run<never>, options: Record<string, unknown>) => {
    started = { run, options };
    return Promise.resolve();
  };
  const program = createProgram(start, args);
  addHiddenCommands(program, start);
  exitWithUsageErrors(program);
  await program.parseAsync(args, { from: "user" });
  return started;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

Deno.test("help at every level has one example, and the options every command has", () => {
  for (const command of everyCommand(createProgram(() => Promise.resolve()))) {
    let help = "";
    command.configureOutput({ writeOut: (text) => help += text });
    command.outputHelp();
    assert.equal(help.match(/^Example:\n {2}beeuni /gm)?.length, 1, command.name());
    assert.match(help, /^ {2}-h, --help +Print this help$/m);
    assert.notEqual(command.description(), "");
    if (["tools", "secrets", "sessions", "harness"].includes(command.name())) continue;
    assert.match(help, /^ {2}--project <dir> /m, command.name());
    assert.match(help, /^ {2}--json /m, command.name());
  }
});

Deno.test("the help of the program is the same, whatever else stands on the line", () => {
  const help = (words?: string[]) => createProgram(() => Promise.resolve(), words).helpInformation();
  for (const words of [[], ["tools"], ["daemon", "--help"]]) assert.equal(help(words), help());
});

Deno.test("each command loads its own code", async () => {
  const lines: [string[], string][] = [
    [["init"], "init"],
    [["validate"], "validateProject"],
    [["schema"], "printSchema"],
    [["tools", "ls"], "toolsLs"],
    [["tools", "list"], "toolsLs"],
    [["tools", "call", "x"], "toolsCall"],
    [["tools", "new", "x"], "toolsNew"],
    [["tools", "eject", "x"], "toolsEject"],
    [["tools", "schema", "x"], "toolsSchema"],
    [["sessions", "new"], "sessionsNew"],
    [["sessions", "prompt", "x"], "sessionsPrompt"],
    [["sessions", "ls"], "sessionsLs"],
    [["sessions", "log"], "sessionsLog"],
    [["sessions", "log", "x"], "sessionsLog"],
    [["sessions", "stop", "x"], "sessionsStop"],
    [["sessions", "answer", "x", "once"], "sessionsAnswer"],
    [["sessions", "rm", "x"], "sessionsRm"],
    [["secrets", "set", "X=-"], "secretsSet"],
    [["secrets", "ls"], "secretsLs"],
    [["secrets", "rm", "X"], "secretsRm"],
    [["harness", "install-plugin"], "harnessInstallPlugin"],
    [["daemon"], "daemon"],
    [["daemon", "status"], "daemonStatus"],
    [["daemon", "stop"], "daemonStop"],
    [["daemon", "reload"], "daemonReload"],
    [["doctor"], "doctor"],
    [["version"], "version"],
    [["completions", "fish"], "completions"],
    [["help"], "help"],
    [["help", "tools", "call"], "help"],
    [["complete", "--", "tools"], "complete"],
  ];
  for (const [line, name] of lines) assert.equal((await parse(...line))?.run.name, name, line.join(" "));
});

Deno.test("options reach the command wherever they stand", async () => {
  const expected = { project: "p", json: true };
  for (
    const line of [["--project", "p", "tools", "ls", "--json"], ["tools", "--json", "ls", "--project=p"]]
  ) {
    assert.deepEqual((await parse(...line))?.options, expected, line.join(" "));
  }
  assert.deepEqual(
    (await parse("tools", "call", "t", "--args", "-", "--check-args", "--env-file", "e"))?.options,
    {
      name: "t",
      args: "-",
      checkArgs: true,
      envFile: "e",
    },
  );
  assert.deepEqual((await parse("daemon", "--host", "::1", "--port", "0", "--agent", "a"))?.options, {
    host: "::1",
    port: 0,
    agent: "a",
  });
  assert.deepEqual((await parse("complete", "--", "tools", "ls", "--json"))?.options, {
    words: ["tools", "ls", "--json"],
  });
});

Deno.test("wrong use names what is wrong and the nearest known word", async () => {
  const cases: [string[], string, string][] = [
    [["vaildate"], "unknown command 'vaildate'.", "Did you mean validate?"],
    [["tool"], "unknown command 'tool'.", "Did you mean tools?"],
    [["zzz"], "unknown command 'zzz'.", "See `beeuni --help`."],
    [["tools", "cal", "x"], "unknown command 'cal'.", "Did you mean call?"],
    [["tools", "xyzzy"], "unknown command 'xyzzy'.", "See `beeuni tools --help`."],
    // What may be a value is not repeated.
    [["secrets", "TOKEN=hunter2"], "unknown command.", "See `beeuni secrets --help`."],
    [["secrets", "sett", "TOKEN=hunter2"], "unknown command 'sett'.", "Did you mean set?"],
    [["secrets", "ls", "TOKEN=hunter2"], "too many arguments for 'ls'.", "See `beeuni secrets ls --help`."],
    [["secrets", "rm", "-hunter2"], "unknown option.", "See `beeuni secrets rm --help`."],
    [["secrets", "rm", "X", "--jsn"], "unknown option '--jsn'.", "Did you mean --json?"],
    [["secrets", "rm"], "missing required argument 'names'.", "See `beeuni secrets rm --help`."],
    // Also with a request for help behind it, which would print the help of what stands before.
    [["tool", "--help"], "unknown command 'tool'.", "Did you mean tools?"],
    [["zzz", "-h"], "unknown command 'zzz'.", "See `beeuni --help`."],
    [["--project", "p", "tool", "ls", "--help"], "unknown command 'tool'.", "Did you mean tools?"],
    [["tools", "cal", "x", "--help"], "unknown command 'cal'.", "Did you mean call?"],
    [["tools", "help", "cal"], "unknown command 'cal'.", "Did you mean call?"],
    [["daemon", "stat", "--help"], "unknown command 'stat'.", "Did you mean status?"],
    [["secrets", "TOKEN=hunter2", "--help"], "unknown command.", "See `beeuni secrets --help`."],
    [["daemon", "stat"], "unknown command 'stat'.", "Did you mean status?"],
    [["daemon", "xyzzy"], "unknown command 'xyzzy'.", "See `beeuni daemon --help`."],
    [["tools", "ls", "--jsn"], "unknown option '--jsn'.", "Did you mean --json?"],
    [["tools", "ls", "--xyzzy"], "unknown option '--xyzzy'.", "See `beeuni tools ls --help`."],
    [["--prject", "x"], "unknown option '--prject'.", "Did you mean --project?"],
    [["tools", "call"], "missing required argument 'name'.", "See `beeuni tools call --help`."],
    [
      ["tools", "call", "a", "b"],
      "too many arguments for 'call'. Expected 1 argument but got 2: a, b.",
      "See `beeuni tools call --help`.",
    ],
    [["tools", "ls", "--project"], "option '--project <dir>' argument missing.", "See `beeuni --help`."],
    [
      ["daemon", "--port", "65536"],
      "option '--port <number>' argument '65536' is invalid. It must be 0 to 65535.",
      "See `beeuni daemon --help`.",
    ],
    [["session", "ls"], "unknown command 'session'.", "Did you mean sessions?"],
    [["sessions", "lgo"], "unknown command 'lgo'.", "Did you mean log?"],
    [
      ["sessions", "log", "--limit", "0"],
      "option '--limit <n>' argument '0' is invalid. It must be a whole number from 1 on.",
      "See `beeuni sessions log --help`.",
    ],
    [
      ["sessions", "new", "--harness", "opencode"],
      "option '--harness <name>' argument 'opencode' is invalid. Allowed choices are standard, experimental.",
      "See `beeuni sessions new --help`.",
    ],
    [
      ["completions", "tcsh"],
      "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
      "See `beeuni completions --help`.",
    ],
    [["cr"], "`beeuni cr` is not there yet.", "Push the branch with `git push` and open a pull request."],
    [
      ["cr", "open", "--title", "x", "--help"],
      "`beeuni cr` is not there yet.",
      "Push the branch with `git push` and open a pull request.",
    ],
  ];
  for (const [line, message, hint] of cases) {
    const error = await parse(...line).then(() => undefined, (error) => error);
    assert.ok(error instanceof BeeuniError, line.join(" "));
    assert.deepEqual([error.code, error.message, error.hint], ["usage", message, hint]);
    assert.equal(error.exitCode, 2);
  }
});
