import assert from "node:assert/strict";
import { modelError, type ModelFailure } from "./model_failure.ts";
import type { ModelEndpoint } from "./types.ts";

const KEY = "sk-very-secret-key";

const OPENAI: ModelEndpoint = {
  ref: "openai/gpt-x",
  provider: "openai",
  model: "gpt-x",
  api: "openai-completions",
  baseUrl: "https://api.openai.com/v1",
  apiKey: KEY,
};

const LOCAL: ModelEndpoint = { ...OPENAI, baseUrl: "http://127.0.0.1:8080/v1" };

Deno.test("modelError: names the model, its host and what to do, never the key", () => {
  const rows: [ModelEndpoint, ModelFailure, string, RegExp, RegExp][] = [
    [
      OPENAI,
      { kind: "status", status: 401, body: `{"error":{"message":"Incorrect API key: ${KEY}"}}` },
      "model_key",
      /openai\/gpt-x at api\.openai\.com refused the key in OPENAI_API_KEY \(HTTP 401\)$/,
      /beeuni secrets set OPENAI_API_KEY=-/,
    ],
    [
      LOCAL,
      { kind: "status", status: 403, body: "" },
      "model_key",
      /127\.0\.0\.1:8080.*BEEUNI_MODEL_API_KEY/,
      /gpt-x\.$/,
    ],
    [
      LOCAL,
      { kind: "status", status: 404, body: "nope" },
      "model_failed",
      /not found \(HTTP 404\): nope/,
      /\/v1/,
    ],
    [OPENAI, { kind: "status", status: 429, body: "" }, "model_failed", /no more requests now/, /Wait/],
    [
      OPENAI,
      { kind: "status", status: 503, body: "<html>x</html>" },
      "model_failed",
      /503\): it answered with a web page/,
      /later/,
    ],
    [
      OPENAI,
      { kind: "status", status: 400, body: '{"error":"bad field"}' },
      "model_failed",
      /400\): bad field/,
      /./,
    ],
    [
      OPENAI,
      {
        kind: "status",
        status: 400,
        body: '{"error":{"message":"This model\'s maximum context length is 8 tokens"}}',
      },
      "model_failed",
      /the conversation is longer than the model openai\/gpt-x/,
      /new session/,
    ],
    [
      OPENAI,
      { kind: "status", status: 413, body: "" },
      "model_failed",
      /longer than the model/,
      /new session/,
    ],
    [
      OPENAI,
      { kind: "status", status: 429, body: "too many tokens" },
      "model_failed",
      /no more requests/,
      /Wait/,
    ],
    [
      OPENAI,
      { kind: "network", reason: `refused ${KEY}` },
      "model_failed",
      /can't be reached: refused \*\*\*/,
      /network/,
    ],
    [OPENAI, { kind: "silence", ms: 300_000 }, "model_failed", /sent nothing for 300 s/, /again/],
    [OPENAI, { kind: "answer", reason: "cut" }, "model_failed", /can't be used: cut/, /again/],
  ];
  for (const [endpoint, failure, code, message, hint] of rows) {
    const error = modelError(endpoint, failure);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
    assert.ok(!`${error.message}${error.hint}`.includes(KEY));
  }
});

Deno.test("modelError: a provider's words are one bounded line", () => {
  const error = modelError(OPENAI, { kind: "status", status: 500, body: `a\n${"🌍".repeat(5000)}` });
  assert.ok(error.message.length < 500);
  assert.doesNotMatch(error.message, /\n|�/);
});
