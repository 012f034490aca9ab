import assert from "node:assert/strict";
import { longTimeout } from "./long_timeout.ts";

Deno.test("longTimeout: fires once, or not when it was cancelled", async () => {
  let fired = 0;
  longTimeout(() => fired++, 5);
  longTimeout(() => fired += 10, 5)();
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(fired, 1);
});

Deno.test("longTimeout: 2^31 ms and more do not fire at once", async () => {
  let fired = 0;
  const cancel = [2 ** 31, 2 ** 31 - 1, 2 ** 40, Number.MAX_SAFE_INTEGER, Infinity].map((ms) =>
    longTimeout(() => fired++, ms)
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(fired, 0);
  for (const each of cancel) each();
});
