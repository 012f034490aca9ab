import assert from "node:assert/strict";
import { beeuniCommand } from "./beeuni.ts";
import { testEnvironment } from "./support/environment.ts";
import { eventually } from "./support/eventually.ts";
import { FakeSessions, type FakeTurn } from "./support/fake_sessions.ts";
import { Project } from "./support/project.ts";
import { beeuni } from "./support/run.ts";
import { TextStream } from "./support/text_stream.ts";

const FILES = { "beeuni.yaml": "tools:\n  show: beeuni:show\n" };

/** A project whose daemon is a fake one that plays turns; both go with the block. */
async function bench(play: (turn: FakeTurn) => void | Promise<void> = answers) {
  const project = new Project({ files: FILES });
  const fake = await FakeSessions.start(project, play);
  return {
    project,
    fake,
    run: (...args: string[]) => beeuni(project, ["sessions", ...args]),
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

/** A turn with a tool call between two messages. */
function answers(turn: FakeTurn): void {
  const first = turn.message();
  turn.text(first, "I look");
  turn.text(first, " it up.");
  turn.call(first, { call: "c1", tool: "lookup_order", args: { id: "A-1042" } });
  turn.call(first, { call: "c1", status: "completed", output: "shipped", ms: 12 });
  turn.text(turn.message(), "It is shipped.");
  turn.end("completed");
}

/** A command that a test talks to while it runs. */
function spawn(project: Project, args: readonly string[]) {
  const child = beeuniCommand(["sessions", ...args], {
    cwd: project.root,
    clearEnv: true,
    env: testEnvironment(project),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdout = new TextStream(child.stdout);
  const stderr = new TextStream(child.stderr);
  const ended = async () => {
    const [{ code }] = await Promise.all([child.status, stdout.ended, stderr.ended]);
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
  return { child, stdout, stderr, ended };
}

Deno.test("sessions new prints the id, and why this harness", async () => {
  await using place = await bench();
  place.fake.because = "OpenCode is not there.";
  const { code, stdout, stderr } = await place.run(
    "new",
    "--prompt",
    "Do it.",
    "--agent",
    "helper",
    "--model",
    "a/b",
  );
  assert.deepEqual([code, stdout, stderr], [
    0,
    "ses_01abcdef\n",
    "the harness is experimental: OpenCode is not there.\n",
  ]);
  assert.deepEqual(place.fake.requests.at(-1), {
    method: "POST",
    path: "/beeuni/sessions",
    body: { agent: "helper", model: "a/b", prompt: "Do it.", attended: true },
  });
});

Deno.test("sessions new --json is the session", async () => {
  await using place = await bench();
  const { code, stdout } = await place.run("new", "--harness", "standard", "--json");
  assert.equal(code, 0);
  const document = JSON.parse(stdout);
  assert.equal(document.id, "ses_01abcdef");
  assert.equal(document.harness, "standard");
  assert.deepEqual(place.fake.requests.at(-1)?.body, { harness: "standard", attended: true });
});

Deno.test("--wait: the id on the first line, then the answer with a line per tool call; exit code 0", async () => {
  await using place = await bench();
  const { code, stdout, stderr } = await place.run("new", "--wait", "--prompt", "Look it up.");
  assert.deepEqual([code, stdout, stderr], [
    0,
    "ses_01abcdef\nI look it up.\n[lookup_order · completed · 12 ms]\nIt is shipped.\n",
    "the harness is experimental.\n",
  ]);
  // Nobody sits at a terminal who could answer.
  assert.deepEqual(place.fake.requests.at(-1)?.body, { prompt: "Look it up.", attended: false });
});

Deno.test("--prompt - is all of stdin, and prompt goes on with a session", async () => {
  await using place = await bench();
  const { id } = place.fake.add();
  const { code, stdout } = await beeuni(
    place.project,
    ["sessions", "prompt", id, "--wait", "--prompt", "-"],
    {
      stdin: "one\ntwö\n",
    },
  );
  assert.equal(code, 0);
  assert.equal(stdout, `${id}\nI look it up.\n[lookup_order · completed · 12 ms]\nIt is shipped.\n`);
  assert.deepEqual(place.fake.requests.at(-1), {
    method: "POST",
    path: `/beeuni/sessions/${id}/prompt`,
    body: { prompt: "one\ntwö\n", attended: false },
  });
});

Deno.test("--wait --json is one document: the session with the messages of the turn", async () => {
  await using place = await bench();
  const old = {
    id: "old",
    role: "user",
    created: "2026-12-01T00:00:00.000Z",
    text: "Before.",
    tools: [],
  } as const;
  const { id } = place.fake.add([{ ...old, tools: [] }]);
  const { code, stdout, stderr } = await place.run("prompt", id, "--wait", "--json", "--prompt", "Again.");
  assert.deepEqual([code, stderr], [0, ""]);
  const document = JSON.parse(stdout);
  assert.equal(document.id, id);
  assert.equal(document.state, "completed");
  assert.deepEqual(document.messages.map(({ text }: { text: string }) => text), [
    "Again.",
    "I look it up.",
    "It is shipped.",
  ]);
  assert.equal(document.messages[1].tools[0].output, "shipped");
});

Deno.test("a turn that failed or was stopped: exit code 1, and why on stderr", async () => {
  const ends: [FakeTurn["end"] extends (...args: infer Args) => void ? Args : never, string, string][] = [
    [
      ["failed", { error: "the model can't be reached.", code: "model_failed" }],
      "the model can't be reached.",
      "model_failed",
    ],
    [["stopped"], "the turn was stopped.", "aborted"],
    [["interrupted"], "the daemon ended in the midst of the turn.", "daemon_not_running"],
  ];
  for (const [end, error, code] of ends) {
    await using place = await bench((turn) => {
      turn.text(turn.message(), "I ");
      turn.end(...end);
    });
    const plain = await place.run("new", "--wait", "--prompt", "x");
    assert.deepEqual([plain.code, plain.stdout], [1, "ses_01abcdef\nI \n"]);
    assert.ok(plain.stderr.includes(`\nbeeuni: ${error}\n`) || end[0] === "failed", plain.stderr);
    const json = await place.run("new", "--wait", "--json", "--prompt", "x");
    assert.equal(json.code, 1);
    assert.equal(JSON.parse(json.stdout).state, end[0]);
    // A turn that was over before anybody followed has no code any more.
    if (end[0] !== "failed") assert.equal(JSON.parse(json.stdout).code, code);
  }
});

Deno.test("a failure that is told while one waits has its reason and its code", async () => {
  const gate = Promise.withResolvers<void>();
  await using place = await bench(async (turn) => {
    turn.text(turn.message(), "I");
    await gate.promise;
    turn.end("failed", { error: "the model can't be reached.", code: "model_failed" });
  });
  const command = spawn(place.project, ["new", "--wait", "--prompt", "x"]);
  await eventually(() => assert.equal(command.stdout.text, "ses_01abcdef\nI"), { within: 20_000 });
  gate.resolve();
  const { code, stderr } = await command.ended();
  assert.equal(code, 1);
  assert.match(stderr, /^beeuni: the model can't be reached\.$/m);
  assert.match(stderr, /^ {2}→ `beeuni sessions log ses_01abcdef` shows how far it came\.$/m);
});

Deno.test("--timeout stops the turn: exit code 124", async () => {
  await using place = await bench(async (turn) => {
    turn.text(turn.message(), "I wait");
    await turn.stopped;
    turn.end("stopped");
  });
  const { code, stdout, stderr } = await place.run("new", "--wait", "--timeout", "300ms", "--prompt", "x");
  assert.deepEqual([code, stdout], [124, "ses_01abcdef\nI wait\n"]);
  assert.match(stderr, /^beeuni: the turn did not end within 300ms and was stopped\.$/m);
  assert.equal(place.fake.requests.at(-1)?.path, "/beeuni/sessions/ses_01abcdef/stop");
  const json = await place.run("new", "--wait", "--timeout", "300ms", "--json", "--prompt", "x");
  assert.equal(json.code, 124);
  const document = JSON.parse(json.stdout);
  assert.deepEqual([document.state, document.code], ["stopped", "timed_out"]);
});

Deno.test("Ctrl-C stops the turn: exit code 130; a second one leaves at once", async () => {
  for (const twice of [false, true]) {
    await using place = await bench(async (turn) => {
      turn.text(turn.message(), "I wait");
      await turn.stopped;
      // The second Ctrl-C does not wait for the end.
      if (!twice) turn.end("stopped");
    });
    const command = spawn(place.project, ["new", "--wait", "--prompt", "x"]);
    await eventually(() => assert.equal(command.stdout.text, "ses_01abcdef\nI wait"), { within: 20_000 });
    command.child.kill("SIGINT");
    if (twice) {
      await eventually(() => assert.match(place.fake.requests.at(-1)?.path ?? "", /\/stop$/), {
        within: 20_000,
      });
      command.child.kill("SIGINT");
    }
    const { code } = await command.ended();
    assert.equal(code, 130);
    assert.match(place.fake.requests.at(-1)?.path ?? "", /\/stop$/);
  }
});

Deno.test("a daemon that dies in the midst is told: exit code 1, the session goes on with the next prompt", async () => {
  await using place = await bench((turn) => turn.text(turn.message(), "I wait"));
  const command = spawn(place.project, ["new", "--wait", "--prompt", "x"]);
  await eventually(() => assert.equal(command.stdout.text, "ses_01abcdef\nI wait"), { within: 20_000 });
  await place.fake.die();
  const { code, stderr } = await command.ended();
  assert.equal(code, 1);
  assert.match(stderr, /^beeuni: the daemon ended in the midst of the turn\.$/m);
  assert.match(
    stderr,
    /Session ses_01abcdef goes on with its next prompt: `beeuni sessions prompt ses_01abcdef /,
  );
});

Deno.test("a connection that was lost is made anew: nothing is lost, nothing comes twice", async () => {
  const gate = Promise.withResolvers<void>();
  await using place = await bench(async (turn) => {
    const message = turn.message();
    turn.text(message, "one ");
    await gate.promise;
    turn.text(message, "two");
    turn.end("completed");
  });
  const command = spawn(place.project, ["new", "--wait", "--prompt", "x"]);
  await eventually(() => assert.equal(command.stdout.text, "ses_01abcdef\none "), { within: 20_000 });
  place.fake.dropFollowers();
  gate.resolve();
  const { code, stdout } = await command.ended();
  assert.deepEqual([code, stdout], [0, "ses_01abcdef\none two\n"]);
});

Deno.test("a closed pipe ends the command quietly, and the turn goes on", async () => {
  const gate = Promise.withResolvers<void>();
  await using place = await bench(async (turn) => {
    const message = turn.message();
    await gate.promise;
    turn.text(message, "nobody reads this");
  });
  const child = beeuniCommand(["sessions", "new", "--wait", "--prompt", "x"], {
    cwd: place.project.root,
    clearEnv: true,
    env: testEnvironment(place.project),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new TextStream(child.stderr);
  const reader = child.stdout.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "ses_01abcdef\n");
  await reader.cancel();
  gate.resolve();
  assert.equal((await child.status).code, 0);
  await stderr.ended;
  assert.equal(stderr.text, "the harness is experimental.\n");
  assert.ok(!place.fake.requests.some(({ path }) => path.endsWith("/stop")));
});

Deno.test("a question without a terminal: how to answer and until when; answer answers it", async () => {
  let answer = "";
  await using place = await bench(async (turn) => {
    answer = await turn.ask({ text: "git push\x1b[2J" });
    turn.text(turn.message(), "Done.");
    turn.end("completed");
  });
  const command = spawn(place.project, ["new", "--wait", "--prompt", "x"]);
  await eventually(() => assert.match(command.stderr.text, /→ Answer/), { within: 20_000 });
  const told = command.stderr.text.split("\n").slice(-3, -1);
  assert.deepEqual(told, [
    "beeuni: bash needs your permission: git push\\x1b[2J",
    "  → Answer with `beeuni sessions answer ses_01abcdef once|always|reject` until 2026-12-01T10:10:00Z.",
  ]);
  assert.match((await place.run("ls")).stdout, /^ses_01abcdef +asks /m);
  const wrong = await place.run("answer", "ses_01abcdef", "yes");
  assert.equal(wrong.code, 2);
  assert.equal(
    wrong.stderr,
    'beeuni: "yes" is no answer to whether a call may go on.\n  → Answer once, always or reject.\n',
  );
  const right = await place.run("answer", "ses_01", "once");
  assert.deepEqual([right.code, right.stdout], [0, "once: bash: git push\x1b[2J\n".replace("\x1b", "\\x1b")]);
  const { code, stdout } = await command.ended();
  assert.deepEqual([code, stdout, answer], [0, "ses_01abcdef\nDone.\n", "once"]);
  const nothing = await place.run("answer", "ses_01abcdef", "once");
  assert.deepEqual([nothing.code, nothing.stderr.split("\n")[0]], [
    1,
    "beeuni: session ses_01abcdef asks nothing.",
  ]);
});

const hasScript =
  new Deno.Command("sh", { args: ["-c", "command -v script"], stdout: "null" }).outputSync().success;

Deno.test({
  name: "a question at a terminal is asked there",
  ignore: !hasScript,
  fn: async () => {
    let answer = "";
    await using place = await bench(async (turn) => {
      turn.text(turn.message(), "May I?");
      answer = await turn.ask({});
      turn.text(turn.message(), "Done\x1b[2J.");
      turn.end("completed");
    });
    const { program, first } = (await import("./beeuni.ts")).beeuniProgram();
    const line = [program, ...first, "sessions", "new", "--wait", "--prompt", "x"].map((word) => `'${word}'`)
      .join(" ");
    const child = new Deno.Command("script", {
      args: ["-qec", line, "/dev/null"],
      cwd: place.project.root,
      clearEnv: true,
      env: { ...testEnvironment(place.project), TERM: "xterm" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const screen = new TextStream(child.stdout);
    await eventually(() => assert.match(screen.text, /once, always or reject\?/), { within: 20_000 });
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("always\n"));
    const { code } = await child.status;
    await screen.ended;
    await writer.close().catch(() => {});
    assert.deepEqual([code, answer], [0, "always"]);
    assert.match(screen.text, /^May I\?\r?\n/m);
    assert.match(screen.text, /Done\\x1b\[2J\./);
    assert.deepEqual(place.fake.requests.at(0)?.body, { prompt: "x", attended: true });
  },
});

Deno.test("log prints messages in order with role, time and every tool call; --json has all of it", async () => {
  await using place = await bench();
  const { id } = place.fake.add();
  await place.run("prompt", id, "--wait", "--prompt", "Look it up.");
  const { code, stdout } = await place.run("log", id);
  assert.equal(code, 0);
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
  assert.match(
    stdout,
    new RegExp(
      `^user · ${time}\nLook it up\\.\n\nassistant · ${time}\nI look it up\\.\n` +
        String
          .raw`\[lookup_order · completed · 12 ms\]\n  arguments: \{"id":"A-1042"\}\n  output: shipped\n\n` +
        `assistant · ${time}\nIt is shipped\\.\n\n$`,
    ),
  );
  // No id: the newest session.
  assert.equal((await place.run("log")).stdout, stdout);
  const json = JSON.parse((await place.run("log", id, "--json")).stdout);
  assert.deepEqual(json.map(({ role, text }: Record<string, string>) => [role, text]), [
    ["user", "Look it up."],
    ["assistant", "I look it up."],
    ["assistant", "It is shipped."],
  ]);
  assert.deepEqual(json[1].tools, [
    {
      call: "c1",
      tool: "lookup_order",
      status: "completed",
      args: { id: "A-1042" },
      output: "shipped",
      ms: 12,
    },
  ]);
  assert.equal(JSON.parse((await place.run("log", "--limit", "1", "--json")).stdout).length, 1);
});

Deno.test("log says what a call that runs waits for, and that there is nothing yet", async () => {
  await using place = await bench(async (turn) => {
    const message = turn.message();
    turn.call(message, { call: "c1", tool: "bash", args: { command: "git push" } });
    await turn.ask({});
    turn.call(message, { call: "c1", status: "completed", output: "pushed", ms: 3 });
    turn.end("completed");
  });
  const { id } = place.fake.add();
  const empty = await place.run("log", id);
  assert.deepEqual(empty, { code: 0, stdout: "", stderr: "beeuni: the session has no messages yet.\n" });
  assert.equal((await place.run("prompt", id, "--prompt", "x")).code, 0);
  const { code, stdout, stderr } = await place.run("log", id);
  assert.equal(code, 0);
  assert.match(stdout, /^\[bash · running · \d+ ms\]$/m);
  assert.equal(
    stderr,
    "beeuni: bash needs your permission: git push\n" +
      `  → Answer with \`beeuni sessions answer ${id} once|always|reject\` until 2026-12-01T10:10:00Z.\n`,
  );
  assert.equal((await place.run("log", id, "--json")).stderr, "");
  assert.equal((await place.run("answer", id, "once")).code, 0);
  await eventually(async () => assert.equal((await place.run("log", id)).stderr, ""));
});

Deno.test("log --follow waits for the turn, prints it as it comes and ends with it", async () => {
  const gate = Promise.withResolvers<void>();
  await using place = await bench(async (turn) => {
    const message = turn.message();
    turn.text(message, "one");
    await gate.promise;
    turn.call(message, { call: "c", status: "error", error: "no", ms: 3 });
    turn.end("completed");
  });
  const { id } = place.fake.add();
  const command = spawn(place.project, ["log", "--follow"]);
  await eventually(() => assert.equal(place.fake.requests.length > 0, true), { within: 20_000 });
  await place.run("prompt", id, "--prompt", "Go.");
  await eventually(() => assert.match(command.stdout.text, /one$/), { within: 20_000 });
  gate.resolve();
  const { code, stdout } = await command.ended();
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^user · \S+\nGo\.\n\nassistant · \S+\none\n\[lookup_order · error · 3 ms\]\n {2}arguments: \{\}\n {2}error: no\n$/,
  );
});

Deno.test("ls lists the sessions, the newest first; stop and rm work on one", async () => {
  await using place = await bench(async (turn) => {
    await turn.stopped;
    turn.end("stopped");
  });
  const { id } = place.fake.add([], { title: "Look\x1b it up" });
  place.fake.add([], { agent: "helper" });
  const { stdout } = await place.run("ls");
  const lines = stdout.split("\n");
  assert.match(lines[0] ?? "", /^ID +STATE +AGENT +HARNESS +UPDATED +TITLE$/);
  assert.match(lines[1] ?? "", /^ses_02abcdef +idle +helper +experimental +2027-\S+Z$/);
  assert.match(lines[2] ?? "", /^ses_01abcdef +idle +beeuni +experimental +2027-\S+Z +Look\\x1b it up$/);
  const { sessions } = JSON.parse((await place.run("ls", "--json")).stdout);
  assert.deepEqual(sessions.map((session: { id: string }) => session.id), ["ses_02abcdef", "ses_01abcdef"]);

  const idle = await place.run("stop", id);
  assert.deepEqual([idle.code, idle.stderr], [1, "beeuni: no turn runs.\n"]);
  await place.run("prompt", id, "--prompt", "x");
  const stopped = await place.run("stop", id, "--json");
  assert.deepEqual([stopped.code, JSON.parse(stopped.stdout).state], [0, "stopped"]);

  const removed = await place.run("rm", id);
  assert.deepEqual([removed.code, removed.stdout], [0, `removed ${id}\n`]);
  const again = await place.run("rm", id);
  assert.deepEqual([again.code, again.stderr], [
    1,
    `beeuni: there is no session ${id}.\n  → Did you mean ses_02abcdef?\n`,
  ]);
});

Deno.test("the shell completes the ids of sessions", async () => {
  await using place = await bench();
  place.fake.add([], { title: "Look it up" });
  place.fake.add();
  for (const verb of ["prompt", "log", "stop", "answer", "rm"]) {
    const { code, stdout } = await beeuni(place.project, ["complete", "--", "sessions", verb, "ses_"]);
    assert.equal(code, 0);
    assert.deepEqual(stdout.split("\n").slice(0, 2).map((line) => line.split("\t")), [
      ["ses_02abcdef", ""],
      ["ses_01abcdef", "Look it up"],
    ], verb);
  }
});

Deno.test("what the daemon refuses is told in its words, with its exit code", async () => {
  await using place = await bench();
  place.fake.refuse = {
    status: 409,
    body: { error: "no model is configured.", code: "no_model", hint: "Set BEEUNI_MODEL_BASE_URL." },
  };
  const { code, stdout, stderr } = await place.run("new", "--wait", "--prompt", "x");
  assert.deepEqual([code, stdout, stderr], [
    1,
    "",
    "beeuni: no model is configured.\n  → Set BEEUNI_MODEL_BASE_URL.\n",
  ]);
});

Deno.test("wrong use: exit code 2, and nothing is asked of a daemon", async () => {
  await using place = await bench();
  const cases: [string[], string][] = [
    [["new", "--wait"], "--wait needs a prompt: without one there is no answer to wait for."],
    [["new", "--prompt", ""], "the prompt is empty."],
    [["new", "--prompt", "-", "--wait"], "the prompt is empty."],
    [["new", "--prompt", "x", "--timeout", "5s"], "--timeout needs --wait."],
    [
      ["new", "--prompt", "x", "--wait", "--timeout", "5"],
      "--timeout must be a time from 100ms to 1h with its unit, not 5.",
    ],
    [["prompt", "ses_1"], "a prompt is missing."],
    [["prompt", "ses_1", "--wait"], "a prompt is missing."],
    [["answer", "ses_1"], "missing required argument 'answer'."],
    [["lgo"], "unknown command 'lgo'."],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await place.run(...args);
    assert.deepEqual([code, stdout, stderr.split("\n")[0]], [2, "", `beeuni: ${message}`], args.join(" "));
  }
  assert.deepEqual(place.fake.requests, []);
});

Deno.test("harness install-plugin writes the plugin into a folder and prints its path", async () => {
  using project = new Project({ files: FILES });
  const run = await beeuni(project, ["harness", "install-plugin", "--dir", "plugins"]);
  assert.deepEqual([run.code, run.stderr], [
    0,
    "beeuni: the tools are there while the project's daemon runs: `beeuni daemon`.\n",
  ]);
  assert.equal(
    run.stdout,
    `${project.path("plugins")}/${[...Deno.readDirSync(project.path("plugins"))][0]?.name}\n`,
  );
  const json = await beeuni(project, ["harness", "install-plugin", "--json"], {
    env: { XDG_CONFIG_HOME: project.outside },
  });
  const { plugin, bridge } = JSON.parse(json.stdout);
  assert.ok(plugin.startsWith(`${project.outside}/opencode/plugin/`), plugin);
  assert.equal(Deno.statSync(bridge).mode! & 0o777, 0o600);
});

Deno.test("without a daemon: ls and log read what there is and start none; stop and answer say so", async () => {
  using project = new Project({ files: FILES });
  const run = (...args: string[]) => beeuni(project, ["sessions", ...args]);
  assert.deepEqual(await run("ls"), { code: 0, stdout: "(no sessions)\n", stderr: "" });
  assert.deepEqual(await run("log"), {
    code: 1,
    stdout: "",
    stderr:
      "beeuni: the project has no sessions yet.\n  → Start one with `beeuni sessions new --prompt …`.\n",
  });
  for (const line of [["stop", "ses_1"], ["answer", "ses_1", "once"]]) {
    const { code, stderr } = await run(...line);
    assert.deepEqual([code, stderr.split("\n")[0]], [
      1,
      "beeuni: no turn runs in session ses_1: no daemon runs for this project.",
    ]);
  }
  assert.throws(() => Deno.statSync(project.state), Deno.errors.NotFound);
});
