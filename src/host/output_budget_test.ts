import assert from "node:assert/strict";
import { OutputBudget } from "./output_budget.ts";

Deno.test("OutputBudget: a burst, then a rate; what is refused is counted", () => {
  const budget = new OutputBudget(0);
  const chunk = 256 * 1024;
  let taken = 0;
  for (let index = 0; index < 100; index++) if (budget.take(chunk, 0)) taken++;
  assert.equal(taken, 16);
  assert.equal(budget.takeDropped(), 84 * chunk);
  assert.equal(budget.takeDropped(), 0);
  assert.equal(budget.take(chunk, 200), false);
  assert.equal(budget.take(chunk, 300), true);
  assert.equal(budget.take(4 * 1024 * 1024, 60_000), true, "never more than the burst is saved up");
  assert.equal(budget.take(chunk, 60_000), false);
});
