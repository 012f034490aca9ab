import { callTool, startDaemonProcess } from "../daemon_process.ts";
import type { Program } from "../program.ts";
import type { Plot } from "./line_plot.ts";
import { median } from "./percentile.ts";
import { descendants, residentMemory } from "./process_memory.ts";
import { benchProject, smallTools, toolModule } from "./project.ts";
import { postRequest, runLoad } from "./run_load.ts";

/** A plot and the name of its file. */
export interface Curve extends Plot {
  file: string;
}

const CLIENTS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const CALLS = 12_000;
/** Bytes; a body may have 8 MiB. */
const ARGUMENT_SIZES = [100, 1e3, 1e4, 1e5, 1e6, 8e6];
const OUTPUT_SIZES = [100, 1e3, 1e4, 1e5, 1e6, 8e6, 64e6];
const TOOLS = [1, 5, 20, 100, 500];
const ROUNDS = 5;
const MB = 1e6;

/** How the figures grow with what they depend on: each should be flat or straight. */
export const CURVES: Record<string, (program: Program) => Promise<Curve>> = {
  clients: callsByClients,
  sizes: latencyBySize,
  memory: memoryByTools,
  load: loadTimeByTools,
};

async function callsByClients(program: Program): Promise<Curve> {
  using project = benchProject({ echo: toolModule("return args.text") });
  await using daemon = await startDaemonProcess(program, project);
  const requests = [
    postRequest("/beeuni/tools/echo", { authorization: `Bearer ${daemon.key}` }, {
      args: { text: "shipped" },
    }),
  ];
  const points: [number, number][] = [];
  for (const clients of CLIENTS) {
    const load = { port: daemon.port, requests, expect: "shipped", clients, count: CALLS };
    const rates = [];
    for (let round = 0; round < 3; round++) rates.push((await runLoad("sockets", load)).rate);
    points.push([clients, median(rates)]);
  }
  return {
    file: "calls_by_clients.svg",
    title: "Warm calls per second",
    x: "connections, each with one call in flight",
    y: "calls per second",
    lines: [{ name: "beeuni daemon", points }],
  };
}

async function latencyBySize(program: Program): Promise<Curve> {
  using project = benchProject({
    takes: toolModule("return String((args.text ?? '').length)"),
    gives: toolModule("return 'x'.repeat(79).concat('\\n').repeat(Math.ceil(Number(args.text) / 80))"),
  });
  await using daemon = await startDaemonProcess(program, project);
  async function time(tool: string, text: string): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const start = performance.now();
      const { file } = await callTool(daemon, tool, { args: { text } });
      if (round > 0) times.push(performance.now() - start);
      if (typeof file === "string") Deno.removeSync(file);
    }
    return median(times);
  }
  const taken: [number, number][] = [];
  const given: [number, number][] = [];
  for (const size of ARGUMENT_SIZES) taken.push([size, await time("takes", "x".repeat(size))]);
  for (const size of OUTPUT_SIZES) given.push([size, await time("gives", String(size))]);
  return {
    file: "latency_by_size.svg",
    title: "Time of a warm call",
    x: "bytes",
    y: "milliseconds",
    lines: [{ name: "by size of the argument", points: taken }, {
      name: "by size of the output",
      points: given,
    }],
  };
}

async function memoryByTools(program: Program): Promise<Curve> {
  const declared: [number, number][] = [];
  const called: [number, number][] = [];
  for (const count of TOOLS) {
    using project = benchProject(smallTools(count));
    // The first start loads; what lasts is seen at the second.
    await (await startDaemonProcess(program, project)).stop();
    await using daemon = await startDaemonProcess(program, project);
    declared.push([count, residentMemory(daemon.pid).now / MB]);
    // As many as a machine of this size has room for.
    if (count > 100) continue;
    for (const tool of Object.keys(smallTools(count))) await callTool(daemon, tool);
    const pids = [daemon.pid, ...descendants(daemon.pid)];
    called.push([count, pids.reduce((sum, pid) => sum + residentMemory(pid).now, 0) / MB]);
  }
  return {
    file: "memory_by_tools.svg",
    title: "Resident memory",
    x: "tools",
    y: "MB",
    lines: [{ name: "daemon, tools loaded", points: declared }, {
      name: "with its runner, all called",
      points: called,
    }],
  };
}

async function loadTimeByTools(program: Program): Promise<Curve> {
  const fresh: [number, number][] = [];
  const unchanged: [number, number][] = [];
  for (const count of TOOLS) {
    const times = { fresh: [] as number[], unchanged: [] as number[] };
    for (let round = 0; round < (count > 100 ? 1 : 3); round++) {
      using project = benchProject(smallTools(count));
      for (const kind of ["fresh", "unchanged"] as const) {
        await using daemon = await startDaemonProcess(program, project);
        times[kind].push(daemon.readyMs);
      }
    }
    fresh.push([count, median(times.fresh)]);
    unchanged.push([count, median(times.unchanged)]);
  }
  return {
    file: "load_by_tools.svg",
    title: "From the start to `ready`",
    x: "tools",
    y: "milliseconds",
    lines: [{ name: "all new", points: fresh }, { name: "nothing changed", points: unchanged }],
  };
}
