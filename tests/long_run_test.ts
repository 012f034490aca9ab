import assert from "node:assert/strict";
import { startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { mixedCalls } from "./support/mixed_calls.ts";
import { isRunning, treeMemory } from "./support/processes.ts";
import { Project } from "./support/project.ts";

/*
 * Many calls with aborts, timeouts, crashes and reloads mixed in: no reply is lost or given twice, memory stays flat,
 * nothing is left. A short run by default; `deno task test:long` makes 200,000 calls.
 */

const CALLS = Number(Deno.env.get("BEEUNI_LONG_RUN_CALLS") ?? 4_000);
const SEED = Number(Deno.env.get("BEEUNI_LONG_RUN_SEED") ?? 1);
/** The short run is over before a heap has its size: what is flat shows from here on. */
const FLAT_FROM_CALLS = 50_000;
/** Calls before the long run: heaps, compiled code and the allocator's pages have their size after some 60,000. */
const WARM_UP_CALLS = 80_000;

Deno.test({
  name: `long run: ${CALLS} calls, each answered once`,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const project = new Project({ fixture: "hostile/mixed" });
    let processes: number[] = [];
    try {
      await using daemon = await startDaemon(project, { env: { BEEUNI_TOOL_HEAP_MB: "64" } });
      const ends = await countEnds(daemon);
      using memory = memoryByTenth(daemon.pid);
      const load = { clients: 16, seed: SEED };
      if (CALLS >= FLAT_FROM_CALLS) {
        const afterTenth = () => Promise.resolve();
        await mixedCalls(daemon, { ...load, calls: WARM_UP_CALLS, name: "warm-up", afterTenth });
        memory.start();
      }
      const ids = await mixedCalls(daemon, {
        ...load,
        calls: CALLS,
        name: "call",
        async afterTenth(tenth) {
          memory.next();
          // Whole, as an editor does it: the load of another tenth may read it right now.
          const edited = project.write(`tools/version.${tenth}`, `export const VERSION = ${tenth + 1}\n`);
          Deno.renameSync(edited, project.path("tools/version.ts"));
          const { status, body } = await daemon.reload();
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual(body.failed, []);
        },
      });
      assert.equal(ids.length, CALLS);

      // A client that went away before its request was read made no call.
      await eventually(() => assert.match(ends.idle(), /^0 /), { within: 20_000 });
      assert.deepEqual(ends.twice(), [], "calls that ended twice");
      const missing = ids.filter((id) => !ends.ended.has(id));
      assert.ok(
        missing.every((id) => !ends.started.has(id)),
        `calls that never ended: ${missing.slice(0, 5)}`,
      );
      assert.equal(ends.dropped, false, "the reader of events was too slow");

      if (CALLS >= FLAT_FROM_CALLS) {
        const [second = 0, last = 0] = [memory.means[1], memory.means.at(-1)];
        const table = memory.means.map((bytes) => (bytes / 1e6).toFixed(0)).join(" ");
        assert.ok(last <= 1.1 * second, `mean memory in each tenth, in MB: ${table}`);
      }
      processes = [daemon.pid, ...daemon.runners()];
    } finally {
      const left = [...Deno.readDirSync(project.tmp)].map(({ name }) => name);
      project[Symbol.dispose]();
      assert.deepEqual(
        left.filter((name) => name !== "beeuni-tool-output"),
        [],
        "files in the temporary folder",
      );
    }
    for (const pid of processes) assert.equal(isRunning(pid), false, `process ${pid} is left`);
  },
});

/**
 * Resident memory of a process and all it started, as the mean over each tenth of the run: how many workers are up at
 * one moment changes by the second.
 */
function memoryByTenth(pid: number) {
  const means: number[] = [];
  let samples: number[] = [];
  const timer = setInterval(() => samples.push(treeMemory(pid)), 100);
  return {
    means,
    start: () => samples = [],
    next() {
      samples.push(treeMemory(pid));
      means.push(samples.reduce((sum, bytes) => sum + bytes, 0) / samples.length);
      samples = [];
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Counts, by the daemon's events, how often each call began and ended. */
async function countEnds({ url, key }: { url: string; key: string }) {
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await fetch(new URL("/beeuni/events", url), { headers });
  assert.ok(body !== null);
  const started = new Set<string>();
  const ended = new Map<string, number>();
  const counts = { started, ended, dropped: false, idle, twice };

  function idle(): string {
    const open = [...started].filter((id) => !ended.has(id));
    return `${open.length} calls are open: ${open.slice(0, 5)}`;
  }
  function twice(): string[] {
    return [...ended].flatMap(([id, times]) => times > 1 ? [id] : []);
  }
  async function read(stream: ReadableStream<Uint8Array>): Promise<void> {
    let type = "";
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("event: ")) type = line.slice("event: ".length);
        else if (line.startsWith("data: ")) count(type, JSON.parse(line.slice("data: ".length)));
      }
    }
  }
  function count(type: string, { call }: { call: string }): void {
    if (type === "dropped") counts.dropped = true;
    if (type === "call_start") started.add(call);
    if (type === "call_end") ended.set(call, (ended.get(call) ?? 0) + 1);
  }
  // It ends with the daemon.
  read(body as ReadableStream<Uint8Array>).catch(() => {});
  return counts;
}
