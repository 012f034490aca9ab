import assert from "node:assert/strict";
import { HARNESSES, SessionBench } from "../support/sessions.ts";
import { eventually } from "../support/eventually.ts";

// What takes minutes of real time: `deno task test:long` (specification 4.1).

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
/** Longer than the 5 minutes after which OpenCode's own HTTP client would give up. */
const CALL_MS = 5 * 60_000 + 20_000;

const PATIENT = `export default {
  description: "Takes its time.",
  parameters: { type: "object", properties: { ms: { type: "integer" } }, required: ["ms"] },
  execute: ({ ms }) => new Promise((done) => setTimeout(() => done("waited " + ms), ms)),
}
`;
const MANIFEST = `tools:
  patient: tools/patient.ts
tool_settings:
  patient: { timeout: 10m }
agents:
  beeuni: { prompt: You do what the script says. }
  asked:
    prompt: You do what the script says.
    permission: { patient: ask }
`;
const files = { "beeuni.yaml": MANIFEST, "tools/patient.ts": PATIENT };

Deno.test({
  name: "long: a call of more than five minutes, on both harnesses",
  ...LENIENT,
  async fn() {
    await using bench = await SessionBench.start({ files });
    const steps = [{ tool: "patient", args: { ms: CALL_MS } }, { text: "done" }];
    await Promise.all(HARNESSES.map(async (harness) => {
      const { id } = await bench.begin(bench.prompt(steps), { harness });
      await eventually(async () => assert.notEqual((await bench.session(id)).state, "running"), {
        within: CALL_MS + 60_000,
        every: 1_000,
      });
      const calls = (await bench.messages(id)).flatMap(({ tools }) => tools);
      assert.deepEqual(calls.map(({ status, output }) => [status, output]), [[
        "completed",
        `waited ${CALL_MS}`,
      ]]);
      assert.ok(calls[0]!.ms >= CALL_MS);
    }));
  },
});

Deno.test({
  name: "long: with nobody there a question is a no after a minute, on both harnesses",
  ...LENIENT,
  async fn() {
    await using bench = await SessionBench.start({ files });
    const steps = [{ tool: "patient", args: { ms: 1 } }, { text: "done" }];
    await Promise.all(HARNESSES.map(async (harness) => {
      const start = performance.now();
      const { id } = await bench.begin(bench.prompt(steps), { harness, agent: "asked", attended: false });
      const question = await bench.question(id);
      assert.equal(Math.round((Date.parse(question.deadline) - Date.parse(question.created)) / 1_000), 60);
      await eventually(async () => assert.notEqual((await bench.session(id)).state, "running"), {
        within: 90_000,
        every: 200,
      });
      const ms = performance.now() - start;
      assert.ok(ms >= 59_000, `it was a no after ${ms} ms`);
      const calls = (await bench.messages(id)).flatMap(({ tools }) => tools);
      assert.deepEqual(calls.map(({ tool, status }) => [tool, status]), [["patient", "refused"]]);
      assert.match(calls[0]!.error ?? "", /nobody|no answer|60 s/i);
    }));
  },
});
