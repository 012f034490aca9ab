import assert from "node:assert/strict";
import { median, percentile } from "./percentile.ts";

Deno.test("percentile: nearest rank, whatever the order", () => {
  const samples = [5, 1, 4, 2, 3];
  assert.deepEqual([0, 0.5, 0.9, 0.99, 1].map((part) => percentile(samples, part)), [1, 3, 5, 5, 5]);
  assert.deepEqual(samples, [5, 1, 4, 2, 3]);
  assert.equal(median([10, 9]), 9);
  assert.throws(() => median([]), RangeError);
});
