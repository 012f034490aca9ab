import assert from "node:assert/strict";
import type { Answer, Daemon } from "./daemon.ts";
import { eventually } from "./eventually.ts";
import { died, output, refusal, timedOut, toolError } from "./told.ts";

/** One kind of call of a long run. */
interface CallKind {
  /** How many of 10,000 calls are of this kind. */
  share: number;
  /** Makes the call and checks what it is told. `id` is its own, and a text that no other call has. */
  make: (daemon: Daemon, id: string) => Promise<void>;
}

const KINDS: readonly CallKind[] = [
  { share: 9_200, make: (daemon, id) => told(daemon, id, "echo", output(id)) },
  { share: 300, make: (daemon, id) => told(daemon, id, "echo", output(id), "other") },
  { share: 200, make: (daemon, id) => told(daemon, id, "throws", toolError(`no: ${id}`)) },
  { share: 120, make: cancelled },
  { share: 120, make: disconnected },
  { share: 30, make: (daemon, id) => told(daemon, id, "never_settles", timedOut) },
  { share: 20, make: (daemon, id) => told(daemon, id, "large", beginsWith(id)) },
  { share: 9, make: (daemon, id) => told(daemon, id, "fresh_echo", output(id)) },
  { share: 1, make: (daemon, id) => told(daemon, id, "overflows", died(/ran out of memory/), "ender") },
];

/** Options of {@link mixedCalls}. */
export interface MixedCallsOptions {
  calls: number;
  /** How many at once. */
  clients: number;
  /** Of the choice of kinds: the same seed makes the same calls. */
  seed: number;
  /** What the ids begin with: no call's id is used twice. */
  name: string;
  /** Run after each tenth part of the calls, while others are in flight. */
  afterTenth: (tenth: number) => Promise<void>;
}

/**
 * Makes many calls of all kinds, good and bad, on the project of `fixtures/hostile/mixed`; each has to be told what is
 * right for it.
 *
 * @returns The ids of all calls.
 */
export async function mixedCalls(daemon: Daemon, options: MixedCallsOptions): Promise<string[]> {
  const { calls, clients, seed, name, afterTenth } = options;
  const next = random(seed);
  const ids: string[] = [];
  let done = 0;
  let tenth = 0;
  await Promise.all(Array.from({ length: clients }, async () => {
    while (ids.length < calls) {
      const id = `${name}-${ids.length}`;
      ids.push(id);
      const kind = pick(next());
      try {
        await kind.make(daemon, id);
      } catch (error) {
        throw new Error(`${id} (seed ${seed}): ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
      done++;
      if (done >= (tenth + 1) * calls / 10) await afterTenth(++tenth);
    }
  }));
  return ids;
}

async function told(
  daemon: Daemon,
  id: string,
  tool: string,
  check: (answer: Answer) => void,
  agent = "beeuni",
): Promise<void> {
  check(await daemon.call(tool, { args: { text: id }, call: id, agent }));
}

/** Aborted by another request, before or after it began. */
async function cancelled(daemon: Daemon, id: string): Promise<void> {
  const call = daemon.call("waits", { call: id });
  await eventually(async () => assert.equal((await daemon.cancel(id)).status, 202), {
    within: 20_000,
    every: 5,
  });
  refusal(499, "aborted", /./)(await call);
}

/** The client goes away: there is nobody to answer. */
async function disconnected(daemon: Daemon, id: string): Promise<void> {
  const gone = new AbortController();
  const call = daemon.call("waits", { call: id, agent: "other" }, { signal: gone.signal });
  setTimeout(() => gone.abort(), 20);
  await assert.rejects(call, { name: "AbortError" });
}

function beginsWith(id: string): (answer: Answer) => void {
  return (answer) => {
    output(/Output truncated|truncated/i)(answer);
    assert.ok(answer.body.output.startsWith(`${id}\n`));
    assert.equal(answer.body.truncated, true);
    // Thousands of these files would fill the disk of a small machine; what keeps them is another test's matter.
    Deno.removeSync(answer.body.file);
  };
}

function pick(at: number): CallKind {
  let below = Math.floor(at * KINDS.reduce((sum, { share }) => sum + share, 0));
  for (const kind of KINDS) {
    if (below < kind.share) return kind;
    below -= kind.share;
  }
  throw new Error("unreachable");
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
