import { callTool, startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import { median } from "./percentile.ts";
import type { Program } from "../program.ts";
import { HELLO } from "./hello.ts";
import { benchProject, smallTools } from "./project.ts";
import { timeProcess } from "./time_process.ts";

const ROUNDS = 20;

/** Far less than an agent's model takes between two calls, in milliseconds. */
const PAUSE_MS = 100;

/**
 * The first call of a tool, its runner up: a worker, the tool's TypeScript read and compiled, and the call. Once with
 * a pause before, in which the runner makes the next worker ahead, and once without, where that one is made too.
 */
export async function measureFirstCall(program: Program): Promise<Figure[]> {
  const hellos: number[] = [];
  const paused = await firstCalls(program, async () => {
    hellos.push(await timeProcess(HELLO));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  });
  const inARow = await firstCalls(program, () => Promise.resolve());
  const peer = { what: "`deno run` hello, whole process", value: median(hellos) };
  return [
    {
      what: `first call of a tool, runner up, ${PAUSE_MS} ms after another's`,
      value: median(paused),
      unit: "ms",
      peer,
      goal: { at: "most", limit: 0.7 },
    },
    { what: "first calls of tools in a row, runner up", value: median(inARow), unit: "ms", peer },
  ];
}

/** Milliseconds of each first call. @param before Runs before each. */
async function firstCalls(program: Program, before: () => Promise<void>): Promise<number[]> {
  using project = benchProject(smallTools(ROUNDS + 1));
  await using daemon = await startDaemonProcess(program, project);
  const [first, ...tools] = Object.keys(smallTools(ROUNDS + 1));
  await callTool(daemon, first!); // starts the runner
  await timeProcess(HELLO);
  const calls: number[] = [];
  for (const tool of tools) {
    await before();
    const start = performance.now();
    await callTool(daemon, tool);
    calls.push(performance.now() - start);
  }
  return calls;
}
