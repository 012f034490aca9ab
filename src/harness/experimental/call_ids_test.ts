import assert from "node:assert/strict";
import { CallIds } from "./call_ids.ts";

Deno.test("CallIds: a model's own id, unless it is taken or none", () => {
  const ids = new CallIds(["call_1"]);
  assert.equal(ids.take("call_2"), "call_2");
  assert.equal(ids.take("toolu_01-A"), "toolu_01-A");
  const made = ["call_1", "call_2", "", "functions.show:0", "a/b", "x".repeat(65), "ключ", ".."].map((id) =>
    ids.take(id)
  );
  for (const id of made) assert.match(id, /^call_[0-9a-f]{32}$/);
  assert.equal(new Set(made).size, made.length);
});
