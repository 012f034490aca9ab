import { join } from "node:path";
import { beeuniProgram } from "../beeuni.ts";
import { testEnvironment } from "./environment.ts";
import { eventually, sleep } from "./eventually.ts";
import { isRunning, processTree } from "./processes.ts";
import type { Project } from "./project.ts";
import { TextStream } from "./text_stream.ts";

/** Options of {@link startDaemon}. */
export interface DaemonOptions {
  /** Arguments behind `beeuni daemon --json`. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Shell commands to run in the process that becomes the daemon, such as `ulimit -f 8`. */
  before?: string;
  /** Answer as soon as it listens, not only when every tool was loaded. */
  loading?: boolean;
}

/** Body of a call; `unknown` so that a test can send what is wrong. */
export interface CallBody {
  args?: unknown;
  agent?: unknown;
  session?: unknown;
  directory?: unknown;
  call?: unknown;
}

/** An answer of the daemon with its JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look into any shape an answer can have
  body: any;
}

/** A real `beeuni daemon` process. */
export class Daemon implements AsyncDisposable {
  readonly project: Project;
  readonly url: string;
  readonly key: string;
  /** Process id as `daemon.json` gives it. */
  readonly pid: number;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly #child: Deno.ChildProcess;

  constructor(
    parts: Pick<Daemon, "project" | "url" | "key" | "pid" | "stdout" | "stderr">,
    child: Deno.ChildProcess,
  ) {
    this.project = parts.project;
    this.url = parts.url;
    this.key = parts.key;
    this.pid = parts.pid;
    this.stdout = parts.stdout;
    this.stderr = parts.stderr;
    this.#child = child;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Settles when the process has ended. */
  get status(): Promise<Deno.CommandStatus> {
    return this.#child.status;
  }

  /** One request with the key; the body of the answer has to be JSON. */
  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${this.key}`);
    const response = await fetch(new URL(path, this.url), { ...init, headers });
    const text = await response.text();
    try {
      return { status: response.status, headers: response.headers, body: JSON.parse(text) };
    } catch {
      throw new Error(`${path} answered ${response.status} with no JSON: ${text.slice(0, 500)}`);
    }
  }

  /** Calls a tool. */
  call(tool: string, body: CallBody = {}, init: RequestInit = {}): Promise<Answer> {
    return this.request(`/beeuni/tools/${tool}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...init,
    });
  }

  cancel(call: string): Promise<Answer> {
    return this.request(`/beeuni/calls/${call}`, { method: "DELETE" });
  }

  reload(): Promise<Answer> {
    return this.request("/beeuni/reload", { method: "POST" });
  }

  /** The metrics page. */
  async metrics(): Promise<string> {
    const headers = { authorization: `Bearer ${this.key}` };
    return await (await fetch(new URL("/beeuni/metrics", this.url), { headers })).text();
  }

  /** Log lines so far, as the JSON they are. */
  get log(): Record<string, unknown>[] {
    return this.stderr.lines.flatMap((line) => {
      try {
        const parsed = JSON.parse(line);
        return typeof parsed === "object" && parsed !== null ? [parsed] : [];
      } catch {
        return [];
      }
    });
  }

  /** Process ids of the runners. */
  runners(): number[] {
    return processTree(this.pid).slice(1).map((info) => info.pid);
  }

  /** SIGTERM, as a service manager stops it; SIGKILL when that does not help within 15 s. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<Deno.CommandStatus> {
    if (isRunning(this.pid)) Deno.kill(this.pid, signal);
    const late = Symbol();
    const first = await Promise.race([this.#child.status, sleep(15_000).then(() => late)]);
    if (first === late) {
      for (const info of processTree(this.#child.pid).reverse()) kill(info.pid);
      kill(this.pid);
    }
    const status = await this.#child.status;
    await Promise.all([this.stdout.ended, this.stderr.ended]);
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Starts a daemon on a project and waits until its tools are loaded. */
export async function startDaemon(project: Project, options: DaemonOptions = {}): Promise<Daemon> {
  const { program, first } = beeuniProgram();
  const args = [...first, "daemon", "--json", ...(options.args ?? [])];
  const spawn = options.before === undefined
    ? { program, args }
    : { program: "sh", args: ["-c", `${options.before}; exec "$@"`, "sh", program, ...args] };
  const child = new Deno.Command(spawn.program, {
    args: spawn.args,
    cwd: project.root,
    clearEnv: true,
    env: testEnvironment(project, options.env),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdout = new TextStream(child.stdout);
  const stderr = new TextStream(child.stderr);
  let ended = false;
  child.status.then(() => ended = true);
  const state = options.env?.BEEUNI_STATE_DIR ?? project.state;
  try {
    const known = await eventually(() => {
      if (ended) throw new Error("it ended");
      const { url, pid } = JSON.parse(Deno.readTextFileSync(join(state, "daemon.json")));
      if (pid !== child.pid && !processTree(child.pid).some((info) => info.pid === pid)) {
        throw new Error("daemon.json is that of another daemon");
      }
      return { url, pid, key: Deno.readTextFileSync(join(state, "tool-bridge.key")).trim() };
    }, { within: 20_000 });
    const daemon = new Daemon({ project, stdout, stderr, ...known }, child);
    await eventually(async () => {
      const { body } = await daemon.request("/beeuni/health");
      if (!options.loading && body.status !== "ready") throw new Error(`it is ${body.status}`);
    }, { within: 30_000 });
    return daemon;
  } catch (error) {
    for (const info of processTree(child.pid).reverse()) kill(info.pid);
    await child.status;
    throw new Error(`The daemon did not start: ${error}\n${stdout.text}${stderr.text}`, { cause: error });
  }
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
