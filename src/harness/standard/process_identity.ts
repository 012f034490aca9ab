/**
 * What tells a process from a later one with its id: when it was started, and since which boot. `undefined` when there
 * is no such process.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  return Deno.build.os === "linux" ? await fromProc(pid) : await fromPs(pid);
}

async function fromProc(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      Deno.readTextFile(`/proc/${pid}/stat`),
      Deno.readTextFile("/proc/sys/kernel/random/boot_id"),
    ]);
    // The name, in parentheses, may hold spaces and parentheses itself. Behind it the state is field 3, the start 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; it only waits for its parent.
    return fields[0] === "Z" ? undefined : `${boot.trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

async function fromPs(pid: number): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("ps", {
      args: ["-o", "lstart=", "-p", String(pid)],
      stdin: "null",
      stderr: "null",
    }).output();
    const started = new TextDecoder().decode(stdout).trim();
    return success && started !== "" ? started : undefined;
  } catch {
    return undefined;
  }
}
