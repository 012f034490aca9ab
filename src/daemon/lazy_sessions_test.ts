import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { SessionBench } from "../sessions/testing/session_bench.ts";
import { untilAborted } from "../sessions/testing/fake_harness.ts";
import { LazySessions, type OpenedSessions } from "./lazy_sessions.ts";

/** The sessions of a bench, opened by a function that counts. */
function lazy(bench: SessionBench, open: () => Promise<void> = () => Promise.resolve()) {
  const counted = { opened: 0, disposed: 0 };
  const sessions = new LazySessions<OpenedSessions>(async () => {
    counted.opened++;
    await open();
    return {
      sessions: bench.service,
      [Symbol.asyncDispose]: () => (counted.disposed++, Promise.resolve()),
    };
  });
  return { sessions, counted };
}

Deno.test("LazySessions: opened by the first that needs them, once", async () => {
  await using bench = new SessionBench();
  const { sessions, counted } = lazy(bench);
  assert.deepEqual([counted.opened, sessions.opened], [0, undefined]);
  const both = await Promise.all([sessions.get(), sessions.get()]);
  assert.deepEqual(both.map((one) => one === bench.service), [true, true]);
  assert.equal((await sessions.get()) === bench.service, true);
  await sessions.stop(0);
  await sessions.dispose();
  assert.deepEqual(counted, { opened: 1, disposed: 1 });
});

Deno.test("LazySessions: what failed is tried anew", async () => {
  await using bench = new SessionBench();
  let fails = true;
  const { sessions, counted } = lazy(bench, () => {
    if (fails) return Promise.reject(new BeeuniError("state_newer", "it is newer."));
    return Promise.resolve();
  });
  await Promise.all([
    assert.rejects(sessions.get(), { code: "state_newer" }),
    assert.rejects(sessions.get(), { code: "state_newer" }),
  ]);
  fails = false;
  await sessions.get();
  assert.equal(counted.opened, 2);
});

Deno.test("LazySessions: a stop opens none, waits for one that opens, and ends its turns", async () => {
  await using bench = new SessionBench();
  {
    const { sessions, counted } = lazy(bench);
    await sessions.stop(0);
    await sessions.dispose();
    await assert.rejects(sessions.get(), { code: "stopping" });
    assert.equal(counted.opened, 0);
  }
  bench.harness.play = untilAborted;
  const { session: { id } } = await bench.service.create({ prompt: "x" });
  const gate = Promise.withResolvers<void>();
  const { sessions, counted } = lazy(bench, () => gate.promise);
  const opening = sessions.get();
  const stopped = sessions.stop(0);
  gate.resolve();
  await opening;
  await stopped;
  assert.equal(bench.service.get(id).state, "interrupted");
  await sessions.dispose();
  assert.equal(counted.disposed, 1);
});
