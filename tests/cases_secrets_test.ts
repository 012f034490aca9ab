import assert from "node:assert/strict";
import { join } from "node:path";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { beeuni } from "./support/run.ts";
import { output } from "./support/told.ts";

// context.env and the masking of secrets (specification 2.6, cases S1 to S4).

const PEM = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
-----END PRIVATE KEY-----`;
const JSON_KEY = `{
  "type": "service_account",
  "private_key_id": "0123456789abcdef",
  "client": { "id": "client-77-id" }
}`;

/** Name, how it stands in the file, and the value it has to have, byte for byte. */
const VALUES: [name: string, written: string, value: string][] = [
  ["PLAIN_KEY", "PLAIN_KEY=plain-value-of-a-key", "plain-value-of-a-key"],
  ["QUOTED_PEM", `QUOTED_PEM="${PEM}"`, PEM],
  ["JSON_KEY", `JSON_KEY='${JSON_KEY}'`, JSON_KEY],
  ["SINGLE", `SINGLE="it's a 'quoted' one"`, "it's a 'quoted' one"],
  ["DOUBLE", `DOUBLE='say "hello" to it'`, 'say "hello" to it'],
  ["COMMAND", "COMMAND='$(id) `id` ${HOME}'", "$(id) `id` ${HOME}"],
  ["CRLF", `CRLF="first line\r\nsecond line\r\n"`, "first line\r\nsecond line\r\n"],
  [
    "UNSET",
    `UNSET="one\nunset HOME\nexport X='y'\nPATH=/nowhere"`,
    "one\nunset HOME\nexport X='y'\nPATH=/nowhere",
  ],
  ["EQUALS", "EQUALS=YWJjZGVmZ2g=", "YWJjZGVmZ2g="],
  ["UNICODE", 'UNICODE="schlüssel-🌍-ключ"', "schlüssel-🌍-ключ"],
  ["HASH", "HASH='a # that is no comment'", "a # that is no comment"],
  ["TRAILING", 'TRAILING="blanks behind   "', "blanks behind   "],
];
const ENV_FILE = `# secrets\n${VALUES.map(([, written]) => written).join("\n")}\n`;
const CONTAINER = {
  VISIBLE: "of the container",
  X: "before",
  BEEUNI_TOKEN: "token-of-the-platform",
  BEEUNI_SECRETS_KEY: "key-of-the-secrets",
  BEEUNI_MODEL_API_KEY: "key-of-the-model",
  BEEUNI_TOOL_HEAP_MB: "256",
  OPENCODE_CONFIG: "/somewhere",
};

/** Leaks a secret in the middle of a long line: `before` units stand before it, `length` in all. */
const LEAKS_LONG = `
  export default {
    description: "Leaks a secret within a long text.",
    parameters: { type: "object" },
    execute({ name, form, before, length, to }, { env }) {
      const bytes = new TextEncoder().encode(env[name]);
      const secret = form === "base64" ? btoa(String.fromCharCode(...bytes)) : env[name];
      const text = "x".repeat(before) + secret + "y".repeat(length - before);
      if (to === "error") throw new Error(text);
      if (to === "output") return text;
      if (to === "console") console.log(text);
      else for (let at = 0; at < text.length; at += 1000) {
        Deno.stdout.writeSync(new TextEncoder().encode(text.slice(at, at + 1000)));
      }
      return "logged";
    },
  };
`;

let project: Project;
let daemon: Daemon;
let envFile: string;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/calls", files: { "tools/leaks_long.ts": LEAKS_LONG } });
  const row = "  leaks: tools/leaks.ts\n";
  project.write(
    "beeuni.yaml",
    project.read("beeuni.yaml").replace(row, `${row}  leaks_long: tools/leaks_long.ts\n`),
  );
  envFile = join(project.base, "secrets.env");
  Deno.writeTextFileSync(envFile, ENV_FILE);
  daemon = await startDaemon(project, { args: ["--env-file", envFile], env: CONTAINER });
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

// deno-lint-ignore no-explicit-any -- any JSON
async function answered(tool: string, body: Record<string, unknown>): Promise<any> {
  const answer = await daemon.call(tool, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return JSON.parse(answer.body.output);
}

Deno.test({
  name: "secrets: byte for byte in context.env, no other variable changes (S1)",
  ...LENIENT,
  async fn() {
    const names = VALUES.map(([name]) => name);
    const values = await answered("secrets", { args: { names } });
    for (const [name, , value] of VALUES) assert.equal(values[name], value, name);
    const all: string[] = await answered("secrets", {});
    const container = ["BEEUNI_STATE_DIR", "NO_COLOR", "TMPDIR", "VISIBLE", "X", "PATH", "HOME"];
    for (const name of container) assert.ok(all.includes(name), name);
    const given = await answered("secrets", { args: { names: ["X", "HOME", "PATH", "VISIBLE"] } });
    assert.deepEqual(given, {
      X: "before",
      HOME: Deno.env.get("HOME"),
      PATH: Deno.env.get("PATH"),
      VISIBLE: "of the container",
    });
  },
});

Deno.test({
  name: "secrets: Beeuni's own credentials reach no project tool, the token only one with a Beeuni name",
  ...LENIENT,
  async fn() {
    const reserved = Object.keys(CONTAINER).filter((name) => /^(BEEUNI|OPENCODE)_/.test(name));
    assert.deepEqual(
      await answered("secrets", { args: { names: reserved } }),
      Object.fromEntries(reserved.map((name) => [name, null])),
    );
    const search = await answered("web_search", { args: { names: reserved } });
    assert.deepEqual(search, {
      ...Object.fromEntries(reserved.map((name) => [name, null])),
      BEEUNI_TOKEN: "token-of-the-platform",
    });
  },
});

Deno.test({
  name: "secrets: an agent gets what it is granted (S4)",
  ...LENIENT,
  async fn() {
    const names = ["PLAIN_KEY", "JSON_KEY"];
    const of = (agent: string) => answered("secrets", { agent, args: { names } });
    assert.deepEqual(await of("beeuni"), { PLAIN_KEY: "plain-value-of-a-key", JSON_KEY });
    assert.deepEqual(await of("narrow"), { PLAIN_KEY: "plain-value-of-a-key", JSON_KEY: null });
    assert.deepEqual(await of("poor"), { PLAIN_KEY: null, JSON_KEY: null });
  },
});

Deno.test({
  name: "secrets: one set, changed or removed after start is seen by the next call",
  ...LENIENT,
  async fn() {
    const names = ["PLAIN_KEY", "LATER_KEY"];
    const now = () => answered("secrets", { args: { names } });
    try {
      Deno.writeTextFileSync(envFile, ENV_FILE.replace("plain-value-of-a-key", "changed-value-of-a-key"));
      assert.deepEqual(await now(), { PLAIN_KEY: "changed-value-of-a-key", LATER_KEY: null });
      Deno.writeTextFileSync(envFile, "LATER_KEY=a-key-set-later\n");
      assert.deepEqual(await now(), { PLAIN_KEY: null, LATER_KEY: "a-key-set-later" });
      Deno.writeTextFileSync(envFile, "");
      assert.deepEqual(await now(), { PLAIN_KEY: null, LATER_KEY: null });
    } finally {
      Deno.writeTextFileSync(envFile, ENV_FILE);
    }
    assert.deepEqual(await now(), { PLAIN_KEY: "plain-value-of-a-key", LATER_KEY: null });
  },
});

Deno.test({
  name: "secrets: process.env is undefined for a package that reads it at import, but for what is named (S3)",
  ...LENIENT,
  async fn() {
    const environment = await answered("reads_environment", {});
    assert.deepEqual(environment, { debug: "undefined", home: "undefined", node: "undefined" });
  },
});

const FORMS = [
  "raw",
  "json",
  "json_twice",
  "url",
  "form",
  "base64",
  "base64_one_before",
  "base64_two_before",
  "basic",
  "base64url",
  "lines",
  "inside",
];

/** Runs of letters and digits that tell a secret, in any form: what stands in its lines, and base64 of its middle. */
function traces(secret: string): string[] {
  const lines = secret.split("\n").filter((line) => line.length >= 8);
  const middles = [0, 1, 2].map((shift) => {
    const bytes = new TextEncoder().encode(secret).subarray(shift, shift + 18);
    return btoa(String.fromCharCode(...bytes)).slice(4, 20);
  });
  return [...lines, ...middles, encodeURIComponent(secret).slice(0, 40)];
}

for (const name of ["PLAIN_KEY", "JSON_KEY", "QUOTED_PEM", "UNICODE"]) {
  for (const to of ["console", "stdout", "error"]) {
    Deno.test({
      name: `secrets: ${name} is masked on its way to ${to}, in every form (S2)`,
      ...LENIENT,
      async fn() {
        const secret = VALUES.find(([known]) => known === name)?.[2] ?? "";
        for (const form of FORMS) {
          const from = daemon.stderr.text.length;
          const call = `${name}-${to}-${form}`;
          const { status, body } = await daemon.call("leaks", { call, args: { name, form, to } });
          assert.equal(status, to === "error" ? 422 : 200, JSON.stringify(body));
          await eventually(() => {
            assert.ok(daemon.log.some((line) => line.call === call && line.outcome !== undefined));
            if (to !== "error") assert.ok(daemon.stderr.text.slice(from).includes("braces"));
          });
          const text = daemon.stderr.text.slice(from);
          for (const trace of traces(secret)) {
            const escaped = JSON.stringify(trace).slice(1, -1);
            for (const told of [text, JSON.stringify(body)]) {
              assert.ok(!told.includes(trace) && !told.includes(escaped), `${form}: ${trace} in ${told}`);
            }
          }
          const told = to === "error" ? body.error : text;
          assert.match(told, /\*\*\*/, `${form}: nothing was masked in ${told}`);
          if (to === "error") assert.ok(body.error.startsWith("the API said: "));
          // What is no secret stays: the braces of other lines do.
          else assert.ok(text.includes(JSON.stringify('{ "braces": "stay" }').slice(1, -1)), text);
        }
      },
    });
  }
}

/** Any eight units of a form: half a secret tells, too. */
const parts = (form: string) =>
  Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)).filter((part) =>
    !/[xy]{4}/.test(part)
  );

/** All that stands in the files in which large texts are kept. */
function spilled(): string {
  const root = join(project.tmp, "beeuni-tool-output");
  const texts: string[] = [];
  for (const session of Deno.readDirSync(root)) {
    for (const file of Deno.readDirSync(join(root, session.name))) {
      texts.push(Deno.readTextFileSync(join(root, session.name, file.name)));
    }
  }
  return texts.join("\n");
}

for (const form of ["raw", "base64"]) {
  const text = form === "raw" ? "plain-value-of-a-key" : btoa("plain-value-of-a-key");
  for (
    const [to, before, length] of [
      // The bound of a message is 51,200 bytes, its note of some 200 included; a log line is cut each 32 Ki units.
      ["error", 30_000, 60_000],
      ...[50_960, 50_980, 51_000, 51_020, 51_040, 51_190].map((before) => ["error", before, 60_000] as const),
      ["error", 59_990, 60_000],
      ["console", 32_768 - 10, 100_000],
      ["console", 65_536 - 10, 100_000],
      ["stdout", 32_768 - 10, 100_000],
      ["stdout", 8_192 - 10, 100_000],
      ["stdout", 9_000 - 10, 100_000],
    ] as const
  ) {
    Deno.test({
      name: `secrets: ${form} behind ${before} units is masked before a long text to ${to} is cut (S2)`,
      ...LENIENT,
      async fn() {
        const from = daemon.stderr.text.length;
        const call = `long-${form}-${to}-${before}`;
        const args = { name: "PLAIN_KEY", form, before, length, to };
        const { status, body } = await daemon.call("leaks_long", { call, args });
        assert.equal(status, to === "error" ? 422 : 200, JSON.stringify(body).slice(0, 500));
        const logged = () => daemon.stderr.text.slice(from);
        await eventually(() => {
          assert.ok(daemon.log.some((line) => line.call === call && line.outcome !== undefined));
          if (to !== "error") assert.match(logged(), /\*\*\*/);
        });
        const kept = to === "error" ? spilled() : "";
        if (to === "error") {
          assert.match(body.error, /^x+[^]*Output truncated: [^]*beeuni-tool-output/);
          assert.match(kept, new RegExp(`(?:^|\n)x{${before}}\\*\\*\\*y{${length - before}}(?:\n|$)`));
        }
        for (const part of parts(text)) {
          for (const told of [logged(), JSON.stringify(body), kept]) {
            assert.ok(!told.includes(part), `${part} at ${told.indexOf(part)}`);
          }
        }
      },
    });
  }
}

Deno.test({
  name: "secrets: a long output is what the tool returned, also in its file",
  ...LENIENT,
  async fn() {
    const args = { name: "PLAIN_KEY", form: "raw", before: 30_000, length: 60_000, to: "output" };
    const { status, body } = await daemon.call("leaks_long", { session: "whole", args });
    assert.equal(status, 200);
    assert.ok(body.output.includes("xplain-value-of-a-keyy"));
    const whole = "x".repeat(30_000) + "plain-value-of-a-key" + "y".repeat(30_000);
    assert.equal(Deno.readTextFileSync(body.file), whole);
  },
});

Deno.test({
  name: "secrets: output is what the tool returned",
  ...LENIENT,
  fn: async () =>
    output("plain-value-of-a-key")(
      await daemon.call("leaks", { args: { name: "PLAIN_KEY", form: "raw", to: "output" } }),
    ),
});

Deno.test({
  name: "secrets: tools call --env-file grants and masks the same way",
  ...LENIENT,
  async fn() {
    const call = (agent: string, tool: string, args: unknown) =>
      beeuni(project, [
        "tools",
        "call",
        tool,
        "--agent",
        agent,
        "--env-file",
        envFile,
        "--args",
        JSON.stringify(args),
      ], { env: CONTAINER });
    const names = ["PLAIN_KEY", "JSON_KEY", "QUOTED_PEM"];
    const all = await call("beeuni", "secrets", { names });
    assert.equal(all.code, 0, all.stderr);
    assert.deepEqual(JSON.parse(all.stdout), {
      PLAIN_KEY: "plain-value-of-a-key",
      JSON_KEY,
      QUOTED_PEM: PEM,
    });
    const poor = await call("poor", "secrets", { names });
    assert.deepEqual(JSON.parse(poor.stdout), { PLAIN_KEY: null, JSON_KEY: null, QUOTED_PEM: null });
    const leak = await call("beeuni", "leaks", { name: "PLAIN_KEY", form: "raw", to: "error" });
    assert.equal(leak.code, 1);
    assert.ok(leak.stderr.includes("the API said: ***"), leak.stderr);
    assert.ok(!(leak.stderr + leak.stdout).includes("plain-value-of-a-key"));
  },
});

Deno.test({
  name: "secrets: an env file that is not there fails at once",
  ...LENIENT,
  async fn() {
    const args = ["tools", "call", "echo", "--args", '{"id":"1"}', "--env-file", "nowhere.env"];
    const { code, stderr, stdout } = await beeuni(project, args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^beeuni: .*nowhere\.env/m);
    assert.equal(stdout, "");
  },
});
