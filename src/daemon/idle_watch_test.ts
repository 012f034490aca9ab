import assert from "node:assert/strict";
import { idleWatch } from "./idle_watch.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("idleWatch: tells once that there was nothing to do for long enough, and not before", async () => {
  let busy = true;
  let told = 0;
  const idle = Promise.withResolvers<number>();
  const started = performance.now();
  using watch = idleWatch({
    idleMs: 100,
    isBusy: () => busy,
    onIdle: () => {
      told++;
      idle.resolve(performance.now());
    },
  });
  await pause(200);
  assert.equal(told, 0, "told while there was something to do");
  busy = false;
  watch.touch();
  const touched = performance.now();
  assert.ok(await idle.promise - touched >= 95, "told too early");
  assert.ok(performance.now() - started >= 295);
  await pause(150);
  assert.equal(told, 1);
});

Deno.test("idleWatch: what was disposed tells nothing and leaves no timer", async () => {
  {
    using _watch = idleWatch({ idleMs: 10, isBusy: () => false, onIdle: () => assert.fail("told") });
  }
  await pause(30);
});
