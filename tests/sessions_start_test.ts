import assert from "node:assert/strict";
import { join } from "node:path";
import { beeuniCommand } from "./beeuni.ts";
import { testEnvironment } from "./support/environment.ts";
import { eventually } from "./support/eventually.ts";
import { isRunning } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { beeuni } from "./support/run.ts";
import { type ScriptStep, startScriptedModel } from "./support/scripted_model.ts";
import { TextStream } from "./support/text_stream.ts";

const KEY = "model-key-7c41e0";

/** A project without a daemon, and a model; the daemon that a command started ends with the block. */
async function bench() {
  const project = new Project({ fixture: "sessions/main" });
  const model = await startScriptedModel({ key: KEY });
  const env = { BEEUNI_MODEL_BASE_URL: model.url, BEEUNI_MODEL_API_KEY: KEY };
  return {
    project,
    env,
    run: (...args: string[]) => beeuni(project, args, { env }),
    begin: (...args: string[]) =>
      beeuni(project, ["sessions", "new", "--harness", "experimental", "--model", "scripted/m", ...args], {
        env,
      }),
    prompt(script: readonly ScriptStep[]) {
      const prompt = `Do what script ${crypto.randomUUID()} says.`;
      model.on(prompt, script);
      return prompt;
    },
    daemon: (): { url: string; pid: number } =>
      JSON.parse(Deno.readTextFileSync(join(project.state, "daemon.json"))),
    async [Symbol.asyncDispose]() {
      await beeuni(project, ["daemon", "stop"], { env });
      await model[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

const LOOK_UP: ScriptStep[] = [
  { tool: "lookup_order", args: { id: "A-1042" }, text: "I look it up." },
  { text: "It is there." },
];

Deno.test("a command starts the daemon that is missing; two at once start one; the next finds it", async () => {
  await using place = await bench();
  const [one, two] = await Promise.all(
    [1, 2].map(() => place.begin("--wait", "--prompt", place.prompt(LOOK_UP))),
  );
  for (const run of [one, two]) {
    assert.equal(run?.code, 0, String(run?.stderr));
    assert.match(
      run?.stdout ?? "",
      /^ses_\w+\nI look it up\.\n\[lookup_order · completed · \d+ ms\]\nIt is there\.\n$/,
    );
  }
  const { pid } = place.daemon();
  const id = one?.stdout.split("\n")[0] ?? "";
  const next = await place.run(
    "sessions",
    "prompt",
    id,
    "--wait",
    "--prompt",
    place.prompt([{ text: "Once more." }]),
  );
  assert.deepEqual([next.code, next.stdout], [0, `${id}\nOnce more.\n`], next.stderr);
  assert.equal(place.daemon().pid, pid);
  assert.equal(Deno.statSync(join(place.project.state, "daemon.log")).mode! & 0o777, 0o600);

  // The same words through the daemon, and without one.
  const list = JSON.parse((await place.run("sessions", "ls", "--json")).stdout);
  const log = await place.run("sessions", "log", id);
  assert.match(
    log.stdout,
    /^\[lookup_order · completed · \d+ ms\]\n {2}arguments: \{"id":"A-1042"\}\n {2}output:/m,
  );
  const json = JSON.parse((await place.run("sessions", "log", id, "--json")).stdout);
  assert.equal((await place.run("daemon", "stop")).code, 0);
  assert.deepEqual(JSON.parse((await place.run("sessions", "ls", "--json")).stdout), list);
  assert.equal((await place.run("sessions", "log", id)).stdout, log.stdout);
  assert.deepEqual(JSON.parse((await place.run("sessions", "log", id, "--json")).stdout), json);
  assert.equal((await place.run("daemon", "status")).code, 1, "reading started a daemon");
});

Deno.test("a daemon that is killed in the midst: the command says so, and the session goes on", async () => {
  await using place = await bench();
  const prompt = place.prompt([{ tool: "lookup_order", args: { id: "A-1042" }, text: "First." }, {
    silent: true,
    text: "Then",
  }]);
  const args = [
    "sessions",
    "new",
    "--harness",
    "experimental",
    "--model",
    "scripted/m",
    "--wait",
    "--prompt",
    prompt,
  ];
  const child = beeuniCommand(args, {
    cwd: place.project.root,
    clearEnv: true,
    env: testEnvironment(place.project, place.env),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [stdout, stderr] = [new TextStream(child.stdout), new TextStream(child.stderr)];
  await eventually(() => assert.match(stdout.text, /Then$/), { within: 30_000 });
  const { pid } = place.daemon();
  Deno.kill(pid, "SIGKILL");
  const { code } = await child.status;
  await Promise.all([stdout.ended, stderr.ended]);
  assert.equal(code, 1);
  assert.match(stderr.text, /^beeuni: the daemon ended in the midst of the turn\.$/m);
  const [id = ""] = stdout.lines;

  const left = JSON.parse((await place.run("sessions", "ls", "--json")).stdout).sessions[0];
  assert.deepEqual([left.id, left.state], [id, "interrupted"]);
  const next = await place.run(
    "sessions",
    "prompt",
    id,
    "--wait",
    "--prompt",
    place.prompt([{ text: "Go on." }]),
  );
  assert.deepEqual([next.code, next.stdout], [0, `${id}\nGo on.\n`], next.stderr);
  assert.notEqual(place.daemon().pid, pid);
  const texts = JSON.parse((await place.run("sessions", "log", "--json")).stdout).map((
    one: { text: string },
  ) => one.text);
  assert.deepEqual([texts[1], texts.at(-1)], ["First.", "Go on."]);
});

Deno.test("the daemon outlives the command and its signal; Ctrl-C stops the turn alone", async () => {
  await using place = await bench();
  const args = [
    "sessions",
    "new",
    "--harness",
    "experimental",
    "--model",
    "scripted/m",
    "--wait",
    "--prompt",
  ];
  const child = beeuniCommand([...args, place.prompt([{ silent: true, text: "Wait" }])], {
    cwd: place.project.root,
    clearEnv: true,
    env: testEnvironment(place.project, place.env),
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const stdout = new TextStream(child.stdout);
  await eventually(() => assert.match(stdout.text, /Wait$/), { within: 30_000 });
  child.kill("SIGINT");
  assert.equal((await child.status).code, 130);
  await stdout.ended;
  assert.ok(isRunning(place.daemon().pid));
  const [session] = JSON.parse((await place.run("sessions", "ls", "--json")).stdout).sessions;
  assert.equal(session.state, "stopped");
});

Deno.test("a daemon that can't start tells why, in the command that wanted it", async () => {
  using project = new Project({ files: { "beeuni.yaml": "tools: [\n" } });
  const run = await beeuni(project, ["sessions", "new", "--prompt", "x"]);
  const own = await beeuni(project, ["daemon"]);
  assert.equal(run.code, 1);
  const reason = own.stderr.split("\n").find((line) => line.startsWith("beeuni: "))?.slice("beeuni: ".length);
  assert.ok(reason !== undefined, own.stderr);
  assert.equal(run.stderr.split("\n")[0], `beeuni: the daemon did not start: ${reason}`);
});
