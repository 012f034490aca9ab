import { join } from "node:path";
import { BeeuniError } from "../errors/error.ts";
import { ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import { type DaemonInfo, readDaemonFile } from "./daemon_file.ts";
import { isDaemonRunning } from "./daemon_lock.ts";
import { KEY_FILE } from "./key_file.ts";

/** How long an answer may take to come, in milliseconds: a daemon that still loads its tools is the slowest case. */
const ANSWER_MS = 120_000;

/** Options of {@link DaemonClient.request}. */
export interface DaemonRequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Gives up waiting; the promise rejects with its reason. */
  signal?: AbortSignal;
  /** How long the answer may take, in milliseconds; default two minutes. */
  withinMs?: number;
}

/** The project's running daemon, as a client on this machine finds it. */
export interface DaemonClient extends DaemonInfo {
  /**
   * One request; answers the JSON.
   *
   * @throws {BeeuniError} with the code and the words the daemon answered; `daemon_not_running` when it can't be
   *   reached or does not answer in time.
   */
  request(
    method: "GET" | "POST" | "DELETE",
    path: string,
    options?: DaemonRequestOptions,
  ): Promise<Record<string, unknown>>;
  /**
   * The body of a route that goes on answering (server-sent events), until `signal` aborts.
   *
   * @throws {BeeuniError} as {@link request} does, when the answer does not begin.
   */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/**
 * The daemon of a project, or `undefined` when none runs (a `daemon.json` that a killed one left behind is none).
 *
 * @param stateDir Absolute path of the project's state directory.
 */
export async function findDaemon(stateDir: string): Promise<DaemonClient | undefined> {
  if (!await isDaemonRunning(stateDir)) return undefined;
  const info = await readDaemonFile(stateDir);
  if (info === undefined) return undefined;
  const ask = (path: string, init: RequestInit, signal?: AbortSignal) =>
    answered(() => send(stateDir, info, path, init), info, signal);
  return {
    ...info,
    request: async (method, path, { body, signal, withinMs = ANSWER_MS } = {}) => {
      const late = AbortSignal.timeout(withinMs);
      const init: RequestInit = {
        method,
        signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      };
      if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { "content-type": "application/json" };
      }
      const response = await ask(path, init, signal);
      return await answered(() => documentOf(response), info, signal);
    },
    stream: async (path, signal) => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), ANSWER_MS);
      try {
        const response = await ask(path, { signal: AbortSignal.any([late.signal, signal]) }, signal);
        if (!response.ok) await answered(() => documentOf(response), info, signal);
        return response.body ?? new ReadableStream();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * {@link findDaemon} for a command that needs one.
 *
 * @throws {BeeuniError} `daemon_not_running`
 */
export async function requireDaemon(stateDir: string): Promise<DaemonClient> {
  const daemon = await findDaemon(stateDir);
  if (daemon !== undefined) return daemon;
  throw new BeeuniError("daemon_not_running", "no daemon runs for this project.", {
    hint: "Start one with `beeuni daemon`.",
  });
}

async function send(
  stateDir: string,
  { url }: DaemonInfo,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const key = (await Deno.readTextFile(join(stateDir, KEY_FILE))).trim();
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${key}`);
  return await fetch(`${url}${path}`, { ...init, headers });
}

/** The JSON of an answer, or the error that it tells. */
async function documentOf(response: Response): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = await response.json();
  if (response.ok) return body;
  const { error, code, hint, ...details } = body;
  const known = typeof code === "string" && Object.hasOwn(ERROR_CODES, code) ? code as ErrorCode : "internal";
  throw new BeeuniError(known, String(error), {
    details,
    ...(typeof hint === "string" ? { hint } : {}),
  });
}

/** `work`; what else it throws than the daemon's own errors means that the daemon can't be reached. */
async function answered<T>(
  work: () => Promise<T>,
  { url }: DaemonInfo,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof BeeuniError) throw cause;
    throw new BeeuniError("daemon_not_running", `the daemon at ${url} can't be reached.`, {
      hint: "Stop it with `beeuni daemon stop` and start it again.",
      cause,
    });
  }
}
