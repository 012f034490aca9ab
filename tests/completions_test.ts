import assert from "node:assert/strict";
import { beeuniProgram } from "./beeuni.ts";
import { testEnvironment } from "./support/environment.ts";
import { Project } from "./support/project.ts";
import { Shell } from "./support/shell.ts";

// In a real bash, with the script that `beeuni completions bash` prints: what Tab offers.

/**
 * What bash does at Tab, without a terminal: `complete -F` names the function, COMP_* is the line so far. `compopt`
 * works only at a real Tab, and says so on stderr.
 */
const TAB = String.raw`
tab() {
  local function=$(complete -p beeuni | sed 's/.*-F \([^ ]*\) .*/\1/')
  COMP_WORDS=(beeuni "$@") COMP_CWORD=$# COMPREPLY=()
  COMP_LINE="\${COMP_WORDS[*]}" COMP_POINT=\${#COMP_LINE}
  "$function" beeuni "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
  printf '%s\n' "\${COMPREPLY[@]}"
}`.replaceAll("\\$", "$");

const ROWS: [typed: string, offered: string[]][] = [
  ["val", ["validate"]],
  ["s", ["schema", "sessions", "secrets"]],
  ["tools ''", ["ls", "call", "new", "eject", "schema", "help"]],
  ["tools call ''", ["show", "greet"]],
  ["tools eject me", ["memory"]],
  ["sessions ''", ["new", "prompt", "ls", "log", "stop", "answer", "rm", "help"]],
  ["sessions new --ha", ["--harness"]],
  ["sessions new --harness ''", ["standard", "experimental"]],
  ["sessions new --agent ''", ["writer", "reader"]],
  ["sessions answer ses_1 ''", ["once", "always", "reject"]],
  ["daemon st", ["status", "stop"]],
  ["secrets rm ''", ["A_KEY"]],
  ["completions ''", ["bash", "zsh", "fish"]],
  ["help sessions pr", ["prompt"]],
  ["--ver", ["--version"]],
];

Deno.test("bash: what Tab offers, from commands down to the project's own names", async () => {
  using project = new Project({
    files: {
      "greet.ts": "export default { description: 'd', parameters: { type: 'object' }, execute: () => '' }",
      "beeuni.yaml": "tools:\n  show: beeuni:show\n  greet: greet.ts\nagents:\n  writer: {}\n  reader: {}\n",
    },
  });
  const { program, first } = beeuniProgram();
  const words = [program, ...first].map((word) => `'${word}'`).join(" ");
  await using shell = new Shell({ logs: project.tmp, cwd: project.root, env: testEnvironment(project) });
  for (const line of [`beeuni() { ${words} "$@"; }`, "beeuni secrets set A_KEY=a-value-of-it", TAB]) {
    assert.equal((await shell.run(line)).code, 0, line);
  }
  // As the README puts it into ~/.bashrc.
  assert.equal((await shell.run('eval "$(beeuni completions bash)"')).code, 0);
  for (const [typed, offered] of ROWS) {
    const { stdout } = await shell.run(`tab ${typed}`);
    assert.deepEqual(stdout.trimEnd().split("\n"), offered, typed);
  }
});
