import assert from "node:assert/strict";
import { join } from "node:path";
import { startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { isRunning } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { output } from "./support/told.ts";
import type { Answer } from "./support/daemon.ts";

// A full disk, a planted link, a daemon that dies (specification 5.4).

const FILES = {
  "beeuni.yaml": `tools:
  sleeper: tools/sleeper.ts
  loop: tools/loop.ts
  large: tools/large.ts
  echo: tools/echo.ts
agents:
  beeuni: { tools: all }
  other: { tools: all }
  loops: { tools: all }
`,
  "tools/sleeper.ts": `export default {
  description: "Waits.",
  parameters: { type: "object", properties: {} },
  execute: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
}
`,
  "tools/loop.ts": `export default {
  description: "Never gives the thread back.",
  parameters: { type: "object", properties: {} },
  execute() { for (;;) {} },
}
`,
  "tools/large.ts": `export default {
  description: "More than the model may get.",
  parameters: { type: "object", properties: {} },
  execute: () => "a line of the answer\\n".repeat(5_000),
}
`,
  "tools/echo.ts": `export default {
  description: "Answers with its arguments.",
  parameters: { type: "object", properties: {} },
  execute: (args) => args,
}
`,
};

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

/** The head is answered, and the note says that the rest is lost, and why. */
function lost({ status, body }: Answer): void {
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  assert.equal(body.truncated, true);
  assert.equal(body.file, undefined);
  assert.match(body.output, /^a line of the answer\n/);
  assert.match(body.output, /\n\n\[Output truncated: 105000 bytes, 5000 lines\. [^\n]*lost[^\n]*\]$/);
}

const prlimit = new Deno.Command("sh", { args: ["-c", "command -v prlimit"], stdout: "null" });

Deno.test({
  name: "fault: the disk is full",
  ignore: !prlimit.outputSync().success,
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    // With SIGXFSZ ignored, a write over the limit on file sizes fails as one on a full disk does.
    await using daemon = await startDaemon(project, { before: "trap '' XFSZ" });
    output('{\n  "a": 1\n}')(await daemon.call("echo", { args: { a: 1 } }));
    const limited = await new Deno.Command("prlimit", {
      args: [`--pid=${daemon.pid}`, "--fsize=0:0"],
    }).output();
    assert.ok(limited.success);
    // A runner that is started now lives under the same limit; the one that runs does not.
    lost(await daemon.call("large", { agent: "other", session: "s1" }));
    output('{\n  "a": 2\n}')(await daemon.call("echo", { agent: "other", args: { a: 2 } }));
    // What is cached in the state directory can't be written: the tools load all the same.
    project.write("tools/echo.ts", FILES["tools/echo.ts"].replace("=> args", '=> ({ ...args, b: "new" })'));
    const reload = await daemon.reload();
    assert.deepEqual([reload.status, reload.body.changed, reload.body.failed], [200, ["echo"], []]);
    output('{\n  "a": 3,\n  "b": "new"\n}')(await daemon.call("echo", { agent: "other", args: { a: 3 } }));
    assert.equal((await daemon.request("/beeuni/health")).body.status, "ready");
  },
});

for (const place of ["root", "root_after_use", "session"] as const) {
  Deno.test({
    name: `fault: a link in place of the spill folder (${place})`,
    ...LENIENT,
    async fn() {
      using project = new Project({ files: FILES });
      const spill = join(project.tmp, "beeuni-tool-output");
      if (place === "root") Deno.symlinkSync(project.outside, spill);
      await using daemon = await startDaemon(project);
      if (place === "root_after_use") {
        const { body } = await daemon.call("large", { session: "s0" });
        assert.ok(body.file.startsWith(spill + "/s0/large-"), body.file);
        Deno.renameSync(spill, spill + "-away");
        Deno.symlinkSync(project.outside, spill);
      }
      if (place === "session") {
        Deno.mkdirSync(spill, { recursive: true, mode: 0o700 });
        Deno.symlinkSync(project.outside, join(spill, "s1"));
      }
      const { status, body } = await daemon.call("large", { session: "s1" });
      assert.deepEqual([...Deno.readDirSync(project.outside)], [], "the file went through the link");
      if (body.file === undefined) lost({ status, body, headers: new Headers() });
      else assert.ok(!Deno.realPathSync(body.file).startsWith(project.outside));
      output('{\n  "a": 1\n}')(await daemon.call("echo", { args: { a: 1 } }));
    },
  });
}

Deno.test({
  name: "fault: the daemon is SIGKILLed in mid-call",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    let key: string;
    {
      await using daemon = await startDaemon(project);
      key = daemon.key;
      const calls = [
        daemon.call("sleeper"),
        daemon.call("loop", { agent: "loops" }),
      ].map((call) => call.catch(() => {}));
      const runners = await eventually(() => {
        const pids = daemon.runners();
        assert.ok(pids.length >= 2, `runners: ${pids}`);
        return pids;
      });
      await eventually(async () => {
        assert.match(await daemon.metrics(), /in_flight 2$/m);
      });
      Deno.kill(daemon.pid, "SIGKILL");
      await Promise.all(calls);
      await eventually(() => assert.deepEqual(runners.filter(isRunning), []));
    }
    // What it left in the state directory does not stop the next one, and clients keep their key.
    await using next = await startDaemon(project);
    assert.equal(next.key, key);
    output('{\n  "a": 1\n}')(await next.call("echo", { args: { a: 1 } }));
  },
});

Deno.test({
  name: "fault: SIGTERM with a call that loops",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    await using daemon = await startDaemon(project);
    const call = daemon.call("loop").catch(() => undefined);
    await eventually(async () => assert.match(await daemon.metrics(), /in_flight 1$/m));
    const runners = daemon.runners();
    // 5 s to finish, then the stop ladder with its 2 s of grace.
    const status = await daemon.stop();
    assert.equal(status.signal, null, "it had to be killed");
    assert.deepEqual(runners.filter(isRunning), []);
    await call;
  },
});
