import { findEngine } from "../../../engine/engine.ts";
import { runProcess } from "./run_process.ts";
import { Slots } from "./slots.ts";
import type { SearchAnswer, SearchRequest } from "./search/messages.ts";

/** How long a search may take, in milliseconds. */
const SEARCH_MS = 30_000;

/** What its answer may be long, in bytes: 100 lines of 2,000 characters, each escaped, with room. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Heap of the search, in MiB. */
const HEAP_MB = 256;

const FLAGS = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--cached-only",
  `--v8-flags=--max-old-space-size=${HEAP_MB},--enable-experimental-regexp-engine-on-excessive-backtracks`,
];

/** How many searches run at once: a model asks for several in one message, and each takes a core and memory. */
const slots = new Slots(4);

/** Variables that Deno itself may need. */
const PASSED = ["HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR"];

/**
 * Searches the project in a process of its own, which may read the project (and the session's spill folder) and nothing
 * else, and is ended with the call or after 30 seconds: a pattern that takes for ever does not stall the daemon.
 *
 * @param readable Real paths of the folders it may read, the project's root first.
 * @throws {Error} What the pattern's fault is, or that it took too long.
 */
export async function runSearch(
  request: SearchRequest,
  { readable, signal, timeoutMs = SEARCH_MS }: {
    readable: readonly string[];
    signal: AbortSignal;
    timeoutMs?: number;
  },
): Promise<SearchAnswer> {
  using _slot = await slots.take(signal);
  const engine = findEngine();
  const program = `${engine.directory}/harness/experimental/tools/search/main.${
    engine.built === "source" ? "ts" : "js"
  }`;
  const pieces = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let length = 0;
  const end = await runProcess({
    programs: [engine.deno],
    args: ["run", ...FLAGS, ...readFlags(readable), program, JSON.stringify(request)],
    // So that a project whose path has a comma, which a list of paths can't spell, can be named by a dot.
    cwd: readable[0] ?? request.root,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...passed() },
    timeoutMs,
    signal,
    onOutput: (chunk, stream) => {
      length += chunk.length;
      pieces[stream].push(chunk);
      return Promise.resolve(length <= MAX_ANSWER_BYTES);
    },
  });
  signal.throwIfAborted();
  if (end.by === "timeout") {
    throw new Error(
      `The search was ended after ${
        timeoutMs / 1000
      } s. Search in a smaller folder, or give a simpler pattern.`,
    );
  }
  const text = textOf(pieces.stdout);
  if (end.by === "exit" && end.code === 0) return JSON.parse(text) as SearchAnswer;
  throw new Error("The search failed. Search in a smaller folder, or give a simpler pattern.", {
    cause: new Error(`exit code ${end.code}: ${textOf(pieces.stderr).slice(0, 2_000)}`),
  });
}

function readFlags([root = "", ...others]: readonly string[]): string[] {
  const rest = others.filter((path) => !path.includes(",") && path !== root);
  return [`--allow-read=${[".", ...rest].join(",")}`];
}

function passed(): Record<string, string> {
  return Object.fromEntries(PASSED.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}
