import { processIdentity } from "./process_identity.ts";

/** How long a process gets to end by itself before it is killed, and then to be gone, in milliseconds. */
const GRACE_MS = 3_000;

interface Recorded {
  pid: number;
  identity: string;
}

/** Writes down which process was started, so that a later daemon can end it if this one can't. */
export async function recordProcess(file: string, pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === undefined) return;
  await Deno.writeTextFile(file, JSON.stringify({ pid, identity } satisfies Recorded), { mode: 0o600 });
}

/**
 * Ends the process that was written down, if it is still that one: its id and its start, never its name.
 *
 * @returns Its id when there was one to end.
 */
export async function endRecordedProcess(file: string): Promise<number | undefined> {
  const recorded = await read(file);
  if (recorded === undefined) return undefined;
  const { pid, identity } = recorded;
  const lives = async () => await processIdentity(pid) === identity;
  const was = await lives();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!await lives()) break;
    try {
      Deno.kill(pid, signal);
    } catch {
      break; // It ended meanwhile.
    }
    for (let waited = 0; waited < GRACE_MS && await lives(); waited += 25) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  await Deno.remove(file).catch(() => {});
  return was ? pid : undefined;
}

async function read(file: string): Promise<Recorded | undefined> {
  try {
    const { pid, identity } = JSON.parse(await Deno.readTextFile(file)) as Partial<Recorded>;
    return typeof pid === "number" && Number.isInteger(pid) && pid > 1 && typeof identity === "string"
      ? { pid, identity }
      : undefined;
  } catch {
    return undefined;
  }
}
