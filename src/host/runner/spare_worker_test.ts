import assert from "node:assert/strict";
import { SpareWorker } from "./spare_worker.ts";

/** What is made here in place of threads: counted, and each can fail. */
function counted() {
  const made: { options: string; ended: boolean; fail: () => void; worker: Worker }[] = [];
  const spare = new SpareWorker<string>((options, failed) => {
    const worker = new EventTarget() as Worker;
    const one = { options, ended: false, fail: failed, worker };
    worker.terminate = () => {
      one.ended = true;
    };
    made.push(one);
    return worker;
  });
  return { made, spare };
}

const wait = () => new Promise((resolve) => setTimeout(resolve, 30));

Deno.test("spare worker: it is given once, and only to who asks for its rights", async () => {
  const { made, spare } = counted();
  assert.equal(spare.take("a"), undefined);
  spare.prepare("a");
  await wait();
  assert.equal(made.length, 1);
  assert.equal(spare.take("b"), undefined);
  assert.equal(spare.take("a"), made[0]!.worker);
  assert.equal(spare.take("a"), undefined);
  assert.equal(made[0]!.ended, false);
  spare.drop();
  assert.equal(made[0]!.ended, false, "one that was taken is not the spare one any more");
});

Deno.test("spare worker: there is one at most; one with other rights ends", async () => {
  const { made, spare } = counted();
  spare.prepare("a");
  spare.prepare("a");
  await wait();
  spare.prepare("a");
  await wait();
  assert.deepEqual(made.map(({ options }) => options), ["a"]);
  spare.prepare("b");
  await wait();
  assert.deepEqual(made.map(({ options, ended }) => [options, ended]), [["a", true], ["b", false]]);
  assert.equal(spare.take("b"), made[1]!.worker);
});

Deno.test("spare worker: who needs a worker now goes before the spare one", async () => {
  const { made, spare } = counted();
  spare.prepare("a");
  assert.equal(spare.take("a"), undefined);
  await wait();
  assert.equal(made.length, 0);
});

Deno.test("spare worker: one that fails is given to nobody; one that was taken is its taker's", async () => {
  const { made, spare } = counted();
  spare.prepare("a");
  await wait();
  made[0]!.fail();
  assert.equal(made[0]!.ended, true);
  assert.equal(spare.take("a"), undefined);
  spare.prepare("a");
  await wait();
  assert.equal(spare.take("a"), made[1]!.worker);
  made[1]!.fail();
  assert.equal(made[1]!.ended, false);
});
