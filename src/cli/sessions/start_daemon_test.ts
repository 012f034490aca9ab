import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProgramCommand } from "../../engine/program_command.ts";
import { openDaemonLog, startFailure } from "./daemon_log.ts";
import { ensureDaemon } from "./start_daemon.ts";

/** A folder for a project and its state, removed with the block. */
function folders(): Disposable & { base: string; root: string; stateDir: string } {
  const base = Deno.makeTempDirSync({ prefix: "beeuni-start-" });
  const root = join(base, "project");
  Deno.mkdirSync(root);
  return {
    base,
    root,
    stateDir: join(base, "state"),
    [Symbol.dispose]: () => Deno.removeSync(base, { recursive: true }),
  };
}

/** Stands for beeuni: a program that notes each start, then does what `script` says. */
function program(base: string, script: string): ProgramCommand {
  const file = join(base, "program.ts");
  const client = new URL("../../daemon/", import.meta.url);
  Deno.writeTextFileSync(
    file,
    `import { lockDaemon } from "${new URL("daemon_lock.ts", client)}";
import { writeDaemonFile } from "${new URL("daemon_file.ts", client)}";
import { daemonKey } from "${new URL("key_file.ts", client)}";
const stateDir = ${JSON.stringify(join(base, "state"))};
Deno.writeTextFileSync(${
      JSON.stringify(join(base, "starts"))
    }, Deno.args.join(" ") + "\\n", { append: true });
${script}`,
  );
  return { program: Deno.execPath(), first: ["run", "-A", "--no-config", file], env: {} };
}

/** What a daemon does, in short; it ends by itself. */
const DAEMON = `
const held = await lockDaemon(stateDir);
await daemonKey(stateDir);
await new Promise((resolve) => setTimeout(resolve, 200));
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => Response.json({ status: "ready" }));
await writeDaemonFile(stateDir, { url: "http://127.0.0.1:" + server.addr.port, pid: Deno.pid, version: "x" });
setTimeout(() => Deno.exit(), 20000);
`;

Deno.test("two commands at once start one daemon, in a session of its own, with a private log", async () => {
  using place = folders();
  const { base, root, stateDir } = place;
  const options = { root, stateDir, program: program(base, DAEMON) };
  let starts = 0;
  const [one, two] = await Promise.all(
    [1, 2].map(() => ensureDaemon({ ...options, onStart: () => starts++ })),
  );
  try {
    assert.equal(one?.url, two?.url);
    assert.equal(starts, 1);
    assert.equal(
      Deno.readTextFileSync(join(base, "starts")),
      `daemon --project ${root} --idle-timeout 30m\n`,
    );
    assert.equal(Deno.statSync(join(stateDir, "daemon.log")).mode! & 0o777, 0o600);
    const daemon = processIds(one?.pid);
    assert.equal(daemon.group, daemon.session);
    assert.notEqual(daemon.session, processIds(Deno.pid).session);
    // A further one finds it.
    assert.equal((await ensureDaemon({ ...options, onStart: () => starts++ })).pid, one?.pid);
    assert.equal(starts, 1);
  } finally {
    if (one !== undefined) Deno.kill(one.pid);
  }
});

/** Group and session of a process, as `/proc` says; its name may hold spaces. */
function processIds(pid: number | undefined): { group: string | undefined; session: string | undefined } {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\)/, "").trim().split(" ");
  return { group: fields[2], session: fields[3] };
}

Deno.test("a daemon that does not start tells its reason, not that of an earlier one", async () => {
  using place = folders();
  const { base, root, stateDir } = place;
  const cases: [string, string, string | undefined][] = [
    [
      `for (const line of ["noise", "beeuni: it is broken.", "  → Mend it."]) console.error(line); Deno.exit(1);`,
      "the daemon did not start: it is broken.",
      "Mend it.",
    ],
    [
      `Deno.exit(1)`,
      "the daemon did not start: it ended at once.",
      `Look into ${join(stateDir, "daemon.log")}.`,
    ],
  ];
  for (const [script, message, hint] of cases) {
    await assert.rejects(ensureDaemon({ root, stateDir, program: program(base, script) }), {
      code: "daemon_not_running",
      message,
      hint,
    });
  }
});

Deno.test("a daemon that never answers is not waited for without an end, nor against a signal", async () => {
  using place = folders();
  const { base, root, stateDir } = place;
  const never = program(base, "setTimeout(() => Deno.exit(), 4000)");
  await assert.rejects(ensureDaemon({ root, stateDir, program: never, withinMs: 300 }), {
    message: "the daemon did not start: it does not answer.",
  });
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(ensureDaemon({ root, stateDir, program: never, signal }), { message: "enough" });
});

Deno.test("a daemon.json that a killed daemon left behind is not taken for the new one", async () => {
  using place = folders();
  const { base, root, stateDir } = place;
  // Another program answers on the old port now.
  await using other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => Response.json({}));
  Deno.mkdirSync(stateDir, { mode: 0o700 });
  Deno.writeTextFileSync(
    join(stateDir, "daemon.json"),
    JSON.stringify({ url: `http://127.0.0.1:${other.addr.port}`, pid: 1, version: "x" }),
  );
  const daemon = await ensureDaemon({ root, stateDir, program: program(base, DAEMON) });
  try {
    assert.notEqual(daemon.pid, 1);
  } finally {
    Deno.kill(daemon.pid);
  }
});

Deno.test("a log that is too large is put aside; one with a wider mode becomes private", async () => {
  using place = folders();
  const { stateDir } = place;
  Deno.mkdirSync(stateDir);
  const path = join(stateDir, "daemon.log");
  Deno.writeTextFileSync(path, "beeuni: old.\n", { mode: 0o644 });
  const first = await openDaemonLog(stateDir, 20);
  assert.deepEqual(first, { path, start: 13 });
  assert.equal(await startFailure(first), undefined);
  Deno.writeTextFileSync(path, "beeuni: new.\n", { append: true });
  assert.deepEqual(await startFailure(first), { message: "new." });
  assert.deepEqual(await openDaemonLog(stateDir, 20), { path, start: 0 });
  assert.equal(Deno.readTextFileSync(`${path}.1`), "beeuni: old.\nbeeuni: new.\n");
  assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
});
