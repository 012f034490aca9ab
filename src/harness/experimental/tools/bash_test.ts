import assert from "node:assert/strict";
import { readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { MAX_SPILL_BYTES } from "../../../host/runner/bound_output.ts";
import type { HarnessToolContext } from "../harness_tool.ts";
import { bashTool } from "./bash.ts";
import { CallBench } from "./testing/call_bench.ts";

const TOOL = bashTool({ PATH: "/usr/bin:/bin", WORD: "from the environment" });

const bash = (bench: CallBench, args: Record<string, unknown>, more: Partial<HarnessToolContext> = {}) =>
  bench.call(TOOL, args, more);

Deno.test("bash: what the model is told", async () => {
  await using bench = await CallBench.make({ "sub/x": "" });
  const cases: [Record<string, unknown>, string][] = [
    [{ command: "echo hi" }, "hi\n"],
    [{ command: "echo hi >&2" }, "hi\n"],
    [{ command: "true" }, "(no output)"],
    [{ command: "exit 3" }, "[The command ended with exit code 3.]"],
    [{ command: "echo hi; exit 3" }, "hi\n\n[The command ended with exit code 3.]"],
    [{ command: "no-such-program-at-all 2>/dev/null" }, "[The command ended with exit code 127.]"],
    [{ command: "kill -9 $$" }, "[The command was ended by SIGKILL.]"],
    [{ command: "cat; echo no input" }, "no input\n"],
    [{ command: 'echo "$WORD"' }, "from the environment\n"],
    [{ command: "pwd" }, `${bench.root}\n`],
    [{ command: "pwd; echo $PWD", workdir: "sub" }, `${bench.root}/sub\n${bench.root}/sub\n`],
    [{ command: "pwd", workdir: join(bench.root, "sub") }, `${bench.root}/sub\n`],
    [{ command: "pwd", workdir: "" }, `${bench.root}\n`],
    [{ command: "echo x", timeout: 9e9, description: "Says x" }, "x\n"],
    [{ command: "sleep 300 & echo started" }, "started\n"],
    [
      { command: "echo begun; sleep 300", timeout: 1500 },
      "begun\n\n[The command was ended after 1500 ms, its time limit. If it needs longer and does not wait for input, run " +
      "it again with a larger timeout (at most 600000).]",
    ],
  ];
  for (const [args, output] of cases) assert.equal(await bash(bench, args), output, JSON.stringify(args));
});

Deno.test("bash: of many calls at once eight run, the others wait their turn", async () => {
  await using bench = await CallBench.make();
  const command = "mkdir run.$$; set -- run.*; echo $#; sleep 0.1; rmdir run.$$";
  const seen = await Promise.all(
    Array.from({ length: 24 }, async () => Number(await bash(bench, { command }))),
  );
  assert.ok(seen.every((count) => count >= 1 && count <= 8), seen.join(" "));
});

Deno.test("bash: a call that waits its turn ends with its signal", async () => {
  await using bench = await CallBench.make();
  const tool = bashTool({ PATH: "/usr/bin:/bin" });
  const stop = new AbortController();
  const first = Promise.allSettled(
    Array.from({ length: 8 }, () => bench.call(tool, { command: "sleep 300" }, { signal: stop.signal })),
  );
  const waits = new AbortController();
  const waiting = bench.call(tool, { command: "echo never" }, { signal: waits.signal });
  waits.abort(new Error("stopped"));
  await assert.rejects(waiting, /stopped/);
  stop.abort();
  assert.ok((await first).every(({ status }) => status === "rejected"));
});

Deno.test("bash: its environment is the given one and nothing else", async () => {
  await using bench = await CallBench.make();
  Deno.env.set("BEEUNI_TEST_ONLY_SECRET", "do-not-tell");
  try {
    const names = (await bash(bench, { command: "env" })).trim().split("\n").map((line) =>
      line.split("=")[0]
    );
    const shell = ["_", "OLDPWD", "PWD", "SHLVL"];
    assert.deepEqual(names.filter((name) => !shell.includes(name!)).sort(), ["PATH", "WORD"]);
  } finally {
    Deno.env.delete("BEEUNI_TEST_ONLY_SECRET");
  }
});

Deno.test("bash: what is refused", async () => {
  await using bench = await CallBench.make({ "a.txt": "" });
  symlinkSync("..", join(bench.root, "up"));
  const cases: [Record<string, unknown>, RegExp][] = [
    [{}, /"command" of bash is missing/],
    [{ command: " " }, /"command" of bash must not be empty/],
    [{ command: "echo \0" }, /NUL/],
    [{ command: `: ${"x".repeat(130_000)}` }, /command is too long/],
    [{ command: "pwd", timeout: -1 }, /"timeout" of bash must be a whole number of at least 1, not -1/],
    [{ command: "pwd", workdir: ".." }, /is outside the project/],
    [{ command: "pwd", workdir: "/" }, /is outside the project/],
    [{ command: "pwd", workdir: "up" }, /is outside the project/],
    [{ command: "pwd", workdir: "no" }, /The folder .*\/no does not exist/],
    [{ command: "pwd", workdir: "a.txt" }, /is not a folder/],
  ];
  for (const [args, message] of cases) await assert.rejects(bash(bench, args), message, JSON.stringify(args));
});

Deno.test("bash: an abort ends the command and its children", async () => {
  await using bench = await CallBench.make();
  const abort = new AbortController();
  const command = "sh -c 'echo $$ > pid; sleep 300' & sleep 300";
  const call = bash(bench, { command }, { signal: abort.signal });
  let pid = "";
  while (pid === "") {
    await new Promise((resolve) => setTimeout(resolve, 10));
    pid = await Deno.readTextFile(join(bench.root, "pid")).then((text) => text.trim(), () => "");
  }
  abort.abort(new Error("stopped"));
  await assert.rejects(call, /stopped/);
  for (let wait = 0; wait < 500 && isAlive(pid); wait++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.ok(!isAlive(pid));
});

Deno.test("bash: long output is cut as a hosted tool's is, with the exit code", async () => {
  await using bench = await CallBench.make();
  const { output, file } = await TOOL.execute({ command: "seq 1 3000; exit 2" }, bench.context());
  assert.ok(file !== undefined && file.startsWith(`${bench.spillFolder}/bash-`));
  assert.ok(output.startsWith("1\n2\n3\n"));
  assert.ok(
    output.endsWith(
      `\n\n[Output truncated: 13893 bytes, 3000 lines. The whole output is in ${file}; read it in parts or search it.] ` +
        "[The command ended with exit code 2.]",
    ),
  );
  assert.equal(output.split("\n").length, 2_000);
  assert.equal(readFileSync(file, "utf8").split("\n").length, 3_001);
});

Deno.test("bash: a command that prints without an end is ended, and the memory does not grow with it", async () => {
  await using bench = await CallBench.make();
  const before = Deno.memoryUsage().rss;
  const { output, file } = await TOOL.execute({ command: "yes a line of text" }, bench.context());
  const grown = Deno.memoryUsage().rss - before;
  assert.equal(statSync(file!).size, MAX_SPILL_BYTES);
  assert.match(
    output,
    /\[Output truncated: 268435456 bytes, .*\] \[The command was ended: it printed more than 268435456 bytes\./,
  );
  // About 40 MB, whatever it prints.
  assert.ok(grown < MAX_SPILL_BYTES / 2, `${grown} bytes`);
});

function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
