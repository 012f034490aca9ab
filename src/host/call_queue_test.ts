import assert from "node:assert/strict";
import { CallQueue, MAX_RUNNING, MAX_RUNNING_PER_TOOL, MAX_WAITING_PER_TOOL } from "./call_queue.ts";

Deno.test("CallQueue: 32 of one tool run, 256 wait, the rest is refused", () => {
  const started: number[] = [];
  const queue = new CallQueue<number>((call) => started.push(call));
  const places = Array.from({ length: 300 }, (_, call) => queue.enter("a", call));
  const count = (place: string) => places.filter((one) => one === place).length;
  assert.deepEqual([count("run"), count("wait"), count("full")], [32, 256, 12]);
  assert.deepEqual([queue.running, queue.waiting], [MAX_RUNNING_PER_TOOL, MAX_WAITING_PER_TOOL]);
  assert.equal(queue.enter("b", 1000), "run", "another tool is not held up");
  queue.release("a");
  assert.deepEqual(started, [32], "in order");
  assert.equal(queue.leave("a", 33), true);
  assert.equal(queue.leave("a", 33), false);
  assert.equal(queue.leave("a", 0), false, "a call that runs does not wait");
  queue.release("a");
  assert.deepEqual(started, [32, 34]);
  assert.equal(queue.running, 33);
});

Deno.test("CallQueue: 256 run in all, and the tools take turns", () => {
  const started: string[] = [];
  const queue = new CallQueue<string>((call) => started.push(call));
  for (let tool = 0; tool < 8; tool++) {
    for (let call = 0; call < 32; call++) assert.equal(queue.enter(`t${tool}`, ""), "run");
  }
  assert.equal(queue.running, MAX_RUNNING);
  for (const call of ["a1", "a2", "a3"]) assert.equal(queue.enter("a", call), "wait");
  for (const call of ["b1", "b2"]) assert.equal(queue.enter("b", call), "wait");
  for (let place = 0; place < 5; place++) queue.release("t0");
  assert.deepEqual(started, ["a1", "b1", "a2", "b2", "a3"]);
  assert.deepEqual([queue.running, queue.waiting], [MAX_RUNNING, 0]);
});

Deno.test("CallQueue: a new call does not overtake those that wait", () => {
  const started: string[] = [];
  const queue = new CallQueue<string>((call) => started.push(call));
  for (let call = 0; call < 32; call++) queue.enter("a", "");
  queue.enter("a", "first");
  queue.release("a");
  assert.deepEqual(started, ["first"]);
  assert.equal(queue.enter("a", "second"), "wait");
});

Deno.test("CallQueue: nothing is left when all is over", () => {
  const queue = new CallQueue<number>(() => {});
  for (let call = 0; call < 100; call++) queue.enter("a", call);
  for (let call = 0; call < 100; call++) queue.release("a");
  assert.deepEqual([queue.running, queue.waiting], [0, 0]);
});
