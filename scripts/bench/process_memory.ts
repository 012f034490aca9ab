/** Resident memory of a process in bytes: now, and at its highest since {@link resetPeak}. */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}

/** Makes the peak of a process start anew. */
export function resetPeak(pid: number): void {
  Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The processes that `pid` started, and those they started. */
export function descendants(pid: number): number[] {
  const children = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim();
  const own = [...Deno.readDirSync(`/proc/${pid}/task`)].flatMap(({ name }) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).trim().split(" ");
    } catch {
      return []; // the thread has ended
    }
  });
  const pids = [...new Set([...children.split(" "), ...own])].filter((text) => text !== "").map(Number);
  return pids.flatMap((child) => [child, ...descendants(child)]);
}
