import assert from "node:assert/strict";
import { join } from "node:path";
import { beeuniCommand, beeuniProgram } from "./beeuni.ts";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { testEnvironment } from "./support/environment.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { beeuni, type RunOptions, type RunResult } from "./support/run.ts";

// beeuni secrets, and what a daemon and `tools call` make of the stored ones (specification 4.5, cases S1, S2, S4).

const PEM = `-----BEGIN PRIVATE KEY-----\r
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\r
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\r
-----END PRIVATE KEY-----\r
`;

const VALUES: Record<string, string> = {
  PLAIN_KEY: "plain-value-of-a-key",
  PEM_KEY: PEM,
  QUOTES: `it's "one" \`two\` $(id) \${HOME} \\n`,
  SHELL_LINES: `one\nunset HOME\nexport X='y'\nPATH=/nowhere`,
  JSON_KEY: '{\n  "type": "service_account",\n  "id": "0123456789abcdef"\n}',
  UNICODE: "schlüssel-🌍-ключ",
  BLANKS: "   blanks around it   ",
  EQUALS: "YWJjZGVmZ2g==",
  NEWLINES: "ends with two of them\n\n",
};

interface Session extends AsyncDisposable {
  project: Project;
  daemon: Daemon;
}

async function session(env: Record<string, string> = {}): Promise<Session> {
  const project = new Project({ fixture: "cases/calls" });
  try {
    const daemon = await startDaemon(project, { env });
    return {
      project,
      daemon,
      async [Symbol.asyncDispose]() {
        await daemon.stop();
        project[Symbol.dispose]();
      },
    };
  } catch (error) {
    project[Symbol.dispose]();
    throw error;
  }
}

function secrets(project: Project, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return beeuni(project, ["secrets", ...args], options);
}

async function set(project: Project, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const { code, stderr } = await secrets(project, ["set", ...args], options);
  assert.equal(code, 0, stderr);
}

/** The named secrets as the agent's tool sees them; `null` for those it has not. */
async function seen(daemon: Daemon, names: readonly string[], agent = "beeuni"): Promise<unknown> {
  const { status, body } = await daemon.call("secrets", { agent, args: { names } });
  assert.equal(status, 200, JSON.stringify(body));
  return JSON.parse(body.output);
}

async function listed(project: Project): Promise<{ name: string; updated: string; agents: string[] }[]> {
  const { code, stdout, stderr } = await secrets(project, ["ls", "--json"]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout).secrets;
}

/** Every byte below the state directory, as text in which each byte is a character. */
function everythingIn(folder: string): string {
  let all = "";
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    all += isDirectory ? everythingIn(path) : new TextDecoder("latin1").decode(Deno.readFileSync(path));
  }
  return all;
}

Deno.test("secrets: byte for byte from stdin to context.env, seen by the next call as they change (S1)", async () => {
  await using test = await session();
  const { project, daemon } = test;
  const names = [...Object.keys(VALUES), "HOME", "PATH", "X"];
  const container = { HOME: Deno.env.get("HOME"), PATH: Deno.env.get("PATH"), X: null };
  const none = Object.fromEntries(Object.keys(VALUES).map((name) => [name, null]));
  assert.deepEqual(await seen(daemon, names), { ...none, ...container });
  for (const [name, value] of Object.entries(VALUES)) {
    await set(project, [`${name}=-`], { stdin: `${value}\n` });
  }
  assert.deepEqual(await seen(daemon, names), { ...VALUES, ...container });
  // Changed, by an argument; removed.
  await set(project, ["PLAIN_KEY=changed-value", "UNICODE=changed too"]);
  const changed = { ...VALUES, PLAIN_KEY: "changed-value", UNICODE: "changed too" };
  assert.deepEqual(await seen(daemon, names), { ...changed, ...container });
  const removed = await secrets(project, ["rm", "PLAIN_KEY", "PEM_KEY"]);
  assert.deepEqual([removed.code, removed.stdout], [0, "removed PLAIN_KEY\nremoved PEM_KEY\n"]);
  assert.deepEqual(await seen(daemon, names), { ...changed, PLAIN_KEY: null, PEM_KEY: null, ...container });
});

Deno.test("secrets: an agent sees what it is granted, by the manifest in force (S4)", async () => {
  await using test = await session();
  const { project, daemon } = test;
  await set(project, ["PLAIN_KEY=plain-value-of-a-key", "OTHER_KEY=other-value-of-a-key"]);
  const names = ["PLAIN_KEY", "OTHER_KEY"];
  const all = { PLAIN_KEY: "plain-value-of-a-key", OTHER_KEY: "other-value-of-a-key" };
  const tell = () => Promise.all(["beeuni", "narrow", "poor"].map((agent) => seen(daemon, names, agent)));
  const nothing = { PLAIN_KEY: null, OTHER_KEY: null };
  assert.deepEqual(await tell(), [all, { ...all, OTHER_KEY: null }, nothing]);
  const list = await listed(project);
  assert.deepEqual(list.map(({ name, agents }) => ({ name, agents })), [
    { name: "OTHER_KEY", agents: ["beeuni"] },
    { name: "PLAIN_KEY", agents: ["beeuni", "narrow"] },
  ]);
  const manifest = project.read("beeuni.yaml")
    .replace("[PLAIN_KEY, LISTED_NOT_SET]", "none")
    .replace("poor: { tools: all }", "poor: { tools: all, secrets: [OTHER_KEY] }")
    .replace("  bad_value: 42\n", "");
  project.write("beeuni.yaml", manifest);
  const { status, body } = await daemon.reload();
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await tell(), [all, nothing, { ...all, PLAIN_KEY: null }]);
});

Deno.test("secrets: masked in logs and errors, and in no file as they are (S2)", async () => {
  await using test = await session();
  const { project, daemon } = test;
  await set(project, ["PLAIN_KEY=plain-value-of-a-key"]);
  await set(project, ["PEM_KEY=-"], { stdin: PEM });
  const traces = ["plain-value-of-a-key", ...PEM.split("\r\n").filter((line) => line !== "")];
  for (const name of ["PLAIN_KEY", "PEM_KEY"]) {
    for (const form of ["raw", "json", "url", "base64", "lines"]) {
      const { status, body } = await daemon.call("leaks", { args: { name, form, to: "error" } });
      assert.equal(status, 422);
      assert.match(body.error, /^the API said: .*\*\*\*/s, `${name} ${form}`);
      const call = `${name}-${form}`;
      await daemon.call("leaks", { call, args: { name, form, to: "console" } });
      await eventually(() => assert.ok(daemon.log.some((line) => line.call === call && line.outcome)));
      for (const trace of traces) assert.ok(!body.error.includes(trace), body.error);
    }
  }
  for (const trace of traces) assert.ok(!daemon.stderr.text.includes(trace), trace);
  assert.ok(daemon.stderr.text.includes("***"));
  const output = await daemon.call("leaks", { args: { name: "PLAIN_KEY", form: "raw", to: "output" } });
  assert.equal(output.body.output, "plain-value-of-a-key");

  // The daemon holds the database open, so its log is there too.
  const files = [...Deno.readDirSync(project.state)].filter(({ isFile }) => isFile).map(({ name }) => name);
  assert.ok(files.includes("state.db") && files.includes("state.db-wal"), files.join(" "));
  for (const name of files.filter((name) => /^state\.db|^secrets\.key/.test(name))) {
    assert.equal((Deno.statSync(join(project.state, name)).mode ?? 0) & 0o777, 0o600, name);
  }
  assert.equal((Deno.statSync(project.state).mode ?? 0) & 0o777, 0o700);
  const stored = everythingIn(project.state);
  assert.ok(stored.includes("PLAIN_KEY"), "the files were read");
  for (const trace of [...traces, btoa("plain-value-of-a-key").slice(0, 20)]) {
    assert.ok(!stored.includes(trace), trace);
  }
});

Deno.test("secrets: tools call has them too, and --env-file wins", async () => {
  using project = new Project({ fixture: "cases/calls" });
  await set(project, ["PLAIN_KEY=stored-plain-value", "OTHER_KEY=stored-other-value"]);
  const file = join(project.base, "secrets.env");
  Deno.writeTextFileSync(file, "PLAIN_KEY=plain-value-of-the-file\n");
  const call = (agent: string, ...more: string[]) => {
    const args = ["--agent", agent, "--args", '{"names":["PLAIN_KEY","OTHER_KEY"]}', ...more];
    return beeuni(project, ["tools", "call", "secrets", ...args]);
  };
  const rows: [string, string[], unknown][] = [
    ["beeuni", [], { PLAIN_KEY: "stored-plain-value", OTHER_KEY: "stored-other-value" }],
    ["narrow", [], { PLAIN_KEY: "stored-plain-value", OTHER_KEY: null }],
    ["poor", [], { PLAIN_KEY: null, OTHER_KEY: null }],
    ["beeuni", ["--env-file", file], {
      PLAIN_KEY: "plain-value-of-the-file",
      OTHER_KEY: "stored-other-value",
    }],
    ["poor", ["--env-file", file], { PLAIN_KEY: null, OTHER_KEY: null }],
  ];
  for (const [agent, more, expected] of rows) {
    const { code, stdout, stderr } = await call(agent, ...more);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), expected);
  }
  const leak = ["--args", '{"name":"OTHER_KEY","form":"raw","to":"error"}'];
  const { code, stdout, stderr } = await beeuni(project, ["tools", "call", "leaks", ...leak]);
  assert.equal(code, 1);
  assert.match(stderr, /the API said: \*\*\*/);
  assert.ok(!(stdout + stderr).includes("stored-other-value"));
});

Deno.test("secrets: the weather example of the documentation", async () => {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const isAllowed = request.headers.get("authorization") === "Bearer weather-key-0001";
    return isAllowed
      ? Response.json({ temp_c: 21, conditions: "clear" })
      : new Response("who?", { status: 401 });
  });
  using project = new Project({
    files: {
      "beeuni.yaml": "tools:\n  weather_now: tools/weather_now.ts\n",
      "tools/weather_now.ts": `export default {
  description: 'The weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  async execute(args, context) {
    const key = context.env.WEATHER_API_KEY
    if (!key) throw new Error('WEATHER_API_KEY is not set: run \`beeuni secrets set WEATHER_API_KEY=-\` and grant it to this agent.')
    const url = \`http://127.0.0.1:${server.addr.port}/v1/current?city=\${encodeURIComponent(args.city)}\`
    const response = await fetch(url, { headers: { authorization: \`Bearer \${key}\` }, signal: context.signal })
    if (!response.ok) throw new Error(\`weather API answered \${response.status}: \${await response.text()}\`)
    const data = await response.json()
    return { city: args.city, temperature_c: data.temp_c, conditions: data.conditions }
  },
}
`,
    },
  });
  const call = () => beeuni(project, ["tools", "call", "weather_now", "--args", '{"city":"Berlin"}']);
  const before = await call();
  assert.equal(before.code, 1);
  assert.match(before.stderr, /WEATHER_API_KEY is not set: run `beeuni secrets set WEATHER_API_KEY=-`/);
  const done = await secrets(project, ["set", "WEATHER_API_KEY=-"], { stdin: "weather-key-0001\n" });
  assert.deepEqual(done, { code: 0, stdout: "set WEATHER_API_KEY\n", stderr: "" });
  const after = await call();
  assert.equal(after.code, 0, after.stderr);
  assert.deepEqual(JSON.parse(after.stdout), { city: "Berlin", temperature_c: 21, conditions: "clear" });
});

Deno.test("secrets: results, warnings and refusals of the commands", async () => {
  using project = new Project({
    files: {
      "beeuni.yaml":
        "agents:\n  lead: { tools: all, secrets: all }\n  aide: { tools: all, secrets: [AAA_KEY] }\n",
    },
  });
  const empty = await secrets(project, ["ls"]);
  assert.deepEqual(empty, { code: 0, stdout: "(no secrets)\n", stderr: "" });
  assert.deepEqual(JSON.parse((await secrets(project, ["ls", "--json"])).stdout), { secrets: [] });
  assert.throws(() => Deno.statSync(project.state), Deno.errors.NotFound, "a look makes nothing");

  const done = await secrets(project, ["set", "AAA_KEY=1234567", "B=12345678", "--json"]);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(JSON.parse(done.stdout), { set: ["AAA_KEY", "B"] });
  assert.equal(
    done.stderr,
    "beeuni: the value of AAA_KEY has fewer than 8 characters, so it can't be masked in logs and errors.\n",
  );
  const { stdout } = await secrets(project, ["ls"]);
  const date = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
  assert.match(
    stdout,
    new RegExp(`^NAME {5}SET {19}AGENTS\nAAA_KEY {2}${date} {2}lead, aide\nB {8}${date} {2}lead\n$`),
  );

  const hidden = "hunter2-value";
  const refusals: [string[], number, RegExp][] = [
    [["set", "lower=hunter2-value"], 2, /^beeuni: lower is not a name for a secret/],
    [
      ["set", "hunter2-value"],
      2,
      /^beeuni: argument 1 is not NAME=VALUE\.\n {2}→ Write NAME=VALUE, or NAME=-/,
    ],
    [["set", "--hunter2-value"], 2, /^beeuni: argument 1 is not NAME=VALUE/],
    [
      ["set", "GOOD=hunter2-value", "BEEUNI_TOKEN=hunter2-value"],
      2,
      /^beeuni: BEEUNI_TOKEN can't be a secret/,
    ],
    [["set", "GOOD=hunter2-value", "LD_PRELOAD=hunter2-value"], 2, /^beeuni: LD_PRELOAD can't be a secret/],
    [["set", "GOOD=-", "OTHER=-"], 2, /^beeuni: only one value can come from stdin/],
    [["set", "GOOD=-", "GOOD=hunter2-value"], 2, /^beeuni: GOOD is given twice/],
    [["set"], 2, /^beeuni: missing required argument 'entries'/],
    [["GOOD=hunter2-value"], 2, /^beeuni: unknown command\./],
    [["ls", "GOOD=hunter2-value"], 2, /^beeuni: too many arguments for 'ls'\./],
    [["rm", "GOOD=hunter2-value"], 2, /^beeuni: argument 1 is not the name of a secret/],
    [
      ["rm", "AAA_KEY", "AAB_KEY"],
      1,
      /^beeuni: no secret AAB_KEY is set; nothing was removed\.\n {2}→ Did you mean AAA_KEY\?/,
    ],
  ];
  for (const [args, code, message] of refusals) {
    const result = await secrets(project, args);
    assert.equal(result.code, code, `${args.join(" ")}: ${result.stderr}`);
    assert.match(result.stderr, message);
    assert.equal(result.stdout, "");
    assert.ok(!result.stderr.includes(hidden), result.stderr);
  }
  const nul = await secrets(project, ["set", "GOOD=-"], { stdin: "hunter2-value\0x" });
  assert.equal(nul.code, 2);
  assert.match(nul.stderr, /^beeuni: the value of GOOD contains a NUL character\./);
  const large = await secrets(project, ["set", "GOOD=-", "--json"], { stdin: "x".repeat(131_073) });
  assert.equal(large.code, 2);
  assert.deepEqual(JSON.parse(large.stdout), {
    error: "the value of GOOD is larger than 128 KiB.",
    code: "usage",
  });
  const largest = await secrets(project, ["set", "LARGE=-"], { stdin: `${"x".repeat(131_072)}\n` });
  assert.equal(largest.code, 0, largest.stderr);
  assert.deepEqual((await listed(project)).map(({ name }) => name), ["AAA_KEY", "B", "LARGE"]);
  const nowhere = await secrets(project, ["set", "GOOD=hunter2-value"], { cwd: project.outside });
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /^beeuni: beeuni\.yaml not found/);
});

Deno.test("secrets: set says when no agent is granted it; validate says which granted one is not set", async () => {
  using project = new Project({
    files: { "beeuni.yaml": "agents:\n  aide: { tools: all, secrets: [A_KEY, B_KEY] }\n" },
  });
  const unset = async () => {
    const { stdout } = await beeuni(project, ["validate", "--json"]);
    const issues: { code: string; message: string }[] = JSON.parse(stdout).issues;
    return issues.filter(({ code }) => code === "agent_secret_unset").map(({ message }) => message);
  };
  assert.deepEqual(await unset(), [], "a project that stores no secrets may get them from a file");
  const { code, stderr } = await secrets(project, ["set", "C_KEY=c-value-of-it", "A_KEY=a-value-of-it"]);
  assert.equal(code, 0);
  assert.equal(
    stderr,
    "beeuni: no agent is granted C_KEY yet: add it under agents.<name>.secrets in beeuni.yaml.\n",
  );
  assert.deepEqual(await unset(), [
    '"B_KEY" is nowhere set: run `beeuni secrets set B_KEY=-`, or remove it here.',
  ]);
  await set(project, ["B_KEY=b-value-of-it"]);
  assert.deepEqual(await unset(), []);
});

Deno.test("secrets: completions have the names", async () => {
  using project = new Project({ files: { "beeuni.yaml": "" } });
  await set(project, ["A_KEY=a-value-of-it", "B_KEY=b-value-of-it"]);
  for (const words of [["secrets", "rm", ""], ["secrets", "rm", "A_KEY", ""]]) {
    const { stdout } = await beeuni(project, ["complete", "--", ...words]);
    assert.deepEqual(stdout.split("\n").map((line) => line.trim()).filter((line) => line.endsWith("KEY")), [
      "A_KEY",
      "B_KEY",
    ]);
  }
});

Deno.test("secrets: many set at once, the first ones of the project: all are stored, with one key", async () => {
  await using test = await session();
  const { project, daemon } = test;
  const names = ["A_KEY", "B_KEY", "C_KEY", "D_KEY", "E_KEY", "F_KEY"];
  await Promise.all(names.map((name) => set(project, [`${name}=value-of-${name}`])));
  assert.deepEqual(
    await seen(daemon, names),
    Object.fromEntries(names.map((name) => [name, `value-of-${name}`])),
  );
});

Deno.test("secrets: SIGKILL in the middle of a set leaves the old values or the new ones", async () => {
  await using test = await session();
  const { project, daemon } = test;
  const value = (round: number) => `round-${round}-`.padEnd(20_000, "x");
  await set(project, [`A_KEY=${value(0)}`, `B_KEY=${value(0)}`]);
  const start = performance.now();
  await set(project, [`A_KEY=${value(1)}`, `B_KEY=${value(1)}`]);
  const whole = performance.now() - start;
  let current = 1;
  for (let round = 2; round < 12; round++) {
    const child = beeuniCommand(["secrets", "set", `A_KEY=${value(round)}`, `B_KEY=${value(round)}`], {
      cwd: project.root,
      clearEnv: true,
      env: testEnvironment(project),
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    // From the half of its usual time on: the write stands near the end.
    await sleep(whole * (0.5 + round / 24));
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    const { success } = await child.status;
    const now = await seen(daemon, ["A_KEY", "B_KEY"]) as Record<string, string>;
    assert.equal(now.A_KEY, now.B_KEY, "half of it was written");
    assert.ok(
      now.A_KEY === value(round) || (!success && now.A_KEY === value(current)),
      String(now.A_KEY?.slice(0, 20)),
    );
    if (now.A_KEY === value(round)) current = round;
  }
  await set(project, ["A_KEY=value-after-all", "B_KEY=value-after-all"]);
  assert.deepEqual(await seen(daemon, ["A_KEY"]), { A_KEY: "value-after-all" });
});

Deno.test("secrets: with another key, or a changed row, calls of those who are granted it say so; nothing is lost", async () => {
  const key = "0123456789abcdef".repeat(4);
  await using test = await session({ BEEUNI_SECRETS_KEY: key });
  const { project, daemon } = test;
  const env = { BEEUNI_SECRETS_KEY: key };
  await set(project, ["PLAIN_KEY=plain-value-of-a-key", "OTHER_KEY=other-value-of-a-key"], { env });
  assert.deepEqual(await seen(daemon, ["PLAIN_KEY"]), { PLAIN_KEY: "plain-value-of-a-key" });
  assert.throws(() => Deno.statSync(join(project.state, "secrets.key")), Deno.errors.NotFound);

  for (const wrong of [{}, { BEEUNI_SECRETS_KEY: "f".repeat(64) }, { BEEUNI_SECRETS_KEY: "too short" }]) {
    const refused = await secrets(project, ["set", "THIRD_KEY=third-value"], { env: wrong });
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stderr, /^beeuni: the (key of the|secrets).*\n {2}→ /);
    assert.ok(!refused.stderr.includes("third-value") && !refused.stderr.includes("too short"));
    const call = ["tools", "call", "secrets", "--agent"];
    const granted = await beeuni(project, [...call, "narrow"], { env: wrong });
    assert.equal(granted.code, 1, granted.stderr);
    assert.match(granted.stderr, /^beeuni: the (key of the|secret) /m);
    const poor = await beeuni(project, [...call, "poor"], { env: wrong });
    assert.equal(poor.code, 0, poor.stderr);
    assert.equal((await listed(project)).length, 2);
  }

  {
    const { DatabaseSync } = await import("node:sqlite");
    using database = new DatabaseSync(join(project.state, "state.db"));
    database.exec("UPDATE secrets SET value = randomblob(length(value)) WHERE name = 'OTHER_KEY'");
  }
  const { status, body } = await daemon.call("secrets", { args: { names: ["PLAIN_KEY"] } });
  assert.equal(status, 409);
  assert.deepEqual(body, {
    error: "the stored value of the secret OTHER_KEY was changed or is damaged.",
    code: "secret_damaged",
    hint: "Set it again with `beeuni secrets set OTHER_KEY=-`.",
  });
  assert.deepEqual(await seen(daemon, ["PLAIN_KEY"], "narrow"), { PLAIN_KEY: "plain-value-of-a-key" });
  await set(project, ["OTHER_KEY=other-value-again"], { env });
  assert.deepEqual(await seen(daemon, ["OTHER_KEY"]), { OTHER_KEY: "other-value-again" });
});

Deno.test("secrets: a state database from a newer version is told by every command that needs it", async () => {
  using project = new Project({ fixture: "cases/calls" });
  await set(project, ["PLAIN_KEY=plain-value-of-a-key"]);
  const { DatabaseSync } = await import("node:sqlite");
  {
    using database = new DatabaseSync(join(project.state, "state.db"));
    database.exec("INSERT INTO schema_version (version) VALUES (4711)");
  }
  const newer = /^beeuni: the state database .*state\.db is from a newer version of beeuni: .*4711/m;
  for (const args of [["set", "A_KEY=a-value-of-it"], ["ls"], ["rm", "PLAIN_KEY"]]) {
    const { code, stderr, stdout } = await secrets(project, args);
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, newer);
  }
  const call = (agent: string) => beeuni(project, ["tools", "call", "secrets", "--agent", agent]);
  const granted = await call("beeuni");
  assert.equal(granted.code, 1);
  assert.match(granted.stderr, newer);
  assert.equal((await call("poor")).code, 0);
  // What does not need it does not mind.
  assert.equal((await beeuni(project, ["tools", "schema", "secrets"])).code, 0);
  assert.match(
    (await beeuni(project, ["validate"])).stderr,
    /^beeuni: granted secrets are not checked: .*newer/m,
  );
});

/** Runs a command while nothing in the state directory can be written, also by root. */
async function readOnly(project: Project, args: readonly string[]): Promise<RunResult> {
  const { program, first } = beeuniProgram();
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: ["-rm", "sh", "-c", MOUNT, "sh", project.state, program, ...first, ...args],
    cwd: project.root,
    clearEnv: true,
    env: testEnvironment(project),
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const MOUNT =
  'state=$1; shift; mount --bind "$state" "$state" && mount -o remount,ro,bind "$state" && exec "$@"';

async function canMount(): Promise<boolean> {
  using project = new Project();
  Deno.mkdirSync(project.state);
  try {
    const args = ["-rm", "sh", "-c", MOUNT, "sh", project.state, "true"];
    return (await new Deno.Command("unshare", { args, stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "secrets: a state directory that can't be written can be read; what would write says so",
  ignore: !await canMount(),
  async fn() {
    using project = new Project({ fixture: "cases/calls" });
    await set(project, ["PLAIN_KEY=plain-value-of-a-key"]);
    const list = await readOnly(project, ["secrets", "ls"]);
    assert.equal(list.code, 0, list.stderr);
    assert.match(list.stdout, /^PLAIN_KEY /m);
    const call = ["tools", "call", "secrets", "--args", '{"names":["PLAIN_KEY"]}'];
    const { code, stdout, stderr } = await readOnly(project, call);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { PLAIN_KEY: "plain-value-of-a-key" });
    for (const args of [["secrets", "set", "A_KEY=a-value-of-it"], ["secrets", "rm", "PLAIN_KEY"]]) {
      const refused = await readOnly(project, args);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /^beeuni: the state database .*state\.db can't be used: .*readonly.*\n {2}→ Make/,
      );
    }
    assert.deepEqual((await listed(project)).map(({ name }) => name), ["PLAIN_KEY"]);
  },
});

Deno.test("secrets: no state directory can be made there", async () => {
  using project = new Project({ files: { "beeuni.yaml": "", "file": "" } });
  const env = { BEEUNI_STATE_DIR: project.path("file", "state") };
  const { code, stderr } = await secrets(project, ["set", "A_KEY=a-value-of-it"], { env });
  assert.equal(code, 1);
  assert.match(stderr, /^beeuni: .*file\/state could not be written: .*\n {2}→ /);
  const list = await secrets(project, ["ls"], { env });
  assert.deepEqual([list.code, list.stdout], [0, "(no secrets)\n"]);
});
