import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { Listener } from "./support/listener.ts";
import { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { beeuni, type RunResult } from "./support/run.ts";
import type { ScriptStep } from "./support/scripted_model.ts";
import { HARNESSES, MODEL, SessionBench, sessionEnvironment } from "./support/sessions.ts";

// What is missing, wrong or down: a clear error that says what to do, and nothing is lost (specification 4, 5.1).

const NOWHERE = "http://127.0.0.1:9/v1";

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `sessions, bad input: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

/** A project whose daemon starts by itself with the first command and is stopped at the end. */
async function withProject(
  env: Record<string, string>,
  work: (project: Project, run: (...args: string[]) => Promise<RunResult>) => Promise<void>,
): Promise<void> {
  using project = new Project({ fixture: "sessions/trimmed" });
  const all = { ...await sessionEnvironment(NOWHERE), ...env };
  try {
    await work(project, (...args) => beeuni(project, args, { env: all }));
  } finally {
    await beeuni(project, ["daemon", "stop"], { env: all });
  }
}

/** The command failed with a sentence that matches, and with what to do. */
function assertFailed({ code, stderr }: RunResult, message: RegExp, hint: RegExp): void {
  assert.equal(code, 1, stderr);
  assertReadable(stderr);
  const line = stderr.split("\n").find((line) => line.startsWith("beeuni: ")) ?? "";
  assert.match(line, message, stderr);
  assert.match(stderr.slice(stderr.indexOf(line)), hint);
}

/** A program that says it is some version of OpenCode. */
function fakeOpenCode(project: Project, script: string): string {
  const file = join(project.outside, "opencode");
  Deno.writeTextFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

const ASK = ["sessions", "new", "--wait", "--prompt", "hello"];

test("no model", () =>
  withProject({}, async (_, run) => {
    for (const harness of HARNESSES) {
      const failed = await run(...ASK, "--harness", harness);
      assertFailed(failed, /no model is configured: name one with --model/, /ANTHROPIC_API_KEY/);
    }
    assertFailed(await run(...ASK, "--model", "gpt"), /a model is written <provider>\/<model>/, /→ /);
  }));

test("a provider that is down", () =>
  withProject({}, async (_, run) => {
    for (const harness of HARNESSES) {
      const failed = await run(...ASK, "--model", MODEL, "--harness", harness);
      assertFailed(
        failed,
        /the model scripted\/model at 127\.0\.0\.1:9 can't be reached/,
        /→ .*BEEUNI_MODEL_BASE_URL/,
      );
    }
    const { sessions } = JSON.parse((await run("sessions", "ls", "--json")).stdout);
    assert.deepEqual(sessions.map(({ state }: { state: string }) => state), ["failed", "failed"]);
  }));

test("OpenCode is missing", () =>
  withProject({ BEEUNI_OPENCODE: "/nowhere/opencode" }, async (_, run) => {
    const failed = await run(...ASK, "--model", MODEL, "--harness", "standard");
    assertFailed(failed, /OpenCode/, /→ .*(install|BEEUNI_OPENCODE|npm)/);
    const other = await run(...ASK, "--model", MODEL);
    assert.match(other.stderr, /experimental/, "which harness it is instead");
    assertFailed(other, /can't be reached/, /→ /);
  }));

test("OpenCode is too old", async () => {
  using place = new Project();
  const BEEUNI_OPENCODE = fakeOpenCode(place, 'echo "1.2.27"');
  await withProject({ BEEUNI_OPENCODE }, async (_, run) => {
    const failed = await run(...ASK, "--model", MODEL, "--harness", "standard");
    assertFailed(failed, /1\.2\.27/, /1\.18/);
  });
});

test("OpenCode ends at once, or is another program", async () => {
  using place = new Project();
  for (
    const script of ['case "$1" in --version) echo 1.18.33;; *) echo "no home" >&2; exit 3;; esac', "exit 0"]
  ) {
    await withProject({ BEEUNI_OPENCODE: fakeOpenCode(place, script) }, async (_, run) => {
      const failed = await run(...ASK, "--model", MODEL, "--harness", "standard");
      assertFailed(failed, /OpenCode/, /→ /);
    });
  }
});

test("the daemon's port is taken", async () => {
  await using listener = new Listener();
  using project = new Project({ fixture: "sessions/trimmed" });
  const failed = await beeuni(project, ["daemon", "--port", String(listener.port)]);
  assertFailed(failed, new RegExp(`port ${listener.port}`), /→ .*--port/);
});

test("a state directory that can't be written", async () => {
  using project = new Project({ fixture: "sessions/trimmed" });
  // A file in the way refuses root too, which a mode does not.
  const file = join(project.outside, "file");
  Deno.writeTextFileSync(file, "");
  const failed = await beeuni(project, [...ASK, "--model", MODEL], {
    env: { BEEUNI_STATE_DIR: join(file, "state") },
  });
  assertFailed(failed, /state/, /→ .*BEEUNI_STATE_DIR/);
});

test("a database from a newer version is left as it is", async () => {
  await withProject({}, async (project, run) => {
    assert.equal((await run("secrets", "set", "SOME_KEY=some-value-1")).code, 0);
    using database = new DatabaseSync(join(project.state, "state.db"));
    database.exec("INSERT INTO schema_version VALUES (99)");
    assertFailed(await run(...ASK, "--model", MODEL), /newer version of beeuni/, /→ .*BEEUNI_STATE_DIR/);
    database.exec("DELETE FROM schema_version WHERE version = 99");
    assert.match((await run("secrets", "ls")).stdout, /SOME_KEY/);
  });
});

/** What a provider does, and what the turn ends with. */
const FAILURES: { name: string; steps: ScriptStep[]; error: RegExp }[] = [
  {
    name: "an error page",
    steps: [{ status: 500, body: "<html><body>oops</body></html>" }],
    error: /HTTP 500/,
  },
  {
    name: "a refusal",
    steps: [{ status: 400, body: '{"error":{"message":"bad tools"}}' }],
    error: /bad tools/,
  },
  {
    name: "a context that is too long",
    steps: [{
      status: 400,
      body: '{"error":{"message":"This model\'s maximum context length is 8192 tokens."}}',
    }],
    error: /longer than the model/,
  },
  {
    name: "no credit",
    steps: [{ status: 429, body: '{"error":{"message":"no credit"}}' }],
    error: /HTTP 429/,
  },
  { name: "a cut connection", steps: [{ cut: true, text: "half of" }], error: /scripted\/model/ },
];

test("what providers do: the turn fails with a reason, the next one works", async () => {
  await using bench = await SessionBench.start({ fixture: "sessions/trimmed" });
  for (const harness of HARNESSES) {
    const turns = FAILURES.map(async ({ name, steps, error }) => {
      const turn = await bench.turn(steps, { harness });
      const told = `${harness}, ${name}: ${JSON.stringify(turn.messages)}`;
      assert.equal(turn.state, "failed", told);
      const reason = turn.messages.findLast((message) => message.error !== undefined)?.error;
      assertReadable(reason);
      assert.match(reason, error, told);
      assert.doesNotMatch(reason, /<html|model-key/, told);
      const next = await bench.turn([{ text: "better" }], { harness, session: turn.session.id });
      assert.deepEqual([next.state, next.messages.at(-1)?.text], ["completed", "better"], told);
    });
    await Promise.all(turns);
    const busy = await bench.turn(
      [{ status: 429, headers: { "retry-after": "1" }, times: 1 }, { text: "at last" }],
      { harness },
    );
    assert.deepEqual(
      [busy.state, busy.messages.at(-1)?.text],
      ["completed", "at last"],
      JSON.stringify(busy),
    );
  }
});

test("a wrong key", async () => {
  await using bench = await SessionBench.start({
    fixture: "sessions/trimmed",
    daemon: { env: { BEEUNI_MODEL_API_KEY: "not-the-right-key" } },
  });
  for (const harness of HARNESSES) {
    const failed = await bench.beeuni([...ASK, "--model", MODEL, "--harness", harness]);
    assertFailed(
      failed,
      /refused the key in BEEUNI_MODEL_API_KEY \(HTTP 401\)/,
      /→ Set BEEUNI_MODEL_API_KEY/,
    );
    assert.doesNotMatch(failed.stdout + failed.stderr, /not-the-right-key/);
  }
});
