import assert from "node:assert/strict";
import { bashEnv } from "./bash_env.ts";

Deno.test("bashEnv: the container's environment without anything secret", () => {
  const kept = {
    PATH: "/bin",
    HOME: "/home/u",
    LANG: "C",
    BEEUNI_STATE_DIR: "/state",
    BEEUNI_API_URL: "https://api.example.com",
    CI: "1",
    SSH_AUTH_SOCK: "/run/agent",
  };
  const secret = {
    BEEUNI_TOKEN: "t",
    BEEUNI_SECRETS_KEY: "k",
    BEEUNI_MODEL_API_KEY: "m",
    BEEUNI_MODEL_BASE_URL: "http://127.0.0.1:1/v1",
    BEEUNI_TOOL_HEAP_MB: "1",
    OPENCODE_SERVER_PASSWORD: "p",
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEY: "o",
    HF_TOKEN: "h",
    TAVILY_API_KEY: "v",
    SOME_NEW_PROVIDER_API_KEY: "n",
    DATABASE_URL: "postgres://u:hunter2-hunter2@db/x",
  };
  const mask = (text: string) => text.replaceAll("hunter2-hunter2", "***");
  assert.deepEqual(bashEnv({ ...kept, ...secret }, mask), kept);
});
