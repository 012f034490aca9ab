import type { Places } from "./places.ts";
import { isInsideAny } from "./path_inside.ts";
import type { ToolRights } from "./tool_rights.ts";
import { withoutDenied } from "./denied_addresses.ts";

/** What a runner process may do: no more than its tools need together (specification 2.3). Absolute paths. */
export interface RunnerRights {
  read: string[];
  write: string[];
  net: true | string[];
  run: string[];
  sys: string[];
}

/** Which rights a worker gives up, and its lists, as the protocol's worker frame carries them. */
export interface WorkerRights {
  revoke: { read: string[]; write: string[] };
  net: boolean | string[];
  run: string[] | false;
  sys: string[] | false;
}

/**
 * The rights of a process that hosts these tools.
 *
 * The spill folder is read and written by the runner itself; every worker but `show`'s gives it up.
 */
export function runnerRights(tools: readonly ToolRights[], places: Places): RunnerRights {
  const union = (pick: (tool: ToolRights) => readonly string[]) => [...new Set(tools.flatMap(pick))].sort();
  return {
    read: [...new Set([...union((tool) => tool.read), places.engine, places.spillRoot])],
    write: [...new Set([...union((tool) => tool.write), places.spillRoot])],
    net: tools.some((tool) => tool.net === true) ? true : union((tool) => tool.net === true ? [] : tool.net),
    run: union((tool) => tool.run),
    sys: union((tool) => tool.sys),
  };
}

/** The rights of the process that loads modules: it may not write and not start programs (specification 2.2). */
export function loadRunnerRights(tools: readonly ToolRights[], places: Places): RunnerRights {
  const all = runnerRights(tools, places);
  return { ...all, read: all.read.filter((path) => path !== places.spillRoot), write: [], run: [] };
}

/**
 * What one tool's worker gets in a process with `process` rights (its path lists as they were granted).
 *
 * Deno drops, with a revoked path, every grant that contains it. So a root inside one the tool keeps is not revoked,
 * and a root the tool keeps inside a revoked one survives because it stands in the process's list by itself.
 *
 * @param socket Path of the runner's socket, which no worker may touch.
 */
export function workerRights(
  tool: ToolRights,
  process: Pick<RunnerRights, "read" | "write" | "run" | "sys">,
  denied: readonly string[],
  socket: string,
): WorkerRights {
  const lost = (all: readonly string[], kept: readonly string[]) => [
    ...all.filter((root) => !isInsideAny(root, kept)),
    socket,
  ];
  const among = (list: readonly string[], all: readonly string[]) => {
    const usable = list.filter((name) => all.includes(name));
    return usable.length === 0 ? false : usable;
  };
  return {
    revoke: { read: lost(process.read, tool.read), write: lost(process.write, tool.write) },
    net: tool.net === true ? true : withoutDenied(tool.net, denied),
    run: among(tool.run, process.run),
    sys: among(tool.sys, process.sys),
  };
}
