import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { type RunnerEnd, RunnerProcess, type RunnerProcessOptions } from "./runner_process.ts";

/** What a scripted peer has at hand: the path of the socket, and a connection to it. */
const PRELUDE = `
const path = Deno.args[0];
const connect = () => Deno.connect({ transport: "unix", path });
const write = (to, text) => to.write(new TextEncoder().encode(text));
const forever = () => new Promise(() => setInterval(() => {}, 1000));
`;

/** A process that runs a script in place of the runner. */
class Scripted implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync();
  readonly lines: string[] = [];
  readonly output: string[] = [];
  readonly process: RunnerProcess;
  readonly end = Promise.withResolvers<RunnerEnd>();
  #waiting: (() => void)[] = [];

  constructor(script: string, options: Partial<RunnerProcessOptions> = {}) {
    const entry = join(this.folder, "peer.ts");
    Deno.writeTextFileSync(entry, PRELUDE + script);
    const socketFolder = join(this.folder, "socket");
    Deno.mkdirSync(socketFolder);
    this.process = new RunnerProcess({
      deno: Deno.execPath(),
      flags: ["--no-config", "--no-lock", "--no-check", "--no-prompt", "--allow-net", "--allow-run"],
      netAll: true,
      entry,
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", PATH: Deno.env.get("PATH") ?? "", HOME: this.folder },
      cwd: this.folder,
      socketFolder,
      onLine: (line) => this.#keep(this.lines, new TextDecoder().decode(line)),
      onOutput: (stream, line) => this.#keep(this.output, `${stream}: ${line}`),
      onEnd: (end) => this.end.resolve(end),
      ...options,
    });
  }

  get socketNames(): string[] {
    return [...Deno.readDirSync(join(this.folder, "socket"))].map((entry) => entry.name);
  }

  /** Settles when there are so many lines or prints. */
  async until(list: string[], count: number): Promise<void> {
    while (list.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #keep(list: string[], text: string): void {
    list.push(text);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill({ what: "was stopped by the test", expected: true });
    await this.process.ended;
    Deno.removeSync(this.folder, { recursive: true });
  }
}

Deno.test("RunnerProcess: lines both ways, one write for one turn, and nobody else connects", async () => {
  await using peer = new Scripted(`
    const c = await connect();
    await write(c, "hello 0 {}\\nhal");
    await write(c, "f\\n");
    const buffer = new Uint8Array(1024);
    const size = await c.read(buffer);
    await write(c, "got " + JSON.stringify(new TextDecoder().decode(buffer.subarray(0, size))) + "\\n");
    await connect().then(() => write(c, "second in\\n"), () => write(c, "second refused\\n"));
    await forever();`);
  await peer.until(peer.lines, 2);
  assert.deepEqual(peer.lines, ["hello 0 {}", "half"]);
  assert.deepEqual(peer.socketNames, [], "the path is gone once somebody is connected");
  peer.process.send("one\n");
  peer.process.send("two\n");
  await peer.until(peer.lines, 4);
  assert.deepEqual(peer.lines.slice(2), ['got "one\\ntwo\\n"', "second refused"]);
});

const ENDS: [what: string, script: string, expected: RegExp, options?: Partial<RunnerProcessOptions>][] = [
  [
    "ends before it connects",
    `console.error("no such flag"); Deno.exit(3);`,
    /^could not be started: no such flag$/,
  ],
  ["does not connect", `await forever();`, /^was stopped: it did not connect in time$/, { connectMs: 300 }],
  [
    "exits",
    `const c = await connect(); await write(c, "x\\n"); Deno.exit(7);`,
    /^died: it ended with exit code 7$/,
  ],
  [
    "kills itself",
    `const c = await connect(); await write(c, "x\\n"); Deno.kill(Deno.pid, "SIGTERM"); await forever();`,
    /SIGTERM/,
  ],
  [
    "has the exit code of a heap overflow",
    `const c = await connect(); await write(c, "x\\n"); Deno.exit(133);`,
    /^ran out of memory$/,
  ],
  [
    "closes its channel and lives on",
    `(await connect()).close(); await forever();`,
    /^died: it closed its channel$/,
  ],
  [
    "sends a line without an end",
    `const c = await connect(); const part = "x".repeat(100000); for (;;) await write(c, part);`,
    /^was stopped: it sent a message without an end$/,
  ],
  [
    "opens the debugger",
    `const c = await connect(); console.error("Debugger listening on ws://127.0.0.1:9229/x"); await forever();`,
    /^was stopped: it opened the debugger$/,
  ],
];

for (const [what, script, expected, options] of ENDS) {
  Deno.test(`RunnerProcess: a process that ${what}`, async () => {
    await using peer = new Scripted(script, options);
    const end = await peer.end.promise;
    assert.match(end.what, expected);
    assert.equal(end.expected, false);
    assert.deepEqual(peer.socketNames, []);
  });
}

Deno.test("RunnerProcess: what it prints comes line by line, a flood only in part", async () => {
  await using peer = new Scripted(`
    const c = await connect();
    console.log("one\\ntwo");
    console.error("three");
    await write(c, "x\\n");
    const line = "y".repeat(1000);
    for (let index = 0; index < 20000; index++) console.log(line);
    await write(c, "done\\n");
    await forever();`);
  await peer.until(peer.lines, 2);
  assert.ok(["stdout: one", "stdout: two", "stderr: three"].every((line) => peer.output.includes(line)));
  assert.ok(peer.output.length < 10_000, `${peer.output.length} of 20,000 lines`);
});

Deno.test("RunnerProcess: killing it ends what it started; the first reason counts", async () => {
  await using peer = new Scripted(`
    const c = await connect();
    const child = new Deno.Command("sleep", { args: ["600"] }).spawn();
    await write(c, child.pid + "\\n");
    await forever();`);
  await peer.until(peer.lines, 1);
  const child = Number(peer.lines[0]);
  assert.ok(isAlive(child));
  peer.process.kill({ what: "was stopped", expected: true });
  peer.process.kill({ what: "again", expected: false });
  assert.deepEqual(await peer.end.promise, { what: "was stopped", expected: true });
  for (let tries = 0; tries < 50 && isAlive(child); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(isAlive(child), false, "the program outlived its runner");
});

Deno.test("RunnerProcess: a program that is not there is our fault", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const nothing = () => {};
    const options = { flags: [], netAll: true, entry: "x", env: {}, cwd: folder, socketFolder: folder };
    const events = { onLine: nothing, onOutput: nothing, onEnd: nothing };
    assert.throws(() => new RunnerProcess({ deno: join(folder, "deno"), ...options, ...events }), {
      code: "engine",
    });
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A child nobody waited for is there as a zombie until its new parent does.
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
