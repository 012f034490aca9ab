import assert from "node:assert/strict";
import { join } from "node:path";
import { StateDatabase } from "../src/state/database.ts";
import { MIGRATIONS } from "../src/state/migrations.ts";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { type ScriptedModel, startScriptedModel } from "./support/scripted_model.ts";

// The daemon with sessions: how it stops, ends by itself, and works without a database it can use (specification 4.4).

/** A project, a model and a daemon that is started by the test. */
class Bench implements AsyncDisposable {
  readonly project = new Project({ fixture: "sessions/main" });
  readonly #model: ScriptedModel;

  private constructor(model: ScriptedModel) {
    this.#model = model;
  }

  static async open(): Promise<Bench> {
    return new Bench(await startScriptedModel({ key: "model-key" }));
  }

  start(...args: string[]): Promise<Daemon> {
    const env = { BEEUNI_MODEL_BASE_URL: this.#model.url, BEEUNI_MODEL_API_KEY: "model-key" };
    return startDaemon(this.project, { args, env });
  }

  /** Begins a turn whose tool waits until it is aborted; answers when it does. */
  async beginSlow(daemon: Daemon): Promise<string> {
    const mark = crypto.randomUUID();
    const prompt = `Do ${mark}.`;
    this.#model.on(prompt, [{ tool: "slow", args: { mark } }, { text: "too late" }]);
    const { body } = await post(daemon, "/beeuni/sessions", {
      prompt,
      harness: "experimental",
      model: "any/model",
    });
    await eventually(() => Deno.statSync(this.project.path(`${mark}-started`)), { within: 60_000 });
    return body.session.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
    this.project[Symbol.dispose]();
  }
}

function post(daemon: Daemon, path: string, body: unknown): ReturnType<Daemon["request"]> {
  return daemon.request(path, { method: "POST", body: JSON.stringify(body) });
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `daemon with sessions: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

test("SIGTERM in mid-turn: the turn is interrupted, its tool aborted, the session goes on", async () => {
  await using bench = await Bench.open();
  const first = await bench.start();
  const id = await bench.beginSlow(first);
  const status = await first.stop("SIGTERM");
  assert.equal(status.code, 0, first.stderr.text);
  await using daemon = await bench.start();
  const { body } = await daemon.request(`/beeuni/sessions/${id}`);
  assert.equal(body.session.state, "interrupted");
  const { body: { messages } } = await daemon.request(`/beeuni/sessions/${id}/messages`);
  const calls = messages.flatMap(({ tools }: { tools: { tool: string; status: string }[] }) => tools);
  assert.deepEqual(calls.map(({ tool, status }: { tool: string; status: string }) => [tool, status]), [
    ["slow", "aborted"],
  ]);
  const next = await post(daemon, `/beeuni/sessions/${id}/prompt`, { prompt: "Say anything." });
  assert.equal(next.status, 202);
  const state = await eventually(async () => {
    const { session } = (await daemon.request(`/beeuni/sessions/${id}`)).body;
    assert.notEqual(session.state, "running");
    return session.state;
  }, { within: 60_000 });
  assert.equal(state, "completed");
});

test("--idle-timeout: it ends by itself, but not while a turn runs", async () => {
  await using bench = await Bench.open();
  const daemon = await bench.start("--idle-timeout", "4s");
  const id = await bench.beginSlow(daemon);
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  assert.equal((await daemon.request(`/beeuni/sessions/${id}`)).body.session.state, "running");
  await post(daemon, `/beeuni/sessions/${id}/stop`, {});
  assert.equal((await daemon.status).code, 0);
  assert.throws(() => Deno.statSync(join(bench.project.state, "daemon.json")), Deno.errors.NotFound);
  await daemon.stop();
});

test("a database from a newer version, or one that is damaged: tools work, sessions say why", async () => {
  await using bench = await Bench.open();
  await (await bench.start()).stop();
  const { state } = bench.project;
  {
    using _newer = new StateDatabase(state, { migrations: [...MIGRATIONS, "CREATE TABLE later (x)"] });
  }
  await using daemon = await bench.start();
  // An agent that is granted secrets would be refused: they are in that database.
  const call = () => daemon.call("lookup_order", { agent: "lister", args: { id: "A-1043" } });
  assert.equal((await call()).status, 200);
  const newer = await daemon.request("/beeuni/sessions");
  assert.deepEqual([newer.status, newer.body.code], [409, "state_newer"]);
  assert.match(newer.body.error, /^the state database .* is from a newer version of beeuni: /);
  assert.match(newer.body.hint, /Nothing was changed\./);
  for (const name of ["state.db", "state.db-wal", "state.db-shm"]) {
    try {
      Deno.removeSync(join(state, name));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  Deno.writeTextFileSync(join(state, "state.db"), "certainly no database. ".repeat(500), { mode: 0o600 });
  const damaged = await post(daemon, "/beeuni/sessions", { prompt: "x", harness: "experimental" });
  assert.deepEqual([damaged.status, damaged.body.code], [503, "state_database"]);
  assert.equal((await call()).status, 200);
  Deno.removeSync(join(state, "state.db"));
  assert.deepEqual((await daemon.request("/beeuni/sessions")).body, { sessions: [] });
});
