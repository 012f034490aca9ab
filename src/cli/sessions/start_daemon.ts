import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type DaemonClient, findDaemon } from "../../daemon/client.ts";
import { readDaemonFile } from "../../daemon/daemon_file.ts";
import { isDaemonRunning } from "../../daemon/daemon_lock.ts";
import { prepareStateFolder } from "../../daemon/state_folder.ts";
import { findEngine } from "../../engine/engine.ts";
import { type ProgramCommand, programCommand } from "../../engine/program_command.ts";
import { BeeuniError } from "../../errors/error.ts";
import { type DaemonLog, openDaemonLog, startFailure } from "./daemon_log.ts";

/** A daemon that was started by a command ends when it had nothing to do for this long. */
const IDLE_TIMEOUT = "30m";

/** How long a daemon may take until it answers, in milliseconds. */
const START_MS = 60_000;
const POLL_MS = 25;

/** Options of {@link ensureDaemon}. */
export interface EnsureDaemonOptions {
  /** Absolute path of the project root. */
  root: string;
  /** Absolute path of the project's state directory; it need not exist. */
  stateDir: string;
  /** Gives up waiting; the promise rejects with its reason. A daemon that was started goes on. */
  signal?: AbortSignal;
  /** Told once, when a daemon has to be started. */
  onStart?: () => void;
  /** How beeuni is started; default this very program. */
  program?: ProgramCommand;
  /** Milliseconds until it must answer; default a minute. */
  withinMs?: number;
}

/**
 * The project's daemon; one is started when none runs (specification 4.4).
 *
 * It outlives this process and its terminal: a session of its own, no stream inherited, what it says in `daemon.log` in
 * the state directory. Two commands at once start one.
 *
 * @throws {BeeuniError} `daemon_not_running` with the daemon's own reason, `unwritable`.
 */
export async function ensureDaemon(options: EnsureDaemonOptions): Promise<DaemonClient> {
  const { stateDir, signal } = options;
  const running = await findDaemon(stateDir);
  if (running !== undefined && await answers(running, signal)) return running;
  await prepareStateFolder(stateDir);
  const deadline = Date.now() + (options.withinMs ?? START_MS);
  using _only = await startLock(stateDir, deadline, signal);
  // Somebody else may have started it while we waited for our turn.
  const meanwhile = await findDaemon(stateDir);
  if (meanwhile !== undefined && await answers(meanwhile, signal)) return meanwhile;
  options.onStart?.();
  // A killed daemon leaves its file behind, and its port may be another program's by now.
  const stale = await isDaemonRunning(stateDir) ? undefined : await readDaemonFile(stateDir);
  const isNew = async () => {
    const info = await readDaemonFile(stateDir);
    return info !== undefined && (info.pid !== stale?.pid || info.url !== stale.url);
  };
  const log = await openDaemonLog(stateDir);
  const child = spawn(options, log);
  let ended = false;
  const status = child.status.then(() => ended = true);
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    // Asked for before the daemon is looked for: one that ended because another one runs is no failure.
    const hasEnded = ended;
    // Whether its lock is held is only asked for when its file is there: to ask is to take the lock for a moment, and
    // the daemon that starts would find it taken.
    const found = await isNew() ? await findDaemon(stateDir) : undefined;
    if (found !== undefined && await answers(found, signal)) return found;
    if (hasEnded && !await isDaemonRunning(stateDir)) throw await notStarted(log, "it ended at once");
    await Promise.race([delay(POLL_MS), hasEnded ? delay(POLL_MS) : status]);
  }
  throw await notStarted(log, "it does not answer");
}

/** Lets one command at a time start a daemon; the lock goes with the process. */
async function startLock(
  stateDir: string,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<Disposable> {
  const path = join(stateDir, "daemon-start.lock");
  const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  while (!await file.tryLock(true)) {
    if (Date.now() >= deadline || signal?.aborted) {
      file.close();
      signal?.throwIfAborted();
      throw new BeeuniError(
        "daemon_not_running",
        "another command has been starting the daemon for too long.",
        {
          hint: "Start one with `beeuni daemon` and look at what it says.",
        },
      );
    }
    await delay(POLL_MS);
  }
  return file;
}

async function answers(daemon: DaemonClient, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await daemon.request("GET", "/beeuni/health", { withinMs: 5_000, ...(signal && { signal }) });
    return true;
  } catch (error) {
    if (signal?.aborted) throw error;
    return false;
  }
}

function spawn({ root, stateDir, program }: EnsureDaemonOptions, log: DaemonLog): Deno.ChildProcess {
  const { program: file, first, env } = program ?? programCommand(findEngine(), (name) => Deno.env.get(name));
  // The shell opens the log: Deno gives a child no file of ours as its stdout.
  const script = 'log=$1; shift; exec "$@" </dev/null >>"$log" 2>&1';
  const child = new Deno.Command("/bin/sh", {
    args: [
      "-c",
      script,
      "sh",
      log.path,
      file,
      ...first,
      "daemon",
      "--project",
      root,
      "--idle-timeout",
      IDLE_TIMEOUT,
    ],
    // Ours may be removed while the daemon runs.
    cwd: root,
    env: {
      ...env,
      ...absolutePaths(),
      ...(Deno.env.get("BEEUNI_STATE_DIR") && { BEEUNI_STATE_DIR: stateDir }),
    },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  child.unref();
  return child;
}

/** Variables that name a file from where we are. */
function absolutePaths(): Record<string, string> {
  const path = Deno.env.get("BEEUNI_OPENCODE");
  return path?.includes("/") ? { BEEUNI_OPENCODE: resolve(path) } : {};
}

async function notStarted(log: DaemonLog, otherwise: string): Promise<BeeuniError> {
  const failure = await startFailure(log);
  const reason = failure?.message ?? `${otherwise}.`;
  return new BeeuniError("daemon_not_running", `the daemon did not start: ${reason}`, {
    hint: failure?.hint ?? `Look into ${log.path}.`,
  });
}
