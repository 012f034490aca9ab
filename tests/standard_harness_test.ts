import assert from "node:assert/strict";
import { join } from "node:path";
import { BeeuniError } from "../src/errors/error.ts";
import type { ErrorCode } from "../src/errors/codes.ts";
import { EVERY_TOOL } from "../src/manifest/tool_list.ts";
import type { PermissionAction } from "../src/manifest/model.ts";
import type { ToolCallRecord } from "../src/sessions/types.ts";
import { eventually } from "./support/eventually.ts";
import { isRunning } from "./support/processes.ts";
import { messageText, offeredTools } from "./support/scripted_model.ts";
import { BENCH_KEY, type BenchSession, StandardBench } from "./support/standard_bench.ts";

// The standard harness with the real OpenCode (specification 4.1), its process and its turns: what the daemon decides
// is a stand-in here.

const LONG = `${"line\n".repeat(1998)}[the end]`;
const rule = (tool: string, action: PermissionAction) => new Map([[tool, new Map([["*", action]])]]);
const started = Promise.withResolvers<void>();

let bench: StandardBench;

Deno.test.beforeAll(async () => {
  bench = await StandardBench.start({
    tools: {
      echo: ({ args }) => JSON.stringify(args),
      long: () => LONG,
      fail: () => {
        throw new BeeuniError("tool_failed", "the order A-1 does not exist");
      },
      slow: ({ signal }) =>
        new Promise((_, reject) => {
          started.resolve();
          signal.addEventListener(
            "abort",
            () => reject(new BeeuniError("aborted", "the call was cancelled.")),
          );
        }),
      extra: () => "extra",
    },
    agents: {
      beeuni: ["echo", "long", "fail", "slow", "extra"],
      asks: ["echo"],
      denies: ["echo"],
      narrow: ["echo"],
      helper: ["echo"],
    },
    declared: {
      beeuni: { tools: EVERY_TOOL },
      asks: { tools: EVERY_TOOL, permission: rule("echo", "ask") },
      denies: { tools: EVERY_TOOL, permission: rule("echo", "deny") },
      helper: { mode: "subagent", description: "Helps." },
    },
    waitMs: 500,
  });
});

Deno.test.afterAll(() => bench[Symbol.asyncDispose]());

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `standard harness: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

function calls(session: BenchSession): Pick<ToolCallRecord, "tool" | "status" | "output" | "error">[] {
  return session.messages.flatMap(({ tools }) => tools).map(({ tool, status, output, error }) => ({
    tool,
    status,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  }));
}

async function fails(turn: Promise<void>, code: ErrorCode, message: RegExp): Promise<void> {
  await assert.rejects(turn, (error) => {
    assert.ok(error instanceof BeeuniError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
}

test("messages, text as it comes, calls with arguments and the host's own text", async () => {
  const session = bench.session();
  const deltas: string[] = [];
  const addText = session.addText.bind(session);
  session.addText = (message, delta) => {
    deltas.push(delta);
    addText(message, delta);
  };
  await bench.turn(session, [
    { tool: "echo", args: { a: 1, b: "é\n" }, text: "First this." },
    { tool: "long" },
    { tool: "fail" },
    { text: "All is done." },
  ]);
  assert.deepEqual(calls(session), [
    { tool: "echo", status: "completed", output: '{"a":1,"b":"é\\n"}' },
    { tool: "long", status: "completed", output: LONG },
    { tool: "fail", status: "error", error: "the order A-1 does not exist" },
  ]);
  assert.deepEqual(session.messages.slice(1).map(({ text }) => text), [
    "First this.",
    "",
    "",
    "All is done.",
  ]);
  assert.ok(deltas.length > 2, "text comes in pieces");
  assert.equal(deltas.join(""), "First this.All is done.");
  assert.deepEqual(session.messages[1]?.tools[0]?.args, { a: 1, b: "é\n" });
});

test("no model is asked for a title", async () => {
  await bench.turn(bench.session(), [{ text: "hello" }]);
  assert.deepEqual(bench.model.requests.filter(({ title }) => title), []);
});

test("a session goes on: the model is sent what was said", async () => {
  const session = bench.session();
  await bench.turn(session, [{ text: "My name is Ada." }]);
  await bench.turn(session, [{ text: "second" }]);
  const said = bench.model.requests.at(-1)!.body.messages.map(messageText).join("\n");
  assert.match(said, /My name is Ada\./);
});

test("the environment of its bash has no token, no password, no key and nothing of Beeuni", async () => {
  const session = bench.session();
  await bench.turn(session, [{ tool: "bash", args: { command: "env", description: "Prints" } }, {
    text: "ok",
  }]);
  const [{ output = "" } = {}] = session.messages.flatMap(({ tools }) => tools);
  assert.match(output, /^PATH=/m);
  for (
    const hidden of [/^BEEUNI/im, /PASSWORD/, /TOKEN/i, /API_KEY/, new RegExp(BENCH_KEY), /[0-9a-f]{64}/]
  ) {
    assert.doesNotMatch(output, hidden);
  }
});

test("a turn that is stopped ends, its call is aborted for the host too, and the session goes on", async () => {
  const session = bench.session();
  const stop = new AbortController();
  const turn = bench.turn(session, [{ tool: "slow" }, { text: "never" }], { signal: stop.signal });
  await Promise.race([started.promise, turn]);
  stop.abort();
  const asked = performance.now();
  await fails(turn, "aborted", /^the turn was stopped$/);
  assert.ok(performance.now() - asked < 5_000, "it is over within 5 s");
  assert.deepEqual(calls(session).map(({ tool, status }) => [tool, status]), [["slow", "aborted"]]);
  await eventually(() => assert.equal(bench.host.stats().inFlight, 0));
  await bench.turn(session, [{ text: "again" }]);
  assert.equal(session.messages.at(-1)?.text, "again");
});

test("a permission: once, always for this session, no, and nobody there", async () => {
  const echo = (id: number) => ({ tool: "echo", args: { id } });
  const session = bench.session("asks");
  session.answers = ["once", "reject", null, "always"];
  await bench.turn(session, [echo(1), echo(2), echo(3), echo(4), echo(5), { text: "done" }]);
  assert.deepEqual(calls(session), [
    { tool: "echo", status: "completed", output: '{"id":1}' },
    { tool: "echo", status: "refused", error: "echo was refused: the user said no to it" },
    {
      tool: "echo",
      status: "refused",
      error: "echo was refused: it needs a permission for it, and nobody answered in time",
    },
    { tool: "echo", status: "completed", output: '{"id":4}' },
    { tool: "echo", status: "completed", output: '{"id":5}' },
  ]);
  assert.equal(session.messages.at(-1)?.text, "done");
  assert.deepEqual(
    session.questions.map(({ kind, tool, text }) => [kind, tool, text]),
    [1, 2, 3, 4].map((id) => ["permission", "echo", `{"id":${id}}`]),
  );
  assert.deepEqual(
    session.questions.map(({ call }) => call),
    session.messages.flatMap(({ tools }) => tools)
      .slice(0, 4).map(({ call }) => call),
  );
  session.answers = [];
  await bench.turn(session, [echo(6), { text: "done" }]);
  assert.equal(calls(session).at(-1)?.output, '{"id":6}');
  const other = bench.session("asks");
  other.answers = ["reject"];
  await bench.turn(other, [echo(7), { text: "done" }]);
  assert.equal(other.questions.length, 1, "always holds for one session only");
});

test("a turn that is stopped while a question waits: its call is aborted, not refused", async () => {
  const session = bench.session("asks");
  const stop = new AbortController();
  const turn = bench.turn(session, [{ tool: "echo", args: {} }, { text: "never" }], { signal: stop.signal });
  await eventually(() => assert.equal(session.questions.length, 1), { within: 20_000 });
  session.release(null);
  stop.abort();
  await fails(turn, "aborted", /^the turn was stopped$/);
  assert.deepEqual(calls(session).map(({ status }) => status), ["aborted"]);
});

test("calls in parallel are asked about one after the other; a no to one is not a no to the others", async () => {
  const session = bench.session("asks");
  session.answers = ["reject", "once"];
  const tools = [{ tool: "echo", args: { id: 1 } }, { tool: "echo", args: { id: 2 } }];
  await bench.turn(session, [{ tools }, { text: "done" }]);
  assert.deepEqual(calls(session).map(({ status }) => status).sort(), ["completed", "refused"]);
  assert.equal(session.messages.at(-1)?.text, "done");
});

test("what a rule denies is refused without a question", async () => {
  const session = bench.session("denies");
  await bench.turn(session, [{ tool: "echo", args: {} }, { text: "done" }]);
  assert.deepEqual(calls(session).map(({ tool, status }) => [tool, status]), [["echo", "refused"]]);
  assert.deepEqual(session.questions, []);
});

test("OpenCode's own question reaches the user", async () => {
  const session = bench.session();
  session.answers = ["green", null];
  const question = (text: string) => ({
    tool: "question",
    args: {
      questions: [{ question: text, header: "Tea", options: [{ label: "black", description: "Strong" }] }],
    },
  });
  await bench.turn(session, [question("Which tea?"), question("How much?"), { text: "done" }]);
  assert.deepEqual(session.questions.map(({ kind, text, options }) => [kind, text, options]), [
    ["question", "Which tea?", ["black"]],
    ["question", "How much?", ["black"]],
  ]);
  const [first, second] = calls(session);
  assert.match(first?.output ?? "", /"Which tea\?"="green"/);
  assert.match(second?.output ?? "", /Unanswered/i);
  assert.equal(session.messages.at(-1)?.text, "done");
});

test("a tool that is hidden from the agent is refused, one that isn't there fails", async () => {
  const session = bench.session("narrow");
  await bench.turn(session, [{ tool: "long" }, { tool: "nowhere" }, { tool: "echo" }, { text: "done" }]);
  assert.deepEqual(calls(session).map(({ tool, status }) => [tool, status]), [
    ["long", "refused"],
    ["nowhere", "error"],
    ["echo", "completed"],
  ]);
});

test("a subagent's calls are reported with the task, and are its own agent's for the host", async () => {
  const session = bench.session();
  const asked = `Help ${crypto.randomUUID()}.`;
  bench.model.on(asked, [{ tool: "echo", args: { sub: true } }, { text: "helped" }]);
  const task = { tool: "task", args: { description: "Help", subagent_type: "helper", prompt: asked } };
  await bench.turn(session, [task, { text: "done" }]);
  assert.deepEqual(calls(session).map(({ tool, status }) => [tool, status]), [
    ["task", "completed"],
    ["helper/echo", "completed"],
  ]);
  assert.match(calls(session)[0]?.output ?? "", /helped/);
  const { agent, session: id } = bench.host.requests.at(-1)!;
  assert.deepEqual([agent, id], ["helper", session.id]);
});

test("a call that no turn made is nobody's", async () => {
  const session = bench.session("asks");
  const turn = bench.turn(session, [{ tool: "echo", args: {} }, { text: "done" }]);
  await eventually(() => assert.equal(session.questions.length, 1), { within: 20_000 });
  const { opencode } = JSON.parse(session.saved!);
  const { call } = session.questions[0]!;
  const real = { session: opencode, agent: "asks", call: call!, tool: "echo" };
  assert.deepEqual(await bench.harness.callerOf(real), {
    session: session.id,
    agent: "asks",
    sessionAgent: "asks",
  });
  for (
    const forged of [
      { agent: "beeuni" },
      { tool: "long" },
      { call: "call_other" },
      { session: "ses_other" },
      {
        session: "../x",
      },
    ]
  ) assert.equal(await bench.harness.callerOf({ ...real, ...forged }), undefined, JSON.stringify(forged));
  assert.equal(bench.harness.knowsToken(""), false);
  assert.equal(bench.harness.knowsToken("0".repeat(64)), false);
  session.release("once");
  await turn;
  assert.equal(await bench.harness.callerOf(real), undefined, "the turn is over");
});

test("the model refuses the key, or fails again and again", async () => {
  const session = bench.session();
  await fails(bench.turn(session, [{ status: 401 }]), "model_key", /refused the key/);
  assert.match(session.messages.at(-1)?.error ?? "", /refused the key/);
  await fails(bench.turn(session, [{ status: 500 }]), "model_failed", /scripted\/model/);
  await bench.turn(session, [{ text: "well again" }]);
  assert.equal(session.messages.at(-1)?.text, "well again");
});

test("a change of the tools is read between two turns; the session stays", async () => {
  const session = bench.session();
  await bench.turn(session, [{ tool: "extra" }, { text: "before" }]);
  const pid = await bench.pid();
  bench.host.gone.add("extra");
  bench.host.generation++;
  await bench.turn(session, [{ text: "after" }]);
  const { body } = bench.model.requests.at(-1)!;
  assert.ok(!offeredTools(body).includes("extra"));
  assert.match(body.messages.map(messageText).join("\n"), /before/);
  bench.host.gone.clear();
  bench.host.generation++;
  bench.host.declared.narrow = { tools: EVERY_TOOL, prompt: "You are new." };
  await bench.turn(session, [{ tool: "extra" }, { text: "there again" }]);
  assert.equal(calls(session).at(-1)?.output, "extra");
  const other = bench.session("narrow");
  await bench.turn(other, [{ tool: "extra" }, { text: "agents are read anew" }]);
  assert.equal(calls(other).at(-1)?.status, "refused", "the host still says no");
  assert.match(bench.model.requests.at(-1)!.body.messages.map(messageText).join("\n"), /You are new\./);
  assert.equal(await bench.pid(), pid, "the same process");
});

test("a turn that runs keeps its tools; one that comes after a change does not break it", async () => {
  const running = bench.session("asks");
  const turn = bench.turn(running, [{ tool: "echo", args: { id: 1 } }, { text: "unharmed" }]);
  await eventually(() => assert.equal(running.questions.length, 1), { within: 20_000 });
  bench.host.generation++;
  const other = bench.session();
  await bench.turn(other, [{ text: "did not wait for ever" }]);
  await fails(
    bench.turn(bench.session(), [{ text: "x" }], { model: "scripted/other" }),
    "harness_failed",
    /^the turn can't begin: OpenCode must read its agents and models anew, and other turns run$/,
  );
  running.release("once");
  await turn;
  assert.equal(running.messages.at(-1)?.text, "unharmed");
  await bench.turn(bench.session(), [{ text: "now it can" }], { model: "scripted/other" });
});

test("OpenCode is killed: the turn fails with a sentence, the next prompt works and the session is there", async () => {
  const session = bench.session("asks");
  await bench.turn(session, [{ text: "I know the word tulip." }]);
  const pid = await bench.pid();
  const turn = bench.turn(session, [{ tool: "echo", args: {} }, { text: "never" }]);
  await eventually(() => assert.equal(session.questions.length, 1), { within: 20_000 });
  Deno.kill(pid, "SIGKILL");
  await fails(turn, "harness_failed", /^OpenCode ended in the midst of the turn \(SIGKILL\)$/);
  assert.deepEqual(calls(session).map(({ status }) => status), ["aborted"]);
  await bench.turn(session, [{ text: "back" }]);
  assert.notEqual(await bench.pid(), pid);
  assert.match(bench.model.requests.at(-1)!.body.messages.map(messageText).join("\n"), /the word tulip/);
});

test("OpenCode is killed between two turns: the next one does not notice", async () => {
  const session = bench.session();
  await bench.turn(session, [{ text: "before" }]);
  Deno.kill(await bench.pid(), "SIGKILL");
  await bench.turn(session, [{ text: "after" }]);
  assert.deepEqual(session.messages.filter(({ role }) => role === "assistant").map(({ text }) => text), [
    "before",
    "after",
  ]);
});

test("what it keeps is the user's alone, and bounded", async () => {
  await bench.turn(bench.session(), [{ text: "hello" }]);
  const folder = join(bench.folder, "state/opencode");
  for (const name of ["opencode.log", "opencode.log.out", "process.json"]) {
    assert.equal((await Deno.stat(join(folder, name))).mode! & 0o777, 0o600, name);
  }
  assert.deepEqual([...Deno.readDirSync(join(bench.folder, "checkout"))].map(({ name }) => name), []);
});

Deno.test("standard harness: OpenCode ends with a killed daemon, and what it lost is made up for", async () => {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-standard-" });
  try {
    const victim = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", new URL("./support/standard_victim.ts", import.meta.url).pathname, folder],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const { value } = await victim.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
    const pid = Number(value);
    assert.ok(isRunning(pid), `no OpenCode: ${value}`);
    victim.kill("SIGKILL");
    await victim.status;
    await eventually(() => assert.ok(!isRunning(pid), "OpenCode still runs"), { within: 10_000 });
    // Its sessions are gone: a new one goes on with what was said.
    await Deno.remove(join(folder, "state/opencode/home"), { recursive: true });
    await using next = await StandardBench.start({ folder });
    const session = next.session();
    session.user("I like tulips.");
    session.save(JSON.stringify({ opencode: "ses_000000000000aaaaaaaaaaaaaa", always: [] }));
    await next.turn(session, [{ text: "Yes, tulips." }]);
    assert.match(
      next.model.requests.at(-1)!.body.messages.map(messageText).join("\n"),
      /User: I like tulips\./,
    );
    assert.match(next.lines.join(""), /OpenCode does not know this session any more/);
    const { opencode } = JSON.parse(session.saved!);
    assert.notEqual(opencode, "ses_000000000000aaaaaaaaaaaaaa");
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
});
