import assert from "node:assert/strict";
import tab from "@bomb.sh/tab/commander";
import { AFTER_BASH_SCRIPT, BEFORE_BASH_SCRIPT } from "./bash_completions.ts";
import { OWN_COMMAND } from "./commands/completions.ts";
import { createProgram } from "./program.ts";

/** Stands for the program and for what bash has only while a key is pressed. */
const STAND_INS = String.raw`
beeuni() { printf '%s\t\n' tools validate "asked:$*"; echo :4; }
compopt() { :; }
COMP_WORDS=(beeuni "$WORD") COMP_CWORD=1
`;
const ASK = `
$(complete -p beeuni | sed 's/.*-F \\([^ ]*\\) .*/\\1/') beeuni
echo "\${COMPREPLY[*]}"
declare -F _get_comp_words_by_ref || echo 'none is left'
`;

Deno.test("bash completions work without the bash-completion package, also when they are read twice", () => {
  const script = bashScript();
  const { stdout, stderr } = bash(script + script + STAND_INS + ASK, { WORD: "to" });
  assert.deepEqual([stdout, stderr], ["tools\nnone is left\n", ""]);
});

Deno.test("bash completions use the bash-completion package where it is", () => {
  const own = "_get_comp_words_by_ref() { cur=va prev=beeuni words=(beeuni va) cword=1; }\n";
  const { stdout, stderr } = bash(own + bashScript() + STAND_INS + ASK, { WORD: "to" });
  assert.deepEqual([stdout, stderr], ["validate\n_get_comp_words_by_ref\n", ""]);
});

/** The whole script; the library prints its part by itself. */
function bashScript(): string {
  const program = createProgram(() => Promise.resolve());
  let printed = "";
  const { log } = globalThis.console;
  globalThis.console.log = (text: string) => printed += `${text}\n`;
  try {
    tab(program, OWN_COMMAND).setup("beeuni", "beeuni", "bash");
  } finally {
    globalThis.console.log = log;
  }
  return BEFORE_BASH_SCRIPT + printed + AFTER_BASH_SCRIPT;
}

function bash(script: string, env: Record<string, string>): { stdout: string; stderr: string } {
  const { stdout, stderr } = new Deno.Command("bash", { args: ["--norc", "-c", script], env }).outputSync();
  const decoder = new TextDecoder();
  return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
