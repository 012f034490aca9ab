import assert from "node:assert/strict";
import { RunnerWatch, type WatchedRunner } from "./runner_watch.ts";

/** Settles when `check` holds; a test that waits in vain times out. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("RunnerWatch: a busy runner over its memory is told, one below is not; no timer is left", async () => {
  const told: string[] = [];
  const runner = (name: string, change: Partial<WatchedRunner> = {}): WatchedRunner => ({
    pid: Deno.pid,
    busy: true,
    onTooLarge: () => told.push(name),
    onSweep: () => told.push(`${name} swept`),
    ...change,
  });
  const small = new RunnerWatch(1);
  const large = new RunnerWatch(2 ** 50);
  const runners = [runner("over"), runner("no process", { pid: 0 }), runner("idle", { busy: false })];
  const below = runner("below");
  for (const one of runners) small.add(one);
  large.add(below);
  await until(() => told.filter((name) => name === "over").length >= 2);
  assert.ok(!told.includes("below") && !told.includes("no process") && !told.includes("idle"), told.join());
  await until(() => told.includes("below swept"));
  assert.ok(told.includes("idle"), "an idle one is looked at once a second");
  for (const one of runners) small.delete(one);
  large.delete(below);
  // The test runner fails this test if a timer is still there.
});
