import { startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import { median } from "./percentile.ts";
import type { Program } from "../program.ts";
import { HELLO } from "./hello.ts";
import { benchProject, smallTools } from "./project.ts";
import { timeProcess } from "./time_process.ts";

const ROUNDS = 5;

/** From the start of the daemon's process to `ready`: 10 tools, 50, and 50 with nothing changed since last time. */
export async function measureStartToReady(program: Program): Promise<Figure[]> {
  const times = {
    ten: [] as number[],
    fifty: [] as number[],
    unchanged: [] as number[],
    hello: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round++) {
    times.hello.push(await timeProcess(HELLO));
    using few = benchProject(smallTools(10));
    times.ten.push(await readyMs(program, few));
    using many = benchProject(smallTools(50));
    times.fifty.push(await readyMs(program, many));
    times.unchanged.push(await readyMs(program, many));
  }
  const peer = { what: "`deno run` hello, whole process", value: median(times.hello) };
  const row = (what: string, samples: number[], limit: number): Figure => {
    return { what, value: median(samples), unit: "ms", peer, goal: { at: "most", limit } };
  };
  return [
    row("start to `ready`, 10 project tools", times.ten, 8),
    row("start to `ready`, 50 project tools", times.fifty, 30),
    row("start to `ready`, 50 unchanged", times.unchanged, 4),
  ];
}

async function readyMs(program: Program, project: Parameters<typeof startDaemonProcess>[1]): Promise<number> {
  await using daemon = await startDaemonProcess(program, project);
  return daemon.readyMs;
}
