import { callTool, startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import { median } from "./percentile.ts";
import type { Program } from "../program.ts";
import { HELLO } from "./hello.ts";
import { benchProject, smallTools } from "./project.ts";
import { timeProcess } from "./time_process.ts";

const ROUNDS = 20;

/** The first call of a tool, its runner up: a new worker, its TypeScript read and compiled, and the call. */
export async function measureFirstCall(program: Program): Promise<Figure[]> {
  using project = benchProject(smallTools(ROUNDS + 1));
  await using daemon = await startDaemonProcess(program, project);
  const [first, ...tools] = Object.keys(smallTools(ROUNDS + 1));
  await callTool(daemon, first!); // starts the runner
  await timeProcess(HELLO);
  const calls: number[] = [], hellos: number[] = [];
  for (const tool of tools) {
    const start = performance.now();
    await callTool(daemon, tool);
    calls.push(performance.now() - start);
    hellos.push(await timeProcess(HELLO));
  }
  return [{
    what: "first call of a tool, runner up",
    value: median(calls),
    unit: "ms",
    peer: { what: "`deno run` hello, whole process", value: median(hellos) },
    goal: { at: "most", limit: 0.7 },
  }];
}
