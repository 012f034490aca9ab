import { openCodeEnvironment } from "./opencode_environment.ts";

/** What a tool file gave when it was loaded: the ids of its tools, or why it can't be used. */
export type TriedTool = { names: string[] } | { error: string };

/** Longest time a tool file may take to load, in milliseconds. */
const LOAD_MS = 20_000;

/** How many are loaded at a time. */
const AT_ONCE = 2;

/** How much of what a file prints is read, in UTF-16 units. */
const MAX_SAID = 1024 * 1024;

/** Options of {@link tryTools}. */
export interface TryToolsOptions {
  /** Absolute path of OpenCode: with `BUN_BE_BUN` it is the Bun that will load the tools. */
  program: string;
  /** Absolute path of `try_tool.js` with `node_modules` beside it. */
  script: string;
  /** `NODE_PATH`. */
  nodePath: string;
  /** The checkout, and a folder that is the home meanwhile. */
  root: string;
  home: string;
  env: (name: string) => string | undefined;
}

/**
 * Loads tool files of OpenCode on trial, each in a short-lived process (specification 4.1): one file that does not
 * load makes OpenCode answer every prompt with 500. They get what OpenCode's own process gets, and no secret.
 *
 * @param files Absolute paths.
 * @returns In the same order.
 */
export async function tryTools(files: readonly string[], options: TryToolsOptions): Promise<TriedTool[]> {
  const found: TriedTool[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    found.push(...await Promise.all(some.map((file) => tryTool(file, options))));
  }
  return found;
}

async function tryTool(file: string, options: TryToolsOptions): Promise<TriedTool> {
  const { program, script, nodePath, root, home, env } = options;
  const mark = crypto.randomUUID();
  const child = new Deno.Command(program, {
    args: ["run", script, mark, file],
    cwd: root,
    clearEnv: true,
    env: { ...openCodeEnvironment(env, home), NODE_PATH: nodePath, BUN_BE_BUN: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill(child);
  }, LOAD_MS);
  try {
    let said = "";
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      said = (said + part).slice(-MAX_SAID);
    }
    const { code } = await child.status;
    if (late) return { error: `it did not load within ${LOAD_MS / 1000} s` };
    const line = said.split("\n").findLast((one) => one.startsWith(mark));
    if (line === undefined) return { error: `it ended the process while it loaded (exit code ${code})` };
    return JSON.parse(line.slice(mark.length)) as TriedTool;
  } finally {
    clearTimeout(timer);
    kill(child);
    await child.status;
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It is over.
  }
}
