import { join } from "node:path";
import type { Program } from "./program.ts";

/** Where a daemon runs. */
export interface DaemonPlace {
  /** The project. */
  root: string;
  /** For `BEEUNI_STATE_DIR`. */
  state: string;
  /** For `TMPDIR`. */
  tmp: string;
  /** More environment variables. */
  env?: Record<string, string>;
}

/** A real daemon on a project. */
export interface DaemonProcess extends AsyncDisposable {
  url: string;
  port: number;
  key: string;
  pid: number;
  /** Milliseconds from the start of the process to `ready`. */
  readyMs: number;
  /** SIGTERM; the exit code. */
  stop(): Promise<number>;
}

/**
 * How often the daemon is asked whether it is ready, in milliseconds; more seldom, by a hundredth of the time it has
 * taken, when that is long: asking takes processor time from what is measured.
 */
const ASK_EVERY_MS = 2;

/** Starts `beeuni daemon` and waits until its tools are loaded. */
export async function startDaemonProcess(
  { program, first }: Program,
  { root, state, tmp, env }: DaemonPlace,
  args: readonly string[] = [],
): Promise<DaemonProcess> {
  const start = performance.now();
  const child = new Deno.Command(program, {
    args: [...first, "daemon", ...args],
    cwd: root,
    env: { BEEUNI_STATE_DIR: state, TMPDIR: tmp, NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  child.status.then(() => ended = true);
  const stop = async () => {
    if (!ended) child.kill("SIGTERM");
    return (await child.status).code;
  };
  try {
    const url = await waitFor(() => {
      if (ended) throw new Error("the daemon ended");
      try {
        return JSON.parse(Deno.readTextFileSync(join(state, "daemon.json"))).url as string;
      } catch {
        return undefined;
      }
    });
    await waitFor(async () => {
      if (ended) throw new Error("the daemon ended");
      const health = await (await fetch(`${url}/beeuni/health`)).json() as { status: string };
      return health.status === "ready" ? true : undefined;
    });
    return {
      url,
      port: Number(new URL(url).port),
      key: Deno.readTextFileSync(join(state, "tool-bridge.key")).trim(),
      pid: child.pid,
      readyMs: performance.now() - start,
      stop,
      [Symbol.asyncDispose]: async () => void await stop(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The daemon's answer to a call. */
export interface CallAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Calls a tool over HTTP. */
export async function postCall(
  { url, key }: DaemonProcess,
  tool: string,
  body: unknown = {},
  signal?: AbortSignal,
): Promise<CallAnswer> {
  const response = await fetch(`${url}/beeuni/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, body: await response.json() };
}

/**
 * Calls a tool that has to succeed.
 *
 * @throws {Error} with the daemon's answer.
 */
export async function callTool(
  daemon: DaemonProcess,
  tool: string,
  body: unknown = {},
): Promise<Record<string, unknown>> {
  const answer = await postCall(daemon, tool, body);
  if (answer.status !== 200) {
    throw new Error(`${tool} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

async function waitFor<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const start = performance.now();
  for (let ms = 0; ms < 60_000; ms = performance.now() - start) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((done) => setTimeout(done, Math.max(ASK_EVERY_MS, ms / 100)));
  }
  throw new Error("the daemon did not become ready in 60 s");
}
