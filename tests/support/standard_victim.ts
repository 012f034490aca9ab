// Runs the standard harness until it is killed: what becomes of its OpenCode is what the test looks at.
import { StandardBench } from "./standard_bench.ts";

const bench = await StandardBench.start({ folder: Deno.args[0]! });
await bench.turn(bench.session(), [{ text: "hello" }]);
await Deno.stdout.write(new TextEncoder().encode(`${await bench.pid()}\n`));
await new Promise((resolve) => setTimeout(resolve, 10 * 60_000));
