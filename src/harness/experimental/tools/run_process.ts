import { longTimeout } from "../../../host/long_timeout.ts";

/** Between the polite signal and the one that can't be refused, in milliseconds. */
const GRACE_MS = 200;

/**
 * How long output may stay away, and how long it is taken at all, once the command is over: what its pipes still hold comes
 * at once, and only a process that left the group holds them open. In milliseconds.
 */
const DRAIN_SILENCE_MS = 300;
const DRAIN_MS = 10_000;

/** A program to run in a process group of its own. */
export interface ProcessOptions {
  /** Programs to try, in this order: the first that is there is run. */
  programs: readonly string[];
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Wall time in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Takes stdout and stderr as they come, one piece at a time; false ends the command. */
  onOutput: (chunk: Uint8Array, stream: "stdout" | "stderr") => Promise<boolean>;
}

/** How a program ended. */
export interface ProcessEnd {
  /** `exit`: by itself. `flooded`: `onOutput` had enough. */
  by: "exit" | "timeout" | "abort" | "flooded";
  /** Exit code; over 128 for a signal, as a shell says it. */
  code: number;
  /** The signal that ended it. */
  signal?: string;
}

/**
 * Runs a program with its stdin closed, and leaves nothing of its process group behind: not when it is aborted, not when
 * its time is over, and not when it ends by itself while something it started goes on and holds its output open.
 *
 * A process that has made itself a session of its own (`setsid`) is not in the group: it goes on, and the call does not
 * wait for it.
 *
 * @throws {Error} When none of the programs can be started.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { signal, timeoutMs, onOutput } = options;
  if (signal.aborted) return { by: "abort", code: 130 };
  const child = start(options);
  let by: ProcessEnd["by"] = "exit";
  const end = (why: ProcessEnd["by"]) => {
    if (by !== "exit") return;
    by = why;
    void endGroup(child.pid, child.status);
  };
  const onAbort = () => end("abort");
  signal.addEventListener("abort", onAbort, { once: true });
  const cancelTimeout = longTimeout(() => end("timeout"), timeoutMs);
  const readers = (["stdout", "stderr"] as const).map((name) => ({ name, reader: child[name].getReader() }));
  let turn: Promise<unknown> = Promise.resolve();
  let pieces = 0;
  const read = async ({ name, reader }: typeof readers[number]) => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      pieces++;
      if (by === "flooded") continue;
      // One piece at a time, whichever stream it is of: what takes them may write to a file.
      const taken = turn.then(() => onOutput(value, name));
      turn = taken;
      if (!await taken) end("flooded");
    }
  };
  const output = Promise.all(readers.map(read));
  output.catch(() => end("flooded"));
  try {
    const status = await child.status;
    killGroup(child.pid, "SIGKILL");
    await drained(output, () => pieces);
    return { by, code: status.code, ...(status.signal === null ? {} : { signal: status.signal }) };
  } finally {
    cancelTimeout();
    signal.removeEventListener("abort", onAbort);
    for (const { reader } of readers) void reader.cancel().catch(() => {});
  }
}

/** Waits for the end of the output, as long as more of it comes. */
async function drained(output: Promise<unknown>, pieces: () => number): Promise<void> {
  let over = false;
  const ended = output.then(() => over = true, () => over = true);
  for (let waited = 0; !over && waited < DRAIN_MS; waited += DRAIN_SILENCE_MS) {
    const before = pieces();
    const late = Promise.withResolvers<void>();
    const cancel = longTimeout(late.resolve, DRAIN_SILENCE_MS);
    await Promise.race([ended, late.promise]);
    cancel();
    if (pieces() === before) return;
  }
}

function start({ programs, args, cwd, env }: ProcessOptions): Deno.ChildProcess {
  let failure: unknown;
  for (const program of programs) {
    try {
      return new Deno.Command(program, {
        args: [...args],
        cwd,
        env: { ...env },
        clearEnv: true,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
        // A process group of its own, so that all it starts can be ended with it.
        detached: true,
      }).spawn();
    } catch (error) {
      failure = error;
      if (!(error instanceof Deno.errors.NotFound)) break;
    }
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  throw new Error(`${programs.join(" or ")} could not be started: ${message}`, { cause: failure });
}

/** Asks the group to end, and makes it end soon after. */
async function endGroup(pid: number, status: Promise<unknown>): Promise<void> {
  killGroup(pid, "SIGTERM");
  const late = Promise.withResolvers<void>();
  const cancel = longTimeout(late.resolve, GRACE_MS);
  await Promise.race([status, late.promise]);
  cancel();
  killGroup(pid, "SIGKILL");
}

function killGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
