import assert from "node:assert/strict";
import type { Agent } from "../manifest/model.ts";
import { EVERY_TOOL } from "../manifest/tool_list.ts";
import { CallEnv, type CallEnvSources, envFor } from "./call_env.ts";
import { EnvFile } from "./env_file.ts";

const CONTAINER = {
  PATH: "/bin",
  AWS_REGION: "eu",
  BEEUNI_API_URL: "https://api.test",
  BEEUNI_TOKEN: "container-token",
  BEEUNI_SECRETS_KEY: "k",
  BEEUNI_MODEL_API_KEY: "m",
  BEEUNI_TOOL_HEAP_MB: "64",
  OPENCODE_SERVER_PASSWORD: "o",
};
const PLAIN = { PATH: "/bin", AWS_REGION: "eu", BEEUNI_API_URL: "https://api.test" };

function callEnv(
  change: Partial<CallEnvSources> = {},
  secrets: Record<string, Agent["secrets"]> = { a: "all" },
) {
  const told: string[] = [];
  const env = new CallEnv({
    containerEnv: CONTAINER,
    onSecrets: (values) => told.push(...values),
    ...change,
  });
  env.setAgents(
    new Map(Object.entries(secrets).map(([name, secrets]) => [name, { name, tools: EVERY_TOOL, secrets }])),
  );
  return { env, told };
}

Deno.test("CallEnv: the container's variables without Beeuni's own; BEEUNI_TOKEN for the five names only", () => {
  const { env } = callEnv();
  const of = env.of("a");
  assert.deepEqual(envFor(of, "lookup_order"), PLAIN);
  for (const name of ["web_search", "image_search", "scrape_webpage", "memory", "show"]) {
    assert.deepEqual(envFor(of, name), { ...PLAIN, BEEUNI_TOKEN: "container-token" });
  }
});

Deno.test("CallEnv: secrets as they are now, the same object while nothing changed", () => {
  let stored: Record<string, string> = { KEY: "one-secret-value", PATH: "/mine" };
  const { env, told } = callEnv({ secrets: (agent) => agent === "a" ? stored : {} });
  const first = env.of("a");
  assert.deepEqual(first.plain, { ...PLAIN, PATH: "/mine", KEY: "one-secret-value" });
  assert.equal(env.of("a"), first);
  stored = { ...stored };
  assert.equal(env.of("a"), first, "another object that says the same");
  stored = { KEY: "two-secret-value" };
  assert.deepEqual(env.of("a").plain, { ...PLAIN, KEY: "two-secret-value" });
  stored = {};
  assert.deepEqual(env.of("a").plain, PLAIN);
  assert.deepEqual(env.of("b").plain, PLAIN);
  assert.ok(told.includes("one-secret-value") && told.includes("two-secret-value"));
});

Deno.test("CallEnv: the env file's values are granted by the agent's list, and all of them are masked", () => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, "X=file-x\nY=file-y\nBEEUNI_TOKEN=file-token\nOPENCODE_X=1\n");
    const { env, told } = callEnv(
      { envFile: new EnvFile(path), secrets: () => ({ X: "stored-x", Z: "stored-z" }) },
      { all: "all", some: ["Y"], none: "none" },
    );
    assert.deepEqual(env.of("all").plain, { ...PLAIN, X: "file-x", Y: "file-y", Z: "stored-z" });
    assert.deepEqual(env.of("all").beeuni.BEEUNI_TOKEN, "file-token");
    assert.deepEqual(env.of("some").plain, { ...PLAIN, X: "stored-x", Y: "file-y", Z: "stored-z" });
    assert.equal(env.of("some").beeuni.BEEUNI_TOKEN, "container-token");
    assert.deepEqual(env.of("none").plain, { ...PLAIN, X: "stored-x", Z: "stored-z" });
    assert.deepEqual(env.of("undeclared").plain, { ...PLAIN, X: "stored-x", Z: "stored-z" });
    assert.ok(["file-x", "file-y", "file-token", "stored-z"].every((value) => told.includes(value)));
    Deno.removeSync(path);
    assert.throws(() => env.of("all"), { code: "env_file" });
  } finally {
    try {
      Deno.removeSync(path);
    } catch {
      // The test removed it.
    }
  }
});
