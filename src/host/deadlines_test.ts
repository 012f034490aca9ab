import assert from "node:assert/strict";
import { Deadlines } from "./deadlines.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

Deno.test("deadlines: each is called once, in order of time and not of setting", async () => {
  const deadlines = new Deadlines();
  const called: string[] = [];
  const last = Promise.withResolvers<void>();
  deadlines.set(() => {
    called.push("third");
    last.resolve();
  }, 60);
  deadlines.set(() => called.push("second"), 30);
  deadlines.set(() => called.push("first"), 0);
  await last.promise;
  await wait(20);
  assert.deepEqual(called, ["first", "second", "third"]);
});

Deno.test("deadlines: a cancelled one is not called, and those behind it are", async () => {
  const deadlines = new Deadlines();
  const called: string[] = [];
  const done = Promise.withResolvers<void>();
  const cancel = deadlines.set(() => called.push("cancelled"), 5);
  deadlines.set(() => {
    called.push("kept");
    done.resolve();
  }, 30);
  cancel();
  cancel();
  await done.promise;
  assert.deepEqual(called, ["kept"]);
});

Deno.test("deadlines: one that becomes due together with another may still be cancelled by it", async () => {
  const deadlines = new Deadlines();
  const called: string[] = [];
  deadlines.set(() => {
    called.push("one");
    cancel();
  }, 5);
  const cancel = deadlines.set(() => called.push("two"), 5);
  await wait(40);
  assert.deepEqual(called, ["one"]);
});

Deno.test("deadlines: what is far away or never comes does not fire at once", async () => {
  const deadlines = new Deadlines();
  let called = 0;
  const cancels = [2 ** 31, 2 ** 40, Infinity].map((ms) => deadlines.set(() => called++, ms));
  await wait(20);
  for (const cancel of cancels) cancel();
  assert.equal(called, 0);
});

Deno.test("deadlines: a set and cancelled one keeps no process alive", async () => {
  const code = `
    import { Deadlines } from ${JSON.stringify(import.meta.resolve("./deadlines.ts"))};
    new Deadlines().set(() => {}, 3_600_000)();
  `;
  const child = new Deno.Command(Deno.execPath(), { args: ["eval", "--no-config", code], stderr: "inherit" });
  assert.equal((await child.output()).code, 0);
});
