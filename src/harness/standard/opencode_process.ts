import { join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import { withinMs } from "../../host/within_ms.ts";
import { keepLog } from "./bounded_log.ts";
import { endRecordedProcess, recordProcess } from "./process_record.ts";
import type { Logger } from "../../log/logger.ts";

/** Longest wait until it listens, in milliseconds: on a busy machine it takes ten seconds and more. */
const START_MS = 60_000;

/** What it gets to end by itself, in milliseconds. */
const END_MS = 3_000;

/** The line it writes when it listens; a request before it may never be answered (specification 4.1). */
const LISTENS = /opencode server listening on (http:\/\/\S+)/;

/** Options of {@link OpenCodeProcess.start}. */
export interface OpenCodeStart {
  /** Absolute path of the program. */
  program: string;
  /** The checkout. */
  root: string;
  /** Folder of the state directory for its home, its log and who it is; the user's alone. */
  folder: string;
  /** All of its environment but the password. */
  env: Readonly<Record<string, string>>;
  /** Password of its server. */
  password: string;
  logger: Logger;
  signal?: AbortSignal;
}

/** How a process ended. */
export interface ProcessEnd {
  code: number;
  signal: string | null;
}

/**
 * One `opencode serve` on the checkout.
 *
 * It ends with the daemon, also when that is killed: its stdin is a pipe that the daemon holds, and the plugin ends it
 * when that closes. One that was left over all the same is ended before the next is started: never two on one folder.
 */
export class OpenCodeProcess implements AsyncDisposable {
  readonly pid: number;
  /** Address of its server, without a final `/`. */
  readonly url: string;
  /** Settles when it has ended. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: Deno.ChildProcess;
  readonly #logs: Promise<void>;
  readonly #record: string;
  #disposed: Promise<void> | undefined;

  private constructor(child: Deno.ChildProcess, url: string, logs: Promise<void>, record: string) {
    this.#child = child;
    this.pid = child.pid;
    this.url = url;
    this.#logs = logs;
    this.#record = record;
    this.ended = child.status.then(({ code, signal }) => ({ code, signal }));
  }

  /** Starts it and waits until it listens. @throws {BeeuniError} `harness_failed`, `harness_missing`. */
  static async start(options: OpenCodeStart): Promise<OpenCodeProcess> {
    const { program, root, folder, env, password, logger } = options;
    const record = join(folder, "process.json");
    const log = join(folder, "opencode.log");
    const orphan = await endRecordedProcess(record);
    if (orphan !== undefined) logger.warn("an OpenCode of an earlier daemon was ended", { pid: orphan });
    const child = spawn(program, root, { ...env, OPENCODE_SERVER_PASSWORD: password });
    const listens = Promise.withResolvers<string>();
    let said = "";
    const onText = (text: string) => {
      if (said.length > 64 * 1024) return;
      said += text;
      const url = LISTENS.exec(said)?.[1];
      if (url !== undefined) listens.resolve(url.replace(/\/$/, ""));
    };
    const logs = Promise.all([keepLog(child.stdout, `${log}.out`, onText), keepLog(child.stderr, log)]).then(
      () => {},
    );
    const failed = (why: string) =>
      new BeeuniError("harness_failed", `OpenCode could not be started: ${why}`, {
        hint: `its log is ${log}`,
      });
    child.status.then(({ code }) => listens.reject(failed(`it ended with exit code ${code}`)));
    listens.promise.catch(() => {});
    const late = setTimeout(
      () => listens.reject(failed(`it did not listen within ${START_MS / 1000} s`)),
      START_MS,
    );
    const stop = () => listens.reject(new BeeuniError("aborted", "the turn was stopped"));
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      await recordProcess(record, child.pid);
      if (options.signal?.aborted) stop();
      return new OpenCodeProcess(child, await listens.promise, logs, record);
    } catch (error) {
      await end(child);
      await withinMs(END_MS, logs);
      throw error;
    } finally {
      clearTimeout(late);
      options.signal?.removeEventListener("abort", stop);
    }
  }

  /** Ends it: SIGTERM, then SIGKILL. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposed ??= this.#dispose();
  }

  async #dispose(): Promise<void> {
    await end(this.#child);
    await withinMs(END_MS, this.#logs);
    await Deno.remove(this.#record).catch(() => {});
  }
}

function spawn(program: string, cwd: string, env: Record<string, string>): Deno.ChildProcess {
  try {
    return new Deno.Command(program, {
      args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
      cwd,
      clearEnv: true,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (cause) {
    throw new BeeuniError("harness_missing", `OpenCode could not be started: ${program} can't be run`, {
      hint: "install it anew, or name another program in BEEUNI_OPENCODE",
      cause,
    });
  }
}

async function end(child: Deno.ChildProcess): Promise<void> {
  const ended = child.status.then(() => {});
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      child.kill(signal);
    } catch {
      break; // It has ended.
    }
    let gone = false;
    await withinMs(END_MS, ended.then(() => void (gone = true)));
    if (gone) break;
  }
  await ended;
  await child.stdin.close().catch(() => {});
}
