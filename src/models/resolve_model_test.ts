import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { PROVIDERS } from "./providers.ts";
import { keyVariable, resolveModel } from "./resolve_model.ts";
import type { ModelSources } from "./types.ts";

function sources(env: Record<string, string>, secrets: Record<string, string> = {}): ModelSources {
  return { env: (name) => env[name], secret: (name) => secrets[name] };
}

const LOCAL = { BEEUNI_MODEL_BASE_URL: "http://127.0.0.1:8080/v1" };

Deno.test("resolveModel: where a model is reached, and with which key", () => {
  const rows: [string, Record<string, string>, Record<string, string>, Record<string, string>][] = [
    ["anthropic/claude-x", { ANTHROPIC_API_KEY: "k" }, {}, {
      api: "anthropic-messages",
      baseUrl: "https://api.anthropic.com/v1",
      apiKey: "k",
      model: "claude-x",
    }],
    ["openai/gpt-x", {}, { OPENAI_API_KEY: "from-secret" }, {
      api: "openai-completions",
      baseUrl: "https://api.openai.com/v1",
      apiKey: "from-secret",
    }],
    // A secret was set for this project.
    ["openai/gpt-x", { OPENAI_API_KEY: "from-env" }, { OPENAI_API_KEY: "from-secret" }, {
      apiKey: "from-secret",
    }],
    ["openai/gpt-x", { OPENAI_API_KEY: "from-env" }, { OPENAI_API_KEY: "" }, { apiKey: "from-env" }],
    ["openai/gpt-x", { OPENAI_API_KEY: " pasted\n" }, {}, { apiKey: "pasted" }],
    ["openrouter/qwen/qwen3:free", { OPENROUTER_API_KEY: "k" }, {}, {
      provider: "openrouter",
      model: "qwen/qwen3:free",
    }],
    ["google/gemini", { GOOGLE_API_KEY: "second" }, {}, { apiKey: "second" }],
    ["google/gemini", { GOOGLE_API_KEY: "second", GEMINI_API_KEY: "first" }, {}, { apiKey: "first" }],
    ["ollama/qwen3", {}, {}, { apiKey: "", baseUrl: "http://127.0.0.1:11434/v1" }],
    ["anything/model", LOCAL, {}, {
      api: "openai-completions",
      baseUrl: LOCAL.BEEUNI_MODEL_BASE_URL,
      apiKey: "",
    }],
    ["anthropic/claude", { ...LOCAL, ANTHROPIC_API_KEY: "no", BEEUNI_MODEL_API_KEY: "yes" }, {}, {
      api: "openai-completions",
      provider: "anthropic",
      model: "claude",
      baseUrl: LOCAL.BEEUNI_MODEL_BASE_URL,
      apiKey: "yes",
    }],
    ["a/b", { BEEUNI_MODEL_BASE_URL: " https://host.example/api/v1// " }, {}, {
      baseUrl: "https://host.example/api/v1",
    }],
    ["a/b", { BEEUNI_MODEL_BASE_URL: "http://[::1]:9/v1" }, {}, { baseUrl: "http://[::1]:9/v1" }],
    ["ollama/b", { BEEUNI_MODEL_BASE_URL: "" }, {}, { baseUrl: "http://127.0.0.1:11434/v1" }],
  ];
  for (const [ref, env, secrets, expected] of rows) {
    const endpoint = resolveModel(ref, sources(env, secrets));
    assert.deepEqual({ ...endpoint, ...expected }, { ...endpoint }, ref);
    assert.equal(endpoint.ref, ref);
  }
});

Deno.test("resolveModel: what is missing or wrong is named, with the way out", () => {
  const rows: [string | undefined, Record<string, string>, string, RegExp, RegExp][] = [
    [
      undefined,
      {},
      "no_model",
      /--model <provider>\/<model> or agents\.<name>\.model.*ANTHROPIC_API_KEY.*BEEUNI_MODEL_BASE_URL/,
      /secrets set.*BEEUNI_MODEL_BASE_URL \(with its \/v1\).*`beeuni daemon stop`/,
    ],
    ["  ", LOCAL, "no_model", /no model is configured/, /secrets set NAME=-/],
    ["gpt-5", {}, "no_model", /"gpt-5".*<provider>\/<model>/, /--model/],
    ["openai/", {}, "no_model", /<provider>\/<model>/, /--model/],
    ["/gpt", {}, "no_model", /<provider>\/<model>/, /--model/],
    ["openai/gpt 5", {}, "no_model", /<provider>\/<model>/, /--model/],
    ["antropic/claude", {}, "no_model", /did you mean anthropic\?/, /BEEUNI_MODEL_BASE_URL/],
    ["OpenAI/gpt", {}, "no_model", /did you mean openai\?/, /BEEUNI_MODEL_BASE_URL/],
    ["constructor/x", {}, "no_model", /known are anthropic/, /\(with its \/v1\).*`beeuni daemon stop`/],
    ["mistral/large", {}, "model_key", /MISTRAL_API_KEY is not set/, /beeuni secrets set MISTRAL_API_KEY=-/],
    [
      "groq/x",
      { GROQ_API_KEY: "" },
      "model_key",
      /GROQ_API_KEY is not set/,
      /GROQ_API_KEY=-.*`beeuni daemon stop`/,
    ],
    ["groq/x", { GROQ_API_KEY: "a\nb" }, "model_key", /the value of GROQ_API_KEY is not a key/, /one line/],
    [
      "a/b",
      { BEEUNI_MODEL_BASE_URL: "localhost" },
      "no_model",
      /BEEUNI_MODEL_BASE_URL is no URL: "localhost"/,
      /\/v1/,
    ],
    ["a/b", { BEEUNI_MODEL_BASE_URL: "localhost:80/v1" }, "no_model", /must start with http/, /\/v1/],
    ["a/b", { BEEUNI_MODEL_BASE_URL: "http://h/v1?x=1" }, "no_model", /no \? or #/, /\/v1/],
    [
      "a/b",
      { BEEUNI_MODEL_BASE_URL: "http://h/v1/chat/completions" },
      "no_model",
      /end before \/chat\/completions/,
      /\/v1/,
    ],
    [
      "a/b",
      { BEEUNI_MODEL_BASE_URL: "http://u:geheim@h/v1" },
      "no_model",
      /no user and password/,
      /BEEUNI_MODEL_API_KEY/,
    ],
  ];
  for (const [ref, env, code, message, hint] of rows) {
    assert.throws(() => resolveModel(ref, sources(env)), (error) => {
      assert.ok(error instanceof BeeuniError);
      assert.equal(error.code, code, `${ref}: ${error.message}`);
      assert.match(error.message, message);
      assert.match(error.hint ?? "", hint);
      assert.doesNotMatch(`${error.message} ${error.hint}`, /geheim|a\nb/);
      return true;
    });
  }
});

Deno.test("resolveModel: every provider of the table can be used", () => {
  for (const [name, provider] of Object.entries(PROVIDERS)) {
    const endpoint = resolveModel(`${name}/m`, sources({}, { [provider.keys[0]!]: "k" }));
    assert.equal(endpoint.apiKey, "k");
    assert.equal(keyVariable(endpoint), provider.keys[0]);
    assert.doesNotMatch(endpoint.baseUrl, /\/$/);
    assert.ok(URL.canParse(endpoint.baseUrl));
  }
  assert.equal(keyVariable(resolveModel("openai/m", sources(LOCAL))), "BEEUNI_MODEL_API_KEY");
});
