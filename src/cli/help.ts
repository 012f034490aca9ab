import type { Command } from "commander";
import { createOutput } from "./output.ts";

/**
 * How the program prints help: without colour, in the width of the terminal, help on stdout. Errors are not printed
 * here but thrown.
 *
 * Everything that commander would ask `process` for is given to it, because loading `node:process` takes half as long
 * as a whole `beeuni tools ls`.
 */
export function writeHelp(program: Command): void {
  const output = createOutput();
  program.configureOutput({
    writeOut: (text) => output.write(text),
    writeErr: (text) => output.note(text.replace(/\n$/, "")),
    outputError: () => {},
    getOutHelpWidth: () => width(Deno.stdout),
    getErrHelpWidth: () => width(Deno.stderr),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
    stripColor: (text) => text,
  });
}

function width(stream: { isTerminal(): boolean }): number {
  return stream.isTerminal() ? Deno.consoleSize().columns : 80;
}
