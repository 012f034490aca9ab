import { join } from "node:path";
import type { BenchProject } from "./project.ts";
import type { Program } from "./program.ts";

/** A real daemon on a project. */
export interface BenchDaemon extends AsyncDisposable {
  port: number;
  key: string;
  pid: number;
  /** Milliseconds from the start of the process to `ready`. */
  readyMs: number;
}

/** How often the daemon is asked whether it is ready, in milliseconds. */
const ASK_EVERY_MS = 2;

/** Starts `beeuni daemon` and waits until its tools are loaded. */
export async function startBenchDaemon(
  { program, first }: Program,
  project: BenchProject,
): Promise<BenchDaemon> {
  const start = performance.now();
  const child = new Deno.Command(program, {
    args: [...first, "daemon"],
    cwd: project.root,
    env: { BEEUNI_STATE_DIR: project.state, TMPDIR: project.tmp, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  child.status.then(() => ended = true);
  const url = await waitFor(() => {
    if (ended) throw new Error("the daemon ended");
    try {
      return JSON.parse(Deno.readTextFileSync(join(project.state, "daemon.json"))).url as string;
    } catch {
      return undefined;
    }
  });
  await waitFor(async () => {
    if (ended) throw new Error("the daemon ended");
    const health = await (await fetch(`${url}/beeuni/health`)).json() as { status: string };
    return health.status === "ready" ? true : undefined;
  });
  const readyMs = performance.now() - start;
  return {
    port: Number(new URL(url).port),
    key: Deno.readTextFileSync(join(project.state, "tool-bridge.key")).trim(),
    pid: child.pid,
    readyMs,
    [Symbol.asyncDispose]: async () => {
      if (!ended) child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** Calls a tool over HTTP; the answer's JSON. */
export async function callTool(
  { port, key }: BenchDaemon,
  tool: string,
  body: unknown = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/beeuni/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json() as Record<string, unknown>;
  if (!response.ok) throw new Error(`${tool} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function waitFor<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
  }
  throw new Error("the daemon did not become ready in 60 s");
}
