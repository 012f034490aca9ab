/** One process, as `/proc` shows it. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  /** One letter; `Z` = ended and not yet collected. */
  state: string;
  /** Processor time used so far, in clock ticks (100 a second on Linux). */
  ticks: number;
  /** Resident memory in bytes. */
  rss: number;
}

/** What `/proc` says of a process; undefined when there is none with this number. */
export function processInfo(pid: number): ProcessInfo | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // The second field is the name in brackets, which may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const field = (number: number) => fields[number - 3] ?? "";
    return {
      pid,
      state: field(3),
      parent: Number(field(4)),
      ticks: Number(field(14)) + Number(field(15)),
      rss: Number(field(24)) * 4096,
    };
  } catch {
    return undefined;
  }
}

/** Whether a process runs; one that has ended and waits to be collected does not. */
export function isRunning(pid: number): boolean {
  const info = processInfo(pid);
  return info !== undefined && info.state !== "Z";
}

/** A process and everything it started, itself first; ended ones left out. */
export function processTree(pid: number): ProcessInfo[] {
  const all: ProcessInfo[] = [];
  for (const entry of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(entry.name)) continue;
    const info = processInfo(Number(entry.name));
    if (info !== undefined && info.state !== "Z") all.push(info);
  }
  const tree = all.filter((info) => info.pid === pid);
  for (const parent of tree) tree.push(...all.filter((info) => info.parent === parent.pid));
  return tree;
}

/** Resident memory of a process tree in bytes. Pages that processes share are counted once for each. */
export function treeMemory(pid: number): number {
  return processTree(pid).reduce((sum, info) => sum + info.rss, 0);
}

/**
 * How much of one processor the tree uses, 1 = a whole one, measured over `ms` milliseconds. What other programs use
 * is not in it; a process that starts or ends meanwhile is left out.
 */
export async function treeLoad(pid: number, ms = 500): Promise<number> {
  const before = new Map(processTree(pid).map((info) => [info.pid, info.ticks]));
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  let ticks = 0;
  for (const info of processTree(pid)) ticks += info.ticks - (before.get(info.pid) ?? info.ticks);
  return ticks * 10 / (performance.now() - start);
}
