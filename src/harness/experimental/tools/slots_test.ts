import assert from "node:assert/strict";
import { Slots } from "./slots.ts";

const { signal } = new AbortController();

Deno.test("Slots: as many at once, the others in their order", async () => {
  const slots = new Slots(2);
  const log: string[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(["a", "b", "c", "d", "e"].map(async (name) => {
    using _slot = await slots.take(signal);
    most = Math.max(most, ++running);
    log.push(name);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  }));
  assert.equal(most, 2);
  assert.deepEqual(log, ["a", "b", "c", "d", "e"]);
});

Deno.test("Slots: who is aborted while it waits takes no place", async () => {
  const slots = new Slots(1);
  const first = await slots.take(signal);
  const abort = new AbortController();
  const second = slots.take(abort.signal);
  const third = slots.take(signal);
  abort.abort(new Error("stopped"));
  await assert.rejects(second, /stopped/);
  await assert.rejects(slots.take(AbortSignal.abort(new Error("before"))), /before/);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _third = await third;
  let fourth = false;
  const waiting = slots.take(signal).then((slot) => {
    fourth = true;
    return slot;
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(fourth, false, "a place given back twice counts once");
  _third[Symbol.dispose]();
  (await waiting)[Symbol.dispose]();
});

Deno.test("Slots: a place that was given in the moment of the abort is not lost", async () => {
  const slots = new Slots(1);
  const first = await slots.take(signal);
  const abort = new AbortController();
  const second = slots.take(abort.signal);
  first[Symbol.dispose]();
  abort.abort(new Error("stopped"));
  await second.then((slot) => slot[Symbol.dispose](), () => {});
  (await slots.take(AbortSignal.timeout(2_000)))[Symbol.dispose]();
});
