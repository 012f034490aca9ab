// deno-lint-ignore-file no-console -- a script talks to the person who started it
import { parseArgs } from "node:util";
import { measureAbort } from "./bench/abort.ts";
import { measureAgentTurn } from "./bench/agent_turn.ts";
import { measureBigResult } from "./bench/big_result.ts";
import { measureToolsLs, measureValidate } from "./bench/commands.ts";
import { measureSize } from "./bench/executable_size.ts";
import { type Figure, figureTable, isReached, measured } from "./bench/figure.ts";
import { measureFirstCall } from "./bench/first_call.ts";
import { measureMemory } from "./bench/memory.ts";
import { executable, type Program } from "./program.ts";
import { measureStartToReady } from "./bench/start_to_ready.ts";
import { measureWarmCalls } from "./bench/warm_call.ts";

const MEASUREMENTS: Record<string, (program: Program) => Promise<Figure[]> | Figure[]> = {
  warm: measureWarmCalls,
  first: measureFirstCall,
  start: measureStartToReady,
  memory: measureMemory,
  big: measureBigResult,
  abort: measureAbort,
  turn: measureAgentTurn,
  ls: measureToolsLs,
  validate: measureValidate,
  size: measureSize,
};

const USAGE = `deno task bench [--bin FILE] [--json] [NAME…]

Measures the executable against the goals, each beside what it is held against, and prints a table.
  --bin    the executable; dist/beeuni (\`deno task build\`) when left out
  --json   print JSON instead of the table
  NAME     only these: ${Object.keys(MEASUREMENTS).join(", ")}`;

const { values, positionals } = parseArgs({
  options: { bin: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in MEASUREMENTS));
if (values.help || unknown.length > 0) {
  console.log(USAGE);
  Deno.exit(values.help ? 0 : 2);
}
const program = executable(values.bin);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`measuring: ${name}`);
  figures.push(...await measure(program));
}
if (values.json) {
  const rows = figures.map((figure) => ({
    ...figure,
    measured: measured(figure),
    reached: isReached(figure),
  }));
  console.log(
    JSON.stringify({ deno: Deno.version.deno, cores: navigator.hardwareConcurrency, figures: rows }, null, 2),
  );
} else {
  console.log(figureTable(figures));
}
