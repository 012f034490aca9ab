import assert from "node:assert/strict";
import type { HarnessName } from "../src/agents/may_use.ts";
import { eventually } from "./support/eventually.ts";
import { isRunning } from "./support/processes.ts";
import { messageText, offeredTools } from "./support/scripted_model.ts";
import { HARNESSES, SessionBench } from "./support/sessions.ts";

// What happens to a session when something ends or changes in its midst (specification 4.1 to 4.4).

const LOOK_UP = { tool: "lookup_order", args: { id: "A-1043" } };
const PACKED = '{\n  "id": "A-1043",\n  "status": "packed",\n  "items": []\n}';

let bench: SessionBench;

Deno.test.beforeAll(async () => {
  bench = await SessionBench.start({ fixture: "sessions/main" });
});

Deno.test.afterAll(() => bench[Symbol.asyncDispose]());

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `sessions, their life: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

/** The same on both harnesses, one after the other. */
function testBoth(name: string, fn: (harness: HarnessName) => Promise<void>): void {
  for (const harness of HARNESSES) test(`${name} (${harness})`, () => fn(harness));
}

/** Begins a turn whose tool waits until it is aborted, and waits until it does. */
async function beginSlow(harness: HarnessName, session?: string): Promise<{ id: string; mark: string }> {
  const mark = crypto.randomUUID();
  const prompt = bench.prompt([LOOK_UP, { tool: "slow", args: { mark } }, { text: "too late" }]);
  const { id } = await bench.begin(prompt, session === undefined ? { harness } : { harness, session });
  await eventually(() => Deno.statSync(bench.project.path(`${mark}-started`)), { within: 60_000, every: 10 });
  return { id, mark };
}

/** The next turn works, and the model is told of the turns before it. */
async function assertGoesOn(id: string, harness: HarnessName, before: RegExp): Promise<void> {
  const next = await bench.turn([LOOK_UP, { text: "It goes on." }], { harness, session: id });
  assert.equal(next.state, "completed", JSON.stringify(next));
  assert.deepEqual(next.calls.map(({ status, output }) => [status, output]), [["completed", PACKED]]);
  assert.equal(next.messages.at(-1)?.text, "It goes on.");
  const [request] = bench.model.turns(next.messages[0]!.text);
  assert.match(request!.body.messages.map(messageText).join("\n"), before, "the conversation is kept");
}

testBoth("an abort in mid-call reaches the tool's signal", async (harness) => {
  const { id, mark } = await beginSlow(harness);
  const busy = await bench.post(`/beeuni/sessions/${id}/prompt`, { prompt: "now" });
  assert.deepEqual([busy.status, busy.body.code], [409, "turn_running"]);
  assert.equal((await bench.post(`/beeuni/sessions/${id}/stop`)).status, 202);
  assert.equal((await bench.ended(id)).state, "stopped");
  await eventually(() => Deno.statSync(bench.project.path(`${mark}-aborted`)));
  const calls = (await bench.messages(id)).flatMap(({ tools }) => tools);
  assert.deepEqual(
    calls.map(({ tool, status }) => [tool, status]),
    [["lookup_order", "completed"], ["slow", "aborted"]],
  );
  const idle = await bench.post(`/beeuni/sessions/${id}/stop`);
  assert.deepEqual([idle.status, idle.body.code], [409, "no_turn"]);
  await assertGoesOn(id, harness, /packed/);
});

testBoth("a turn keeps its tools, the next one has the new ones", async (harness) => {
  const { project, model, daemon } = bench;
  const source = project.read("tools/version.ts"), manifest = project.read("beeuni.yaml");
  const prompt = bench.prompt([{ tool: "version" }, { tool: "version", sleep: 1_000 }, { text: "done" }]);
  const { id } = await bench.begin(prompt, { harness });
  await eventually(() => assert.equal(model.turns(prompt).length, 2), { within: 60_000, every: 10 });
  project.write("tools/version.ts", source.replace("version 1", "version 2"));
  project.write("tools/extra.ts", source);
  project.write("beeuni.yaml", manifest.replace("\ntools:\n", "\ntools:\n  extra: tools/extra.ts\n"));
  try {
    const reload = await daemon.reload();
    assert.deepEqual([reload.status, reload.body.failed], [200, []], JSON.stringify(reload.body));
    assert.equal((await bench.ended(id)).state, "completed");
    const offered = model.turns(prompt).map(({ body }) => offeredTools(body));
    assert.equal(offered.length, 3);
    for (const list of offered) assert.deepEqual(list, offered[0]);
    assert.ok(!offered[0]!.includes("extra"));
    const next = await bench.turn([{ tool: "version" }, { tool: "extra" }], { harness, session: id });
    assert.deepEqual(
      next.calls.map(({ output }) => output),
      ["version 2", "version 1"],
      JSON.stringify(next),
    );
    assert.deepEqual(next.offered, [...offered[0]!, "extra"].sort());
    await assertGoesOn(id, harness, /version 2/);
  } finally {
    project.write("tools/version.ts", source);
    project.write("beeuni.yaml", manifest);
    await daemon.reload();
  }
});

test("OpenCode killed between two turns is started again", async () => {
  const { session } = await bench.turn([LOOK_UP, { text: "first" }], { harness: "standard" });
  const [pid] = bench.opencodes();
  assert.ok(pid, "no OpenCode runs");
  Deno.kill(pid, "SIGKILL");
  await eventually(() => assert.ok(!isRunning(pid)));
  await assertGoesOn(session.id, "standard", /packed/);
});

test("OpenCode killed in mid-turn: the turn has failed, the next one works", async () => {
  const { id, mark } = await beginSlow("standard");
  for (const pid of bench.opencodes()) Deno.kill(pid, "SIGKILL");
  assert.equal((await bench.ended(id)).state, "failed");
  const messages = await bench.messages(id);
  assert.match(messages.findLast(({ error }) => error !== undefined)?.error ?? "", /OpenCode/);
  assert.deepEqual(
    messages.flatMap(({ tools }) => tools).map(({ tool, status }) => [tool, status]),
    [["lookup_order", "completed"], ["slow", "aborted"]],
  );
  await eventually(() => Deno.statSync(bench.project.path(`${mark}-aborted`)));
  await assertGoesOn(id, "standard", /packed/);
});

test("the daemon killed in mid-turn: nothing finished is lost, and the sessions go on", async () => {
  const sessions = await Promise.all(HARNESSES.map(async (harness) => {
    const first = await bench.turn([{ text: "The first answer." }], { harness });
    const { id } = await beginSlow(harness, first.session.id);
    return { harness, id };
  }));
  const left = bench.opencodes();
  assert.equal(left.length, 1);
  await bench.restart("SIGKILL");
  for (const { harness, id } of sessions) {
    assert.equal((await bench.session(id)).state, "interrupted");
    const messages = await bench.messages(id);
    assert.deepEqual(messages.map(({ role }) => role).slice(0, 3), ["user", "assistant", "user"]);
    assert.equal(messages[1]?.text, "The first answer.");
    assert.deepEqual(
      messages.flatMap(({ tools }) => tools).map(({ tool, status, output }) => [tool, status, output]),
      [["lookup_order", "completed", PACKED], ["slow", "aborted", undefined]],
    );
    await assertGoesOn(id, harness, /The first answer\./);
  }
  await eventually(() => assert.deepEqual(left.filter(isRunning), []), { within: 10_000 });
});

testBoth("a session that is removed is gone", async (harness) => {
  const { session: { id } } = await bench.turn([{ text: "bye" }], { harness });
  const listed = async () =>
    (await bench.daemon.request("/beeuni/sessions")).body.sessions.map((session: { id: string }) =>
      session.id
    );
  assert.equal((await listed())[0], id, "the newest is the first");
  assert.equal((await bench.daemon.request(`/beeuni/sessions/${id}`, { method: "DELETE" })).status, 200);
  assert.ok(!(await listed()).includes(id));
  const gone = await bench.daemon.request(`/beeuni/sessions/${id}`);
  assert.deepEqual([gone.status, gone.body.code], [404, "session_not_found"]);
});

test("a secret: to whom it is granted, as it is at the moment of the call", async () => {
  const set = async (value: string) => {
    const run = await bench.beeuni(["secrets", "set", "SHOP_API_KEY=-"], { stdin: `${value}\n` });
    assert.equal(run.code, 0, run.stderr);
  };
  const step = { tool: "given", args: { name: "SHOP_API_KEY" } };
  await set("first-shop-secret");
  for (const harness of HARNESSES) {
    await set("first-shop-secret");
    const prompt = bench.prompt([step, { ...step, sleep: 1_500 }, { text: "done" }]);
    const { id } = await bench.begin(prompt, { harness });
    await eventually(() => assert.equal(bench.model.turns(prompt).length, 2), { within: 60_000, every: 10 });
    await set("second-shop-secret");
    await bench.ended(id);
    const calls = (await bench.messages(id)).flatMap(({ tools }) => tools);
    assert.deepEqual(calls.map(({ output }) => output), ["first-shop-secret", "second-shop-secret"], harness);
    const other = await bench.turn([step], { harness, agent: "excluder" });
    assert.deepEqual(other.calls.map(({ output }) => output), ["not set"], harness);
  }
});

testBoth("a secret is masked in what is stored of arguments and errors", async (harness) => {
  const secret = "third-shop-secret/with=more";
  const run = await bench.beeuni(["secrets", "set", `SHOP_API_KEY=${secret}`]);
  assert.equal(run.code, 0, run.stderr);
  const args = { text: `is it ${secret}?` };
  const { calls, session } = await bench.turn([{ tool: "leak", args }, { text: "done" }], { harness });
  assert.deepEqual(calls.map(({ status, args, error }) => ({ status, args, error })), [{
    status: "error",
    args: { text: "is it ***?" },
    error: "The API did not like the key ***: set another one.",
  }]);
  const log = await bench.beeuni(["sessions", "log", session.id, "--json"]);
  assert.equal(log.code, 0, log.stderr);
  assert.ok(!log.stdout.includes("third-shop"), log.stdout);
  assert.ok(!bench.daemon.stderr.text.includes("third-shop"), "it is in the daemon's log");
});

testBoth("the parameters reach the model as the module has them", async (harness) => {
  const { default: tool } = await import(`file://${bench.project.path("tools/odd_schema.ts")}`);
  const prompt = bench.prompt([{ text: "hello" }]);
  await bench.turn(prompt, { harness });
  const [request] = bench.model.turns(prompt);
  assert.ok(request!.raw.includes(`"parameters":${JSON.stringify(tool.parameters)}`), request!.raw);
  const offered = request!.body.tools?.find((one) => one.function.name === "odd_schema");
  assert.equal(offered?.function.description, tool.description);
});
