// deno-lint-ignore-file no-console -- a script talks to the person who started it
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CURVES } from "./bench/curves.ts";
import { linePlot } from "./bench/line_plot.ts";
import { executable } from "./program.ts";

const USAGE = `deno task curves [--bin FILE] [--output FOLDER] [NAME…]

Measures how the executable's figures grow and draws them: one SVG each, and all points in curves.json.
  --bin      the executable; dist/beeuni (\`deno task build\`) when left out
  --output   docs/curves when left out
  NAME       only these: ${Object.keys(CURVES).join(", ")}`;

const { values, positionals } = parseArgs({
  options: {
    bin: { type: "string" },
    output: { type: "string", default: join(import.meta.dirname!, "../docs/curves") },
    help: { type: "boolean" },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in CURVES));
if (values.help || unknown.length > 0) {
  console.log(USAGE);
  Deno.exit(values.help ? 0 : 2);
}
const program = executable(values.bin);
await Deno.mkdir(values.output, { recursive: true });
const record = join(values.output, "curves.json");
const points: Record<string, unknown> = JSON.parse(await Deno.readTextFile(record).catch(() => "{}"));
for (const [name, measure] of Object.entries(CURVES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`measuring: ${name}`);
  const { file, ...plot } = await measure(program);
  await Deno.writeTextFile(join(values.output, file), linePlot(plot));
  points[name] = plot;
  for (const { name, points } of plot.lines) console.log(`${plot.title}, ${name}: ${JSON.stringify(points)}`);
}
await Deno.writeTextFile(record, `${JSON.stringify(points, null, 2)}\n`);
