import assert from "node:assert/strict";
import type { Command } from "commander";
import { createOutput } from "../output.ts";
import { createProgram } from "../program.ts";
import { help } from "./help.ts";

/** What `beeuni help <words>` prints. */
function printed(...words: string[]): string {
  let text = "";
  const program = () => {
    const root = createProgram(() => Promise.resolve());
    const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
    for (const command of all(root)) command.configureOutput({ writeOut: (part) => text += part });
    return root;
  };
  assert.equal(help({ command: words }, { output: createOutput(), program }), 0);
  return text;
}

Deno.test("help knows commands at any depth, also by their other names", () => {
  assert.match(printed(), /^Usage: beeuni \[options\] \[command\]$/m);
  assert.match(printed("tools"), /^Usage: beeuni tools /m);
  assert.match(
    printed("tools", "call"),
    /^Usage: beeuni tools call .*\n[^]*^ {2}--args <json> [^]*^Example:$/m,
  );
  assert.equal(printed("tools", "list"), printed("tools", "ls"));
});

Deno.test("help of what is no command is wrong use, with the nearest known one", () => {
  const cases: [string[], string, string][] = [
    [["tool"], "unknown command 'tool'.", "Did you mean tools?"],
    [["tools", "cal"], "unknown command 'cal'.", "Did you mean call?"],
    [["version", "x"], "unknown command 'x'.", "See `beeuni version --help`."],
    [["secrets", "TOKEN=hunter2"], "unknown command.", "See `beeuni secrets --help`."],
  ];
  for (const [words, message, hint] of cases) {
    assert.throws(() => printed(...words), { code: "usage", message, hint, exitCode: 2 });
  }
});
