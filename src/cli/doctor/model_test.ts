import assert from "node:assert/strict";
import type { Agent } from "../../manifest/model.ts";
import { checkModel } from "./model.ts";

function project(models: Record<string, string | undefined>) {
  const agents = Object.entries(models).map(([name, model]): [string, Agent] => [
    name,
    {
      name,
      tools: { entries: new Map(), otherwise: true },
      secrets: "none",
      ...(model === undefined ? {} : { model }),
    },
  ]);
  return { agents: new Map(agents) };
}

function sources(env: Record<string, string>, secrets: Record<string, string> = {}) {
  return { env: (name: string) => env[name], secret: (name: string) => secrets[name] };
}

Deno.test("doctor: whether sessions have a model", () => {
  const cases: [Parameters<typeof checkModel>, "ok" | "warning", string | RegExp][] = [
    [
      [project({ a: "openai/x", b: "openai/x", c: undefined }), sources({ OPENAI_API_KEY: "k-1" })],
      "ok",
      "openai/x (a, b)",
    ],
    [[project({ a: "openai/x" }), sources({}, { OPENAI_API_KEY: "k-1" })], "ok", "openai/x (a)"],
    [[project({ a: "openai/x" }), sources({})], "warning", /OPENAI_API_KEY is not set \(a\)$/],
    [[project({ a: "opnai/x" }), sources({})], "warning", /did you mean openai\? \(a\)$/],
    [
      [project({}), sources({ BEEUNI_MODEL_BASE_URL: "http://127.0.0.1:1/v1" })],
      "ok",
      "any that --model names, at http://127.0.0.1:1",
    ],
    [[undefined, sources({ BEEUNI_MODEL_BASE_URL: "nonsense" })], "warning", /BEEUNI_MODEL_BASE_URL/],
    [
      [undefined, sources({ XAI_API_KEY: "k" }, { OPENAI_API_KEY: "k" })],
      "ok",
      "--model has to name one of: openai, xai",
    ],
    [[undefined, sources({})], "warning", /^no model is configured: .*: sessions can't run$/],
  ];
  for (const [given, status, detail] of cases) {
    const check = checkModel(...given);
    assert.deepEqual([check.name, check.status], ["model", status], check.detail);
    if (typeof detail === "string") assert.equal(check.detail, detail);
    else assert.match(check.detail, detail);
    assert.doesNotMatch(check.detail, /k-1/);
  }
});
