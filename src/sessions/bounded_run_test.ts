import assert from "node:assert/strict";
import { boundedRun } from "./bounded_run.ts";

Deno.test("boundedRun: settles as its work does", async () => {
  const { signal } = new AbortController();
  await boundedRun(() => Promise.resolve(), signal, 10);
  await assert.rejects(boundedRun(() => Promise.reject(new Error("later")), signal, 10), {
    message: "later",
  });
  await assert.rejects(
    boundedRun(
      () => {
        throw new Error("at once");
      },
      signal,
      10,
    ),
    { message: "at once" },
  );
});

Deno.test("boundedRun: work that heeds the signal has its time for that", async () => {
  const abort = new AbortController();
  const run = boundedRun(
    () =>
      new Promise<void>((resolve) => {
        abort.signal.addEventListener("abort", () => setTimeout(resolve, 20), { once: true });
      }),
    abort.signal,
    10_000,
  );
  await Promise.resolve();
  abort.abort();
  await run;
});

Deno.test("boundedRun: work that does not is left to itself, also when it throws later or was aborted before", async () => {
  for (const before of [true, false]) {
    const abort = new AbortController();
    const gate = Promise.withResolvers<void>();
    if (before) abort.abort(new Error("mine"));
    const run = boundedRun(() => gate.promise, abort.signal, 10);
    if (!before) abort.abort(new Error("mine"));
    await assert.rejects(run, { message: "mine" });
    gate.reject(new Error("nobody's"));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});
