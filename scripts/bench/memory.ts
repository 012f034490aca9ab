import { callTool, startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import { opencodeAtRest } from "./opencode_peer.ts";
import { descendants, residentMemory } from "./process_memory.ts";
import type { Program } from "../program.ts";
import { benchProject, smallTools } from "./project.ts";

const WORKERS = 20;
/** An idle tool's worker ends after 60 s (specification 2.3). */
const IDLE_MS = 75_000;
const MB = 1e6;

/** Memory of an idle worker, what is left of it after a minute, and the whole at rest against OpenCode's server. */
export async function measureMemory(program: Program): Promise<Figure[]> {
  using project = benchProject(smallTools(WORKERS + 1));
  await using daemon = await startDaemonProcess(program, project);
  const [first, ...tools] = Object.keys(smallTools(WORKERS + 1));
  await callTool(daemon, first!);
  await settled();
  const runner = descendants(daemon.pid)[0];
  if (runner === undefined) throw new Error("the daemon has no runner");
  const one = residentMemory(runner).now;
  const atRest = one + residentMemory(daemon.pid).now;
  for (const tool of tools) await callTool(daemon, tool);
  await settled();
  const many = residentMemory(runner).now;

  await new Promise((done) => setTimeout(done, IDLE_MS));
  const left = descendants(daemon.pid).length;

  const opencode = await opencodeAtRest();
  return [
    {
      what: "memory of an idle tool worker",
      value: (many - one) / WORKERS / MB,
      unit: "MB",
      goal: { at: "most", limit: 8 },
    },
    {
      what: "processes left for idle tools after 75 s",
      value: left,
      unit: "processes",
      goal: { at: "most", limit: 0 },
    },
    {
      what: "daemon and runner at rest, resident",
      value: atRest / MB,
      unit: "MB",
      peer: { what: `opencode serve ${opencode.version}`, value: opencode.bytes / MB },
      goal: { at: "most", limit: 0.35 },
    },
  ];
}

/** Lets what a call left behind be cleaned up. */
function settled(): Promise<void> {
  return new Promise((done) => setTimeout(done, 3000));
}
