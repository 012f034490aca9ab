import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { createLogger } from "../log/logger.ts";
import { echo, untilAborted } from "../sessions/testing/fake_harness.ts";
import { SessionBench } from "../sessions/testing/session_bench.ts";
import type { Sessions } from "../sessions/types.ts";
import { createApp } from "./app.ts";
import { EventReaders, type EventReadersOptions } from "./event_readers.ts";
import { Events } from "./events.ts";
import { Metrics } from "./metrics.ts";
import { type Route, ROUTES } from "./routes.ts";
import { SESSION_ROUTES } from "./session_routes.ts";
import { MemoryHost } from "./testing/memory_host.ts";

const KEY = "0123456789abcdef".repeat(4);
const HEADERS = { authorization: `Bearer ${KEY}`, host: "127.0.0.1:4000" };
const MIB = 1024 * 1024;

function setUp(sessions: (() => Promise<Sessions>) | undefined, options: EventReadersOptions = {}) {
  const followers = new EventReaders(options);
  const app = createApp({
    host: new MemoryHost(),
    root: "/nowhere",
    key: KEY,
    version: "1.2.3",
    logger: createLogger({ write: (bytes) => Promise.resolve(bytes.length) }),
    events: new Events(),
    metrics: new Metrics(),
    followers,
    sessions,
    body: { deadlineMs: 100 },
  });
  async function ask(method: string, path: string, body?: unknown) {
    const init: RequestInit = { method, headers: HEADERS };
    if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
    const response = await app.request(`/beeuni${path}`, init);
    return { status: response.status, body: await response.json() };
  }
  return { app, ask, followers };
}

/** The app on a bench's sessions. */
function setUpBench(bench: SessionBench, options?: EventReadersOptions) {
  return setUp(() => Promise.resolve(bench.service), options);
}

Deno.test("a session from its first prompt to its end", async () => {
  await using bench = new SessionBench();
  const { ask } = setUpBench(bench);
  const made = await ask("POST", "/sessions", {
    prompt: "hello",
    agent: "helper",
    model: "a/b",
    later: true,
  });
  assert.equal(made.status, 200);
  const { id } = made.body.session;
  assert.deepEqual(Object.keys(made.body), ["session"]);
  await bench.over();
  const { body: { session } } = await ask("GET", `/sessions/${id}`);
  assert.deepEqual(
    [session.state, session.agent, session.model, session.title, session.questions],
    ["completed", "helper", "a/b", "hello", []],
  );
  assert.deepEqual((await ask("GET", "/sessions")).body, { sessions: [session] });
  const { body: { messages } } = await ask("GET", `/sessions/${id}/messages`);
  assert.deepEqual(messages.map(({ role, text }: Record<string, string>) => [role, text]), [
    ["user", "hello"],
    ["assistant", "hello"],
  ]);
  assert.deepEqual((await ask("GET", `/sessions/${id}/messages?limit=1`)).body, { messages: [messages[1]] });
  const next = await ask("POST", `/sessions/${id}/prompt`, { prompt: "more" });
  assert.deepEqual([next.status, next.body.session.state], [202, "running"]);
  await bench.over();
  const gone = await ask("DELETE", `/sessions/${id}`);
  assert.deepEqual([gone.status, gone.body.session.id], [200, id]);
  assert.deepEqual((await ask("GET", `/sessions/${id}`)).status, 404);
});

Deno.test("why another harness than the standard one", async () => {
  await using bench = new SessionBench();
  const { ask } = setUpBench(bench);
  bench.harnesses.standard.missing = new BeeuniError("harness_missing", "OpenCode is not there.", {
    hint: "Install it.",
  });
  const { body } = await ask("POST", "/sessions");
  assert.deepEqual([body.session.harness, body.because], ["experimental", "OpenCode is not there."]);
  const named = await ask("POST", "/sessions", { harness: "standard" });
  assert.deepEqual(named, {
    status: 409,
    body: { error: "OpenCode is not there.", code: "harness_missing", hint: "Install it." },
  });
});

Deno.test("a turn is asked questions, answered and stopped", async () => {
  await using bench = new SessionBench();
  const { ask } = setUpBench(bench);
  const answers: unknown[] = [];
  bench.harness.play = async (turn) => {
    answers.push(await turn.report.ask({ kind: "permission", tool: "bash", text: "ls" }, turn.signal));
    await untilAborted(turn);
  };
  const { body: { session: { id } } } = await ask("POST", "/sessions", { prompt: "x", attended: true });
  let questions: { id: string }[] = [];
  while (questions.length === 0) questions = (await ask("GET", `/sessions/${id}`)).body.session.questions;
  const wrong = await ask("POST", `/sessions/${id}/answer`, { answer: "perhaps" });
  assert.deepEqual([wrong.status, wrong.body.code], [400, "bad_request"]);
  const other = await ask("POST", `/sessions/${id}/answer`, { answer: "once", question: "que_other" });
  assert.deepEqual([other.status, other.body.code], [409, "question_not_found"]);
  const answered = await ask("POST", `/sessions/${id}/answer`, { answer: "once" });
  assert.deepEqual([answered.status, answered.body.question.id], [200, questions[0]?.id]);
  const busy = await ask("POST", `/sessions/${id}/prompt`, { prompt: "y" });
  assert.deepEqual([busy.status, busy.body.code], [409, "turn_running"]);
  assert.equal((await ask("POST", `/sessions/${id}/stop`)).status, 202);
  await bench.over();
  const idle = await ask("POST", `/sessions/${id}/stop`);
  assert.deepEqual([idle.status, idle.body.code], [409, "no_turn"]);
  assert.deepEqual(answers, ["once"]);
});

Deno.test("bodies that do not fit are 400 with a sentence that names the field", async (t) => {
  await using bench = new SessionBench();
  const { ask, app } = setUpBench(bench);
  const { session: { id } } = await bench.service.create({});
  const rows: [string, unknown, string][] = [
    ["/sessions", "[]", "the request body must be a JSON object."],
    ["/sessions", "{", "the request body is not valid JSON."],
    ["/sessions", { agent: 1 }, "`agent` must be a text of 1 to 1024 characters."],
    ["/sessions", { agent: "" }, "`agent` must be a text of 1 to 1024 characters."],
    ["/sessions", { harness: "codex" }, "`harness` must be standard or experimental."],
    ["/sessions", { model: "x".repeat(1025) }, "`model` must be a text of 1 to 1024 characters."],
    ["/sessions", { prompt: " \n" }, "`prompt` must be a text that is not empty."],
    ["/sessions", { attended: "yes" }, "`attended` must be true or false."],
    [`/sessions/${id}/prompt`, "", "`prompt` is missing."],
    [`/sessions/${id}/prompt`, {}, "`prompt` is missing."],
    [`/sessions/${id}/prompt`, { prompt: null }, "`prompt` must be a text that is not empty."],
    [`/sessions/${id}/answer`, {}, "`answer` is missing."],
    [`/sessions/${id}/answer`, { answer: true }, "`answer` must be a string."],
    [
      `/sessions/${id}/answer`,
      { answer: "x", question: "../x" },
      "`question` must be 1 to 128 of the characters A-Z a-z 0-9 _ . - without `..`.",
    ],
  ];
  for (const [path, body, error] of rows) {
    await t.step(`${path.replace(id, "id")} ${JSON.stringify(body).slice(0, 40)}`, async () => {
      assert.deepEqual(await ask("POST", path, body), { status: 400, body: { error, code: "bad_request" } });
    });
  }
  for (const limit of ["0", "-1", "x", "1.5", "", "99999999", "1e3", "%00"]) {
    const { status, body } = await ask("GET", `/sessions/${id}/messages?limit=${limit}`);
    assert.deepEqual([status, body.error], [400, "`limit` must be a number from 1 to 1000000."], limit);
  }
  const large = await app.request("/beeuni/sessions", {
    method: "POST",
    headers: { ...HEADERS, "content-length": String(8 * MIB + 1) },
    body: "{}",
  });
  assert.deepEqual([large.status, (await large.json()).code], [413, "body_too_large"]);
  assert.equal(bench.service.list().length, 1, "nothing was made");
});

Deno.test("a prompt of 8 MiB passes whole, and its follower is not dropped", async () => {
  await using bench = new SessionBench();
  const { ask, app, followers } = setUpBench(bench);
  bench.harness.play = () => Promise.resolve();
  const { session: { id } } = await bench.service.create({});
  const stream = await app.request(`/beeuni/sessions/${id}/events`, { headers: HEADERS });
  const read = stream.text();
  const frame = JSON.stringify({ prompt: "" });
  const prompt = "x".repeat(8 * MIB - frame.length);
  assert.equal((await ask("POST", `/sessions/${id}/prompt`, { prompt })).status, 202);
  await bench.over();
  assert.equal(bench.harness.turns[0]?.prompt.length, prompt.length);
  followers.close();
  const text = await read;
  assert.ok(text.includes(prompt) && text.includes("event: turn_end"));
});

Deno.test("events: a snapshot first, then what happens, until the session is removed", async () => {
  await using bench = new SessionBench();
  const { ask, app, followers } = setUpBench(bench);
  const { session: { id } } = await bench.service.create({});
  const stream = await app.request(`/beeuni/sessions/${id}/events`, { headers: HEADERS });
  assert.equal(stream.headers.get("content-type"), "text/event-stream");
  bench.harness.play = echo;
  await ask("POST", `/sessions/${id}/prompt`, { prompt: "hello" });
  await bench.over();
  await ask("DELETE", `/sessions/${id}`);
  const text = await stream.text();
  const names = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(names, ["snapshot", "message", "message", "text", "message", "turn_end"]);
  for (const [, type, data = ""] of text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)) {
    assert.equal(JSON.parse(data).type, type);
  }
  assert.deepEqual(followers.stats, { readers: 0, dropped: 0 });
});

Deno.test("events: a snapshot larger than the buffer is no reason to drop a reader; not reading is", async () => {
  await using bench = new SessionBench();
  const { app, followers } = setUpBench(bench, { maxPending: 1000 });
  bench.harness.play = () => Promise.resolve();
  const { session: { id } } = await bench.service.create({ prompt: "y".repeat(50_000) });
  await bench.over();
  const open = () => app.request(`/beeuni/sessions/${id}/events`, { headers: HEADERS });
  const [quick, slow] = [await open(), await open()];
  const reader = quick.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  for (let turn = 0; turn < 10; turn++) {
    bench.service.prompt(id, { prompt: `turn ${turn} ${"z".repeat(300)}` });
    await bench.over();
    while (!read.includes(`turn ${turn} `)) read += (await reader.read()).value;
  }
  assert.deepEqual(followers.stats, { readers: 1, dropped: 1 });
  assert.equal(await slow.text(), 'event: dropped\ndata: {"reason":"events were not read fast enough"}\n\n');
  await reader.cancel();
  while (followers.stats.readers > 0) await new Promise((resolve) => setTimeout(resolve, 1));
});

Deno.test("events: a reader that leaves is forgotten, and readers are bounded", async () => {
  await using bench = new SessionBench();
  const { app, ask, followers } = setUpBench(bench, { maxReaders: 1 });
  const { session: { id } } = await bench.service.create({});
  const first = await app.request(`/beeuni/sessions/${id}/events`, { headers: HEADERS });
  const second = await ask("GET", `/sessions/${id}/events`);
  assert.deepEqual([second.status, second.body.code], [503, "queue_full"]);
  await first.body!.cancel();
  assert.equal(followers.stats.readers, 0);
  const third = await app.request(`/beeuni/sessions/${id}/events`, { headers: HEADERS });
  await third.body!.cancel();
});

Deno.test("HEAD opens no stream, and every route says what it allows", async () => {
  await using bench = new SessionBench();
  const { app, followers } = setUpBench(bench);
  const { session: { id } } = await bench.service.create({});
  for (const path of ["/sessions", `/sessions/${id}`, `/sessions/${id}/messages`, `/sessions/${id}/events`]) {
    const response = await app.request(`/beeuni${path}`, { method: "HEAD", headers: HEADERS });
    assert.deepEqual([response.status, await response.text()], [200, ""], path);
  }
  const none = await app.request("/beeuni/sessions/none/events", { method: "HEAD", headers: HEADERS });
  assert.equal(none.status, 404);
  assert.equal(followers.stats.readers, 0);
  const rows = [
    ["/sessions", "POST, GET, HEAD, OPTIONS"],
    ["/sessions/x", "GET, HEAD, DELETE, OPTIONS"],
    ["/sessions/x/prompt", "POST, OPTIONS"],
  ];
  for (const [path, allow] of rows) {
    const response = await app.request(`/beeuni${path}`, { method: "OPTIONS", headers: HEADERS });
    assert.deepEqual([response.status, response.headers.get("allow")], [204, allow]);
  }
});

Deno.test("sessions that can't be opened answer why, each time anew; the other routes go on", async () => {
  await using bench = new SessionBench();
  let broken = true;
  const { app, ask } = setUp(() =>
    broken
      ? Promise.reject(
        new BeeuniError("state_newer", "the state database is from a newer version of beeuni.", {
          hint: "Use it.",
        }),
      )
      : Promise.resolve(bench.service)
  );
  for (const route of Object.values<Route>(SESSION_ROUTES)) {
    const path = route.path.replace("/beeuni", "").replace("{id}", "x");
    const body = route.body === undefined ? undefined : { prompt: "x", answer: "once" };
    assert.deepEqual(await ask(route.method, path, body), {
      status: 409,
      body: {
        error: "the state database is from a newer version of beeuni.",
        code: "state_newer",
        hint: "Use it.",
      },
    });
  }
  const health = await app.request("/beeuni/health", { headers: HEADERS });
  assert.equal((await health.json()).status, "ready");
  const call = await ask("POST", "/tools/echo", { args: { a: 1 } });
  assert.equal(call.body.output, '{"a":1}');
  broken = false;
  assert.equal((await ask("GET", "/sessions")).status, 200);
});

Deno.test("a daemon without sessions says so", async () => {
  const { ask } = setUp(undefined);
  assert.deepEqual(await ask("GET", "/sessions"), {
    status: 404,
    body: { error: "this daemon keeps no sessions.", code: "route_not_found" },
  });
});

Deno.test("every code that a route of sessions answers with is in its row", async () => {
  await using bench = new SessionBench();
  const { ask } = setUpBench(bench);
  await bench.service.close(0);
  const { status, body } = await ask("POST", "/sessions", { prompt: "x" });
  assert.deepEqual([status, body.code], [503, "stopping"]);
  for (const id of ["createSession", "promptSession", "sessionEvents"] as const) {
    assert.ok(ROUTES[id].errors.some((code) => code === "stopping"), id);
  }
});
