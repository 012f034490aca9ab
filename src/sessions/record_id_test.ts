import assert from "node:assert/strict";
import { recordId } from "./record_id.ts";

Deno.test("recordId: fits the pattern, sorts by time, never the same, also when the clock goes back", () => {
  const now = Date.now() + 1000;
  const ids = [now, now, now + 1, now - 60_000, now + 2].map((time) => recordId("ses", time));
  for (let count = 0; count < 10_000; count++) ids.push(recordId("ses", now + 2));
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^ses_[a-z0-9]{25}$/);
  assert.match(recordId("msg"), /^msg_/);
});
