import assert from "node:assert/strict";
import { sleep, sleepSync } from "./sleep.ts";

Deno.test("Bun.sleep waits for a time or until a date", async () => {
  using time = new FakeTimers();
  const done: string[] = [];
  const first = sleep(20).then(() => done.push("time"));
  const second = sleep(new Date(Date.now() + 30)).then(() => done.push("date"));
  assert.deepEqual(time.delays, [20, 30]);
  time.pass(20);
  await first;
  assert.deepEqual(done, ["time"]);
  time.pass(10);
  await second;
  assert.deepEqual(done, ["time", "date"]);
});

Deno.test("Bun.sleep resolves at once for what lies behind", async () => {
  for (const time of [0, -5, NaN, new Date(0), new Date(NaN)]) assert.equal(await sleep(time), undefined);
});

Deno.test("Bun.sleep does not resolve at once for a time no timer keeps", async () => {
  using time = new FakeTimers();
  let done = false;
  void sleep(2 ** 31 + 500).then(() => done = true);
  assert.deepEqual(time.delays, [2 ** 31 - 1]);
  time.pass(2 ** 31 - 1);
  assert.deepEqual(time.delays, [501]);
  assert.equal(done, false);
  time.pass(501);
  await Promise.resolve();
  assert.equal(done, true);
});

/** Stands in for `setTimeout` and `Date.now`. */
class FakeTimers implements Disposable {
  #now = 1_000_000;
  #pending: { at: number; delay: number; run: () => void }[] = [];
  readonly #real = { setTimeout, now: Date.now };

  constructor() {
    Reflect.set(globalThis, "setTimeout", (run: () => void, delay: number) => {
      this.#pending.push({ at: this.#now + delay, delay, run });
    });
    Date.now = () => this.#now;
  }

  get delays(): number[] {
    return this.#pending.map(({ delay }) => delay);
  }

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#pending.filter(({ at }) => at <= this.#now);
    this.#pending = this.#pending.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#real.setTimeout;
    Date.now = this.#real.now;
  }
}

Deno.test("Bun.sleep and sleepSync refuse what is no time", () => {
  for (const time of ["5", undefined, null, {}]) {
    assert.throws(() => sleep(time as number), { message: "sleep expects a number (milliseconds)" });
    assert.throws(() => sleepSync(time as number), { message: "milliseconds must be a number" });
  }
  assert.throws(() => sleepSync(-5), { message: "argument to sleepSync must not be negative, got -5" });
});

Deno.test("Bun.sleepSync returns after its time", () => {
  const start = Date.now();
  sleepSync(5);
  sleepSync(0);
  sleepSync(NaN);
  // the two clocks may differ by a millisecond
  assert.ok(Date.now() - start >= 4);
});
