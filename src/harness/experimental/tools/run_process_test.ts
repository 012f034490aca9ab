import assert from "node:assert/strict";
import { type ProcessEnd, type ProcessOptions, runProcess } from "./run_process.ts";

/** Runs a command and gives how it ended, and what it printed. */
async function run(command: string, options: Partial<ProcessOptions> = {}) {
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  const end = await runProcess({
    programs: ["sh"],
    args: ["-c", command],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      pieces.push(decoder.decode(chunk));
      return Promise.resolve(true);
    },
    ...options,
  });
  return { ...end, output: pieces.join("") };
}

/** Whether a process is there and is no zombie. */
function lives(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** Waits for the end of processes: a signal needs its time. */
async function areGone(pids: readonly number[]): Promise<boolean> {
  for (let wait = 0; wait < 500 && pids.some(lives); wait++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return !pids.some(lives);
}

const pidsIn = (text: string) => [...text.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));

Deno.test("runProcess: how a program ends", async () => {
  const cases: [string, { code: number; signal?: string; output: string }][] = [
    ["echo out; echo err >&2", { code: 0, output: "out\nerr\n" }],
    ["exit 3", { code: 3, output: "" }],
    ["cat; echo closed", { code: 0, output: "closed\n" }],
    ["kill -9 $$", { code: 137, signal: "SIGKILL", output: "" }],
    ['printf %s "$HOME-$PATH"', { code: 0, output: "-/usr/bin:/bin" }],
  ];
  for (const [command, expected] of cases) {
    const end = await run(command);
    assert.equal(
      end.output.split("\n").sort().join("\n"),
      expected.output.split("\n").sort().join("\n"),
      command,
    );
    assert.deepEqual([end.by, end.code, end.signal], ["exit", expected.code, expected.signal], command);
  }
});

Deno.test("runProcess: the first program that is there is run", async () => {
  assert.equal((await run("echo x", { programs: ["beeuni-no-such-shell", "sh"] })).output, "x\n");
  await assert.rejects(run("echo x", { programs: ["beeuni-no-such-shell"] }), /could not be started/);
});

/** A child and a grandchild that don't listen and tell their numbers; goes on when both have. */
const STUBBORN = `trap '' TERM HUP; echo pid $$
sh -c 'trap "" TERM HUP; echo pid $$; sh -c "trap \\"\\" TERM HUP; echo pid \\$\\$; : > ready; sleep 300 & wait"' &
while ! [ -e ready ]; do sleep 0.05; done; `;

Deno.test("runProcess: nothing of the group is left, however it ends", async () => {
  const cases: [by: ProcessEnd["by"], rest: string, timeoutMs: number][] = [
    ["exit", "exit 0", 60_000],
    ["timeout", "sleep 300", 2_000],
    ["abort", "echo begun; sleep 300", 60_000],
    ["flooded", "echo begun; sleep 300", 60_000],
  ];
  for (const [by, rest, timeoutMs] of cases) {
    const cwd = await Deno.makeTempDir({ prefix: "beeuni-process-" });
    try {
      const abort = new AbortController();
      let output = "";
      const end = await run(STUBBORN + rest, {
        cwd,
        timeoutMs,
        signal: abort.signal,
        onOutput: (chunk) => {
          output += new TextDecoder().decode(chunk);
          if (by === "abort" && output.includes("begun")) abort.abort();
          return Promise.resolve(by !== "flooded" || !output.includes("begun"));
        },
      });
      assert.equal(end.by, by);
      const pids = pidsIn(output);
      // On a machine that is busy, the deadline may come before all have begun.
      assert.ok(pids.length === 3 || (by === "timeout" && pids.length > 0), `${by}: ${pids.length}`);
      assert.ok(await areGone(pids), by);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  }
});

Deno.test("runProcess: a flood ends the command", async () => {
  let taken = 0;
  const end = await run("yes & yes", {
    onOutput: (chunk) => {
      taken += chunk.length;
      return Promise.resolve(taken < 1_000_000);
    },
  });
  assert.equal(end.by, "flooded");
});

Deno.test("runProcess: a taker that fails ends the command", async () => {
  const end = await run("echo x; sleep 300", { onOutput: () => Promise.reject(new Error("no")) });
  assert.equal(end.by, "flooded");
});

Deno.test("runProcess: an aborted call starts nothing", async () => {
  const end = await run("echo never", { signal: AbortSignal.abort() });
  assert.deepEqual([end.by, end.output], ["abort", ""]);
});

Deno.test({
  name: "runProcess: what left the group does not hold the call, and is not the group's",
  ignore: !(await hasSetsid()),
  fn: async () => {
    const end = await run("setsid sh -c 'echo pid $$; sleep 20' & sleep 0.5; echo done");
    const [pid] = pidsIn(end.output);
    assert.match(end.output, /done/);
    assert.ok(pid !== undefined && lives(pid));
    // It is the leader of a group of its own: that goes, and its sleep with it.
    Deno.kill(-pid, "SIGKILL");
    assert.ok(await areGone([pid]));
  },
});

async function hasSetsid(): Promise<boolean> {
  try {
    return (await new Deno.Command("setsid", { args: ["--version"], stdout: "null", stderr: "null" })
      .output()).success;
  } catch {
    return false;
  }
}
