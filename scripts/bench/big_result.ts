import { join } from "node:path";
import { callTool, startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import { median } from "./percentile.ts";
import { resetPeak, residentMemory } from "./process_memory.ts";
import type { Program } from "../program.ts";
import { benchProject, toolModule } from "./project.ts";

const ROUNDS = 5;
const BYTES = 100_000_000;

/** A result of 100 MB, which the runner writes to a file, against writing as much; and what the daemon grows by. */
export async function measureBigResult(program: Program): Promise<Figure[]> {
  const body = `return 'order;shipped\\n'.repeat(${Math.ceil(BYTES / 14)}).slice(0, ${BYTES})`;
  using project = benchProject({ big: toolModule(body), small: toolModule("return 1") });
  await using daemon = await startDaemonProcess(program, project);
  await callTool(daemon, "small");
  const bytes = new Uint8Array(BYTES).fill(0x61);
  const calls: number[] = [], writes: number[] = [], growths: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    resetPeak(daemon.pid);
    const before = residentMemory(daemon.pid).now;
    let start = performance.now();
    const { file } = await callTool(daemon, "big");
    const call = performance.now() - start;
    const growth = residentMemory(daemon.pid).peak - before;
    if (typeof file !== "string" || Deno.statSync(file).size !== BYTES) {
      throw new Error("the result was not written");
    }
    Deno.removeSync(file);

    const other = join(project.tmp, "plain.txt");
    start = performance.now();
    Deno.writeFileSync(other, bytes);
    const write = performance.now() - start;
    Deno.removeSync(other);
    if (round === 0) continue;
    calls.push(call), writes.push(write), growths.push(growth);
  }
  return [
    {
      what: "a result of 100 MB",
      value: median(calls),
      unit: "ms",
      peer: { what: "`Deno.writeFileSync` of 100 MB", value: median(writes) },
      goal: { at: "most", limit: 3 },
    },
    {
      what: "what the daemon grows by meanwhile",
      value: median(growths) / 1e6,
      unit: "MB",
      goal: { at: "most", limit: 16 },
    },
  ];
}
