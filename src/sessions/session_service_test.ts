import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { untilAborted } from "./testing/fake_harness.ts";
import { SECRET, SessionBench } from "./testing/session_bench.ts";
import type { MessageRecord, SessionEvent, SessionState, ToolStatus, Turn } from "./types.ts";

/** What of messages does not differ from run to run. */
function told(messages: readonly MessageRecord[]): unknown[] {
  return messages.map(({ role, text, error, tools }) => ({
    role,
    text,
    ...(error === undefined ? {} : { error }),
    ...(tools.length === 0 ? {} : { tools: tools.map(({ ms: _, ...call }) => call) }),
  }));
}

/** Begins a message with one call that runs. */
function beginSlow(turn: Turn): void {
  const message = turn.report.beginMessage();
  turn.report.addText(message, "half a sen");
  turn.report.beginCall(message, { call: "c1", tool: "slow", args: {} });
}

Deno.test("a session without a prompt waits for one; each turn is told what was before it", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  const { session } = await service.create({ agent: "helper", model: "a/b" });
  assert.match(session.id, /^[A-Za-z0-9_.-]{1,128}$/);
  const { id, created, updated, ...rest } = session;
  assert.equal(created, updated);
  assert.equal(new Date(created).toISOString(), created);
  assert.deepEqual(rest, {
    agent: "helper",
    harness: "standard",
    model: "a/b",
    state: "idle",
    title: "",
    questions: [],
  });
  harness.play = (turn) => {
    turn.report.save(`saved ${turn.prompt}`);
    const message = turn.report.beginMessage();
    turn.report.endMessage(message, { text: `to ${turn.prompt}` });
    return Promise.resolve();
  };
  const running = service.prompt(id, { prompt: "  first\n\tprompt " });
  assert.deepEqual([running.state, running.title], ["running", "first prompt"]);
  await bench.over();
  assert.equal(service.get(id).state, "completed");
  service.prompt(id, { prompt: "second" });
  await bench.over();
  assert.equal(service.get(id).title, "first prompt");
  const [first, second] = harness.turns;
  assert.deepEqual([first?.saved, first?.history], [undefined, []]);
  assert.equal(second?.saved, "saved   first\n\tprompt ");
  assert.deepEqual(told(second?.history ?? []), [
    { role: "user", text: "  first\n\tprompt " },
    { role: "assistant", text: "to   first\n\tprompt " },
  ]);
  assert.deepEqual(told(service.messages(id, 1)), [{ role: "assistant", text: "to second" }]);
  assert.equal(service.messages(id).length, 4);
  assert.deepEqual(bench.ended.map(({ harness, state }) => [harness, state]), [
    ["standard", "completed"],
    ["standard", "completed"],
  ]);
});

Deno.test("which harness: the standard one where it can run, and why not", async () => {
  await using bench = new SessionBench();
  const { service, harnesses } = bench;
  assert.equal((await service.create({})).session.harness, "standard");
  assert.equal((await service.create({})).because, undefined);
  assert.equal((await service.create({ harness: "experimental" })).session.harness, "experimental");
  harnesses.standard.missing = new BeeuniError("harness_missing", "OpenCode is not there.");
  const { session, because } = await service.create({});
  assert.deepEqual([session.harness, because], ["experimental", "OpenCode is not there."]);
  await assert.rejects(service.create({ harness: "standard" }), { code: "harness_missing" });
  assert.equal(service.list().length, 4, "a session that could not be made is not there");
});

Deno.test("which agent: the named one, else the default; what the manifest has not is refused", async () => {
  await using bench = new SessionBench();
  const { service } = bench;
  assert.equal((await service.create({})).session.agent, "beeuni");
  await assert.rejects(service.create({ agent: "nobody" }), {
    code: "agent_forbidden",
    message: "there is no agent nobody in the project; it has beeuni, helper.",
  });
  const { session } = await service.create({ agent: "helper" });
  bench.agents = ["beeuni"];
  assert.throws(() => service.prompt(session.id, { prompt: "x" }), {
    code: "agent_forbidden",
    message: "there is no agent helper in the project; it has beeuni.",
  });
  assert.equal(service.get(session.id).state, "idle");
  bench.defaultAgent = undefined;
  await assert.rejects(service.create({}), { code: "bad_request" });
  bench.agents = [];
  await assert.rejects(service.create({ agent: "beeuni" }), /it has none\./);
});

Deno.test("the list has the newest first, whatever the clock says", async () => {
  await using bench = new SessionBench();
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push((await bench.service.create({})).session.id);
  assert.deepEqual(bench.service.list().map(({ id }) => id), ids.toReversed());
  assert.deepEqual(ids.toSorted(), ids);
});

Deno.test("an id that is none, and routes on a session without a turn", async () => {
  await using bench = new SessionBench();
  const { service } = bench;
  const { session: { id } } = await service.create({});
  for (
    const act of [
      (id: string) => service.get(id),
      (id: string) => service.messages(id),
      (id: string) => service.prompt(id, { prompt: "x" }),
      (id: string) => service.stop(id),
      (id: string) => service.answer(id, { answer: "once" }),
      (id: string) => service.remove(id),
      (id: string) => service.follow(id, { event: () => {}, end: () => {} }),
    ]
  ) {
    for (const none of ["", "ses_none", "__proto__", `${id}x`, "%", "x".repeat(10_000)]) {
      assert.throws(() => act(none), { code: "session_not_found" });
    }
  }
  assert.throws(() => service.stop(id), { code: "no_turn" });
  assert.throws(() => service.answer(id, { answer: "once" }), { code: "question_not_found" });
});

Deno.test("one turn at a time in a session, many at once in others", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = untilAborted;
  const { session: one } = await service.create({ prompt: "one" });
  const { session: two } = await service.create({ prompt: "two" });
  assert.throws(() => service.prompt(one.id, { prompt: "again" }), { code: "turn_running" });
  assert.equal(service.running, 2);
  service.stop(one.id);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([service.get(one.id).state, service.get(two.id).state], ["stopped", "running"]);
  assert.deepEqual(told(service.messages(one.id)), [{ role: "user", text: "one" }]);
});

Deno.test("how turns end, with what they left open", async (t) => {
  const failure = new BeeuniError("model_failed", `the model is down, key ${SECRET}.`, { hint: "Wait." });
  type Row = [
    string,
    (turn: Turn, bench: SessionBench) => Promise<void>,
    SessionState,
    { text: string; error?: string; status?: ToolStatus; callError?: string } | undefined,
    { code: string; error: string }?,
  ];
  const stopping = (turn: Turn, bench: SessionBench) => {
    queueMicrotask(() => bench.service.stop(turn.session.id));
  };
  const rows: Row[] = [
    ["well, but left open", (turn) => (beginSlow(turn), Promise.resolve()), "completed", {
      text: "half a sen",
      status: "aborted",
      callError: "the turn ended before the call was over.",
    }],
    ["nothing was said", () => Promise.resolve(), "completed", undefined],
    ["with an error of ours", (turn) => (beginSlow(turn), Promise.reject(failure)), "failed", {
      text: "half a sen",
      error: "the model is down, key ***.",
      status: "aborted",
      callError: "the turn failed before the call was over.",
    }, { code: "model_failed", error: "the model is down, key ***." }],
    ["before the first message", () => Promise.reject(failure), "failed", {
      text: "",
      error: "the model is down, key ***.",
    }, { code: "model_failed", error: "the model is down, key ***." }],
    [
      "its message told why already",
      (turn) => {
        turn.report.endMessage(turn.report.beginMessage(), { text: "so", error: `told ${SECRET}` });
        return Promise.reject(failure);
      },
      "failed",
      { text: "so", error: "told ***" },
      { code: "model_failed", error: "the model is down, key ***." },
    ],
    ["with any error", () => Promise.reject(new TypeError(`x of ${SECRET}`)), "failed", {
      text: "",
      error: "the standard harness failed: x of ***",
    }, { code: "harness_failed", error: "the standard harness failed: x of ***" }],
    [
      "with a throw at once, of no error",
      () => {
        throw `plain ${SECRET}`;
      },
      "failed",
      { text: "", error: "the standard harness failed: plain ***" },
      {
        code: "harness_failed",
        error: "the standard harness failed: plain ***",
      },
    ],
    [
      "stopped",
      (turn, bench) => {
        beginSlow(turn);
        stopping(turn, bench);
        return untilAborted(turn);
      },
      "stopped",
      {
        text: "half a sen",
        error: "the turn was stopped.",
        status: "aborted",
        callError: "the turn was stopped.",
      },
    ],
    [
      "stopped, and the abort was swallowed",
      (turn, bench) => {
        stopping(turn, bench);
        return untilAborted(turn).catch(() => {});
      },
      "stopped",
      undefined,
    ],
    [
      "stopped, and the signal is not heeded",
      (turn, bench) => {
        beginSlow(turn);
        stopping(turn, bench);
        return new Promise(() => {});
      },
      "stopped",
      {
        text: "half a sen",
        error: "the turn was stopped.",
        status: "aborted",
        callError: "the turn was stopped.",
      },
    ],
    [
      "the daemon ends",
      (turn, bench) => {
        beginSlow(turn);
        queueMicrotask(() => void bench.service.close(0));
        return untilAborted(turn);
      },
      "interrupted",
      {
        text: "half a sen",
        error: "the daemon ended before the message was complete.",
        status: "aborted",
        callError: "the daemon ended before the call was over.",
      },
    ],
  ];
  for (const [name, play, state, message, failed] of rows) {
    await t.step(name, async () => {
      await using bench = new SessionBench();
      bench.harness.play = (turn) => play(turn, bench);
      const { session: { id } } = await bench.service.create({});
      const events = bench.follow(id);
      bench.service.prompt(id, { prompt: "go" });
      await bench.over();
      assert.equal(bench.service.get(id).state, state);
      const expected = message && {
        role: "assistant",
        text: message.text,
        ...(message.error === undefined ? {} : { error: message.error }),
        ...(message.status === undefined ? {} : {
          tools: [{ call: "c1", tool: "slow", status: message.status, args: {}, error: message.callError }],
        }),
      };
      const stored = bench.service.messages(id);
      assert.deepEqual(told(stored), [{ role: "user", text: "go" }, ...(expected ? [expected] : [])]);
      const end = events.findLast(({ type }) => type === "turn_end");
      assert.deepEqual(end, {
        type: "turn_end",
        state,
        ...failed,
        ...(failed?.code === "model_failed" ? { hint: "Wait." } : {}),
      });
      // Who followed knows the same as who asks.
      assert.deepEqual(mirror(events), told(stored));
      const [{ ms: _, ...ended } = { ms: 0 }] = bench.ended;
      assert.deepEqual(ended, { session: id, agent: "beeuni", harness: "standard", state, ...failed });
    });
  }
});

/** What a follower makes of its events. */
function mirror(events: readonly SessionEvent[]): unknown[] {
  const messages = new Map<string, MessageRecord>();
  for (const event of events) {
    if (event.type === "snapshot") {
      for (const message of event.messages) messages.set(message.id, message);
    }
    if (event.type === "message") messages.set(event.message.id, structuredClone(event.message));
    if (event.type === "text") messages.get(event.message)!.text += event.delta;
    if (event.type === "tool") {
      const { tools } = messages.get(event.message)!;
      const at = tools.findIndex(({ call }) => call === event.call.call);
      tools.splice(at < 0 ? tools.length : at, 1, event.call);
    }
  }
  return told([...messages.values()]);
}

Deno.test("what is reported is stored before it is told, and in order", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = ({ report }) => {
    const message = report.beginMessage();
    report.addText(message, "a");
    report.addText(message, "b");
    report.endMessage(message, { text: "ab!" });
    report.beginCall(message, { call: "1", tool: "echo", args: { key: SECRET, list: [SECRET] } });
    report.endCall("1", {
      status: "completed",
      output: `out ${SECRET} \0 \u{1f41d}`,
      file: "/f",
      ms: 1.23456,
    });
    // Models repeat the ids of their calls.
    const other = report.beginMessage();
    report.beginCall(other, { call: "1", tool: "echo", args: `no object ${SECRET}` });
    report.endCall("1", { status: "error", error: `bad ${SECRET}` });
    report.endMessage(other, { text: "" });
    return Promise.resolve();
  };
  const { session: { id } } = await service.create({});
  const events: SessionEvent[] = [];
  service.follow(id, {
    end: () => {},
    event: (event) => {
      events.push(event);
      if (event.type === "tool") {
        const stored = service.messages(id).find((message) => message.id === event.message)?.tools.at(-1);
        assert.equal(stored?.status, event.call.status, "told before it was stored");
      }
      if (event.type === "message") {
        assert.ok(service.messages(id).some((message) => message.id === event.message.id));
      }
    },
  });
  service.prompt(id, { prompt: "go" });
  await bench.over();
  assert.deepEqual(
    events.map(({ type }) => type).join(" "),
    [
      "snapshot message message text message tool tool message tool tool message turn_end",
    ].join(" "),
  );
  assert.deepEqual(events.find(({ type }) => type === "text"), {
    type: "text",
    message: service.messages(id)[1]?.id,
    delta: "ab",
  });
  const [, first, second] = service.messages(id);
  assert.deepEqual(first?.tools, [{
    call: "1",
    tool: "echo",
    status: "completed",
    args: { key: "***", list: ["***"] },
    output: `out ${SECRET} \0 \u{1f41d}`,
    ms: 1.235,
    file: "/f",
  }]);
  assert.deepEqual(told(second ? [second] : []), [{
    role: "assistant",
    text: "",
    tools: [{ call: "1", tool: "echo", status: "error", args: "no object ***", error: "bad ***" }],
  }]);
  assert.deepEqual(mirror(events), told(service.messages(id)));
});

Deno.test("a harness that reports nonsense, or after the end, disturbs nothing", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = ({ report }) => {
    report.addText("none", "x");
    report.endMessage("none", { text: "x" });
    report.beginCall("none", { call: "1", tool: "t", args: {} });
    report.endCall("none", { status: "completed" });
    const message = report.beginMessage();
    report.endMessage(message, { text: "done" });
    report.endMessage(message, { text: "again" });
    report.addText(message, "more");
    return Promise.resolve();
  };
  const { session: { id } } = await service.create({ prompt: "go" });
  await bench.over();
  const { report } = harness.turns[0]!;
  const message = report.beginMessage();
  report.addText(message, "late");
  report.beginCall(message, { call: "1", tool: "t", args: {} });
  report.endCall("1", { status: "completed" });
  report.endMessage(message, { text: "late" });
  report.save("late");
  assert.equal(
    await report.ask({ kind: "question", tool: "t", text: "?" }, new AbortController().signal),
    null,
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(told(service.messages(id)), [
    { role: "user", text: "go" },
    { role: "assistant", text: "done" },
  ]);
  service.prompt(id, { prompt: "next" });
  assert.equal(harness.turns[1]?.saved, undefined);
  await bench.over();
  assert.equal(service.get(id).state, "completed");
});

Deno.test("a fast model's text comes in few events, and none of it is lost", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = async ({ report }) => {
    const message = report.beginMessage();
    for (let word = 0; word < 50_000; word++) report.addText(message, `${word} `);
    await new Promise((resolve) => setTimeout(resolve, 60));
  };
  const { session: { id } } = await service.create({});
  const events = bench.follow(id);
  service.prompt(id, { prompt: "go" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const late = bench.follow(id);
  await bench.over();
  const deltas = events.filter(({ type }) => type === "text");
  assert.ok(deltas.length <= 40, `${deltas.length} events`);
  const text = Array.from({ length: 50_000 }, (_, word) => `${word} `).join("");
  assert.equal(service.messages(id)[1]?.text, text);
  assert.deepEqual(mirror(events), told(service.messages(id)));
  assert.deepEqual(mirror(late), told(service.messages(id)), "a snapshot in the midst has all there was");
});

Deno.test("a follower that throws is dropped; the others and the turn go on", async () => {
  await using bench = new SessionBench();
  const { session: { id } } = await bench.service.create({});
  let told = 0;
  bench.service.follow(id, {
    event: ({ type }) => {
      if (type !== "snapshot") {
        told++;
        throw new Error("gone");
      }
    },
    end: () => {},
  });
  const events = bench.follow(id);
  bench.service.prompt(id, { prompt: "go" });
  await bench.over();
  assert.equal(told, 1);
  assert.equal(events.at(-1)?.type, "turn_end");
});

Deno.test("questions: answered, refused an answer that is none, out of time, out of a turn", async (t) => {
  const permission = { kind: "permission", call: "c", tool: "bash", text: `rm ${SECRET}` } as const;
  await t.step("answers", async () => {
    await using bench = new SessionBench();
    const { service, harness } = bench;
    const answers: unknown[] = [];
    harness.play = async ({ report, signal }) => {
      answers.push(await report.ask(permission, signal));
      answers.push(
        await report.ask({ kind: "question", tool: "question", text: "Which?", options: ["a"] }, signal),
      );
    };
    const { session: { id } } = await service.create({});
    const events = bench.follow(id);
    service.prompt(id, { prompt: "go", attended: true });
    await waitFor(() => service.get(id).questions.length === 1);
    const [question] = service.get(id).questions;
    assert.ok(question);
    const { id: first, created, deadline, ...rest } = question;
    assert.deepEqual(rest, { ...permission, text: "rm ***", session: id });
    assert.equal(Date.parse(deadline) - Date.parse(created), 600_000);
    assert.equal(bench.follow(id)[0]?.type === "snapshot" && service.get(id).questions.length, 1);
    for (const answer of ["", "yes", "Always", "null"]) {
      assert.throws(() => service.answer(id, { answer }), { code: "bad_request" });
    }
    assert.throws(() => service.answer(id, { answer: "once", question: "que_other" }), {
      code: "question_not_found",
    });
    assert.equal(service.answer(id, { answer: "always" }).id, first);
    assert.throws(() => service.answer(id, { answer: "once", question: first }), {
      code: "question_not_found",
    });
    await waitFor(() => service.get(id).questions.length === 1);
    const second = service.get(id).questions[0]!;
    service.answer(id, { answer: "anything at all", question: second.id });
    await bench.over();
    assert.deepEqual(answers, ["always", "anything at all"]);
    assert.deepEqual(events.filter(({ type }) => type === "answer"), [
      { type: "answer", question: first, answer: "always" },
      { type: "answer", question: second.id, answer: "anything at all" },
    ]);
  });
  await t.step("nobody answers: a no", async () => {
    await using bench = new SessionBench({ questionMs: { attended: 600_000, unattended: 10 } });
    const { service, harness } = bench;
    let answer: unknown = "none";
    harness.play = async ({ report, signal }) => {
      answer = await report.ask(permission, signal);
    };
    const { session: { id } } = await service.create({ prompt: "go" });
    await bench.over();
    assert.equal(answer, null);
    assert.equal(service.get(id).state, "completed");
    assert.deepEqual(service.get(id).questions, []);
  });
  await t.step("the turn is stopped while it is asked", async () => {
    await using bench = new SessionBench();
    const { service, harness } = bench;
    let answer: unknown = "none";
    harness.play = async ({ report, signal }) => {
      // Its own signal never aborts.
      answer = await report.ask(permission, new AbortController().signal);
      signal.throwIfAborted();
    };
    const { session: { id } } = await service.create({ prompt: "go", attended: true });
    await waitFor(() => service.get(id).questions.length === 1);
    service.stop(id);
    await bench.over();
    await Promise.resolve();
    assert.equal(answer, null);
    assert.equal(service.get(id).state, "stopped");
    const open = bench.database.prepare("SELECT count(*) AS n FROM questions WHERE answered IS NULL").get();
    assert.equal(open?.n, 0);
  });
});

Deno.test("a daemon that was killed: what was finished is there, the rest is marked, the session goes on", async () => {
  await using bench = new SessionBench();
  const { harness } = bench;
  harness.play = async (turn) => {
    const { report, signal } = turn;
    const message = report.beginMessage();
    report.beginCall(message, { call: "a", tool: "echo", args: { x: 1 } });
    report.endCall("a", { status: "completed", output: "done" });
    report.endMessage(message, { text: "finished" });
    report.save("transcript");
    beginSlow(turn);
    await report.ask({ kind: "permission", tool: "t", text: "may I" }, signal);
    await untilAborted(turn);
  };
  const { session: { id } } = await bench.service.create({ prompt: "go" });
  const { session: { id: idle } } = await bench.service.create({});
  const killed = bench.service;
  await waitFor(() => killed.get(id).questions.length === 1);
  const service = bench.restart();
  assert.deepEqual([service.get(id).state, service.get(idle).state], ["interrupted", "idle"]);
  assert.deepEqual(service.get(id).questions, []);
  assert.throws(() => service.answer(id, { answer: "once" }), { code: "question_not_found" });
  assert.deepEqual(told(service.messages(id)), [
    { role: "user", text: "go" },
    {
      role: "assistant",
      text: "finished",
      tools: [{ call: "a", tool: "echo", status: "completed", args: { x: 1 }, output: "done" }],
    },
    {
      role: "assistant",
      text: "",
      error: "the daemon ended before the message was complete.",
      tools: [{
        call: "c1",
        tool: "slow",
        status: "aborted",
        args: {},
        error: "the daemon ended before the call was over.",
      }],
    },
  ]);
  let turn: Turn | undefined;
  harness.play = (given) => (turn = given, Promise.resolve());
  service.prompt(id, { prompt: "on" });
  await bench.over();
  assert.equal(service.get(id).state, "completed");
  assert.equal(turn?.saved, "transcript");
  assert.equal(turn?.history.length, 3);
  await killed.close(0).catch(() => {});
});

Deno.test("a database that fails in mid-turn fails the turn; the service and other sessions go on", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  const refuse =
    "CREATE TRIGGER full BEFORE INSERT ON tool_calls BEGIN SELECT raise(ABORT, 'database or disk is full'); END";
  harness.play = async (turn) => {
    bench.database.prepare(refuse).run();
    try {
      turn.report.beginCall(turn.report.beginMessage(), { call: "1", tool: "t", args: {} });
    } catch {
      // A harness that goes on is stopped.
    }
    await untilAborted(turn);
  };
  const { session: { id } } = await service.create({ prompt: "go" });
  await bench.over();
  assert.equal(service.get(id).state, "failed");
  const [ended] = bench.ended;
  assert.equal(ended?.code, "unwritable");
  assert.match(
    ended?.error ?? "",
    /^the state database .*state\.db can't be used: database or disk is full\.$/,
  );
  assert.match(service.messages(id).at(-1)?.error ?? "", /disk is full/);
  bench.database.prepare("DROP TRIGGER full").run();
  harness.play = () => Promise.resolve();
  service.prompt(id, { prompt: "again" });
  await bench.over();
  assert.equal(service.get(id).state, "completed");
});

Deno.test("why a turn failed is forgotten with the next one", async () => {
  await using bench = new SessionBench();
  bench.harness.play = () => Promise.reject(new BeeuniError("no_model", "no model.", { hint: "Name one." }));
  const { session: { id } } = await bench.service.create({ prompt: "go" });
  await bench.over();
  const failure = () => {
    const [snapshot] = bench.follow(id);
    return snapshot?.type === "snapshot" && snapshot.failure;
  };
  assert.deepEqual(failure(), { error: "no model.", code: "no_model", hint: "Name one." });
  bench.harness.play = () => Promise.resolve();
  bench.service.prompt(id, { prompt: "again" });
  assert.equal(failure(), undefined);
  await bench.over();
  assert.equal(failure(), undefined);
});

Deno.test("a secret in the name of a tool or in the first prompt is masked where it is listed", async () => {
  await using bench = new SessionBench();
  bench.harness.play = ({ report }) => {
    report.beginCall(report.beginMessage(), { call: "1", tool: `x ${SECRET}`, args: {} });
    report.endCall("1", { status: "error", error: "no such tool" });
    return Promise.resolve();
  };
  const { session: { id } } = await bench.service.create({ prompt: `use ${SECRET}` });
  await bench.over();
  assert.equal(bench.service.get(id).title, "use ***");
  assert.equal(bench.service.messages(id)[1]?.tools[0]?.tool, "x ***");
});

Deno.test("an end that can't be stored is told, and stored before the next turn", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = ({ report }) => {
    report.endMessage(report.beginMessage(), { text: "said" });
    bench.database.prepare(
      "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT raise(ABORT, 'database or disk is full'); END",
    ).run();
    return Promise.resolve();
  };
  const { session: { id } } = await service.create({});
  const events = bench.follow(id);
  service.prompt(id, { prompt: "go" });
  await bench.over();
  assert.equal(service.get(id).state, "failed");
  const end = events.at(-1);
  assert.ok(end?.type === "turn_end" && end.code === "unwritable", JSON.stringify(end));
  assert.throws(() => service.prompt(id, { prompt: "again" }), { code: "unwritable" });
  bench.database.prepare("DROP TRIGGER full").run();
  harness.play = () => Promise.resolve();
  service.prompt(id, { prompt: "again" });
  await bench.over();
  assert.deepEqual(told(service.messages(id)), [
    { role: "user", text: "go" },
    { role: "assistant", text: "said" },
    { role: "user", text: "again" },
  ]);
  assert.equal(service.get(id).state, "completed");
});

Deno.test("a session that is removed is gone with all of it; a running turn is stopped first", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = (turn) => {
    turn.report.save("kept");
    beginSlow(turn);
    return untilAborted(turn);
  };
  const { session: { id } } = await service.create({ prompt: "go" });
  await waitFor(() => service.messages(id).length === 2);
  const events = bench.follow(id);
  const removing = service.remove(id);
  assert.throws(() => service.prompt(id, { prompt: "x" }), { code: "session_not_found" });
  assert.equal((await removing).state, "stopped");
  assert.deepEqual(harness.forgotten.map(({ session, saved }) => [session.id, saved]), [[id, "kept"]]);
  assert.equal(events.ended, true);
  assert.equal(service.list().length, 0);
  for (const table of ["sessions", "messages", "tool_calls", "questions"]) {
    assert.equal(bench.database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n, 0, table);
  }
  harness.forget = () => Promise.reject(new Error("can't"));
  harness.play = () => Promise.resolve();
  const { session: other } = await service.create({ prompt: "x" });
  await service.remove(other.id);
  assert.equal(service.list().length, 0, "a harness that can't forget keeps nothing");
});

Deno.test("an end of the daemon: turns have their time, new ones are refused, followers are told", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  const gate = Promise.withResolvers<void>();
  harness.play = () => gate.promise;
  const { session: { id } } = await service.create({ prompt: "go" });
  const events = bench.follow(id);
  const closing = service.close(60_000);
  await assert.rejects(service.create({}), { code: "stopping" });
  assert.throws(() => service.prompt(id, { prompt: "x" }), { code: "stopping" });
  gate.resolve();
  await closing;
  assert.deepEqual([service.get(id).state, events.ended], ["completed", true]);
});

Deno.test("an end that is asked for again cuts the first short", async () => {
  await using bench = new SessionBench();
  const { service, harness } = bench;
  harness.play = untilAborted;
  const { session: { id } } = await service.create({ prompt: "go" });
  const closing = service.close(60_000);
  void service.close(0);
  await closing;
  assert.equal(service.get(id).state, "interrupted");
});

Deno.test("a state that can only be read: its sessions can be looked at, and no more", async () => {
  await using bench = new SessionBench();
  const { session: { id } } = await bench.service.create({ prompt: "go" });
  await bench.over();
  bench.database.prepare("PRAGMA query_only = ON").run();
  assert.equal(bench.service.get(id).state, "completed");
  assert.throws(() => bench.service.prompt(id, { prompt: "x" }), { code: "unwritable" });
  await assert.rejects(bench.service.create({}), { code: "unwritable" });
});

async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}
