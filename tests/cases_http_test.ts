import assert from "node:assert/strict";
import { type Answer, type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { callHead, RawClient } from "./support/raw_client.ts";
import { assertReadable } from "./support/readable.ts";
import { output, refusal, toolError } from "./support/told.ts";

// Calls over HTTP, through a real socket (specification 2.7).

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/calls" });
  Deno.symlinkSync(project.outside, project.path("link-outside"));
  Deno.mkdirSync(project.path("sub"));
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
const MIB = 1024 * 1024;

const post = (tool: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Answer> =>
  daemon.request(`/beeuni/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });

const bad = (message: RegExp | string = /./) => refusal(400, "bad_request", message);
const unauthorized = refusal(401, "unauthorized", /./);
const notLoaded = (name: string) => refusal(404, "tool_not_found", `no tool named ${name} is loaded`);
const forbidden = (agent: string, name: string) =>
  refusal(403, "agent_forbidden", `agent ${agent} may not use ${name}`);

const CALLS: { name: string; tool: string; body?: unknown; check: (answer: Answer) => void }[] = [
  {
    name: "no body at all is an empty object",
    tool: "where",
    check: ({ status }) => assert.equal(status, 200),
  },
  { name: "args as they are", tool: "echo", body: { args: { id: "1" } }, check: output('{\n  "id": "1"\n}') },
  { name: "args that do not fit the schema", tool: "echo", body: { args: {} }, check: output("{}") },
  { name: "args that are a list", tool: "echo", body: { args: [] }, check: bad() },
  { name: "args that are text", tool: "echo", body: { args: "{}" }, check: bad() },
  { name: "args that are null", tool: "echo", body: { args: null }, check: bad() },
  { name: "a body that is a list", tool: "echo", body: [], check: bad() },
  { name: "a body that is null", tool: "echo", body: null, check: bad() },
  { name: "a directory inside", tool: "where", body: { directory: "DIR/sub" }, check: output(/\/sub"/) },
  { name: "a directory outside", tool: "where", body: { directory: "/etc" }, check: bad() },
  { name: "a directory by ..", tool: "where", body: { directory: "DIR/sub/../../outside" }, check: bad() },
  { name: "a directory by a link", tool: "where", body: { directory: "DIR/link-outside" }, check: bad() },
  { name: "a directory that is not there", tool: "where", body: { directory: "DIR/nowhere" }, check: bad() },
  { name: "a directory that is a file", tool: "where", body: { directory: "DIR/beeuni.yaml" }, check: bad() },
  { name: "a sibling whose name begins alike", tool: "where", body: { directory: "DIR-2" }, check: bad() },
  { name: "a directory that is a number", tool: "where", body: { directory: 1 }, check: bad() },
  ...["", "a b", "a/b", "..", "a..b", "ä", "x".repeat(129), "a\n", "a\0"].flatMap((id) =>
    ["session", "call"].map((key) => ({
      name: `a ${key} that is ${JSON.stringify(id).slice(0, 20)}`,
      tool: "where",
      body: { [key]: id },
      check: bad(),
    }))
  ),
  ...["a", "A.b_c-9", "x".repeat(128), ".", "-"].map((id) => ({
    name: `a session that is ${id.slice(0, 10)}`,
    tool: "where",
    body: { session: id },
    check: output(new RegExp(`"sessionId": "${id.replaceAll(".", "\\.")}"`)),
  })),
  { name: "a session that is a number", tool: "where", body: { session: 1 }, check: bad() },
  { name: "a tool that is not declared", tool: "nowhere", body: {}, check: notLoaded("nowhere") },
  { name: "a tool that does not load", tool: "broken", body: {}, check: notLoaded("broken") },
  { name: "a broken entry", tool: "bad_value", body: {}, check: notLoaded("bad_value") },
  { name: "a removed Beeuni tool", tool: "show", body: {}, check: notLoaded("show") },
  ...["__proto__", "constructor", "toString"].map((name) => ({
    name: `a tool named ${name}`,
    tool: name,
    body: {},
    check: notLoaded(name),
  })),
  {
    name: "an agent that may not",
    tool: "forbidden",
    body: { agent: "narrow" },
    check: forbidden("narrow", "forbidden"),
  },
  {
    name: "an agent with no tool",
    tool: "echo",
    body: { agent: "nothing" },
    check: forbidden("nothing", "echo"),
  },
  {
    name: "an agent that is not declared",
    tool: "echo",
    body: { agent: "nobody" },
    check: forbidden("nobody", "echo"),
  },
  {
    name: "an agent named __proto__",
    tool: "echo",
    body: { agent: "__proto__" },
    check: forbidden("__proto__", "echo"),
  },
  {
    name: "an empty agent",
    tool: "echo",
    body: { agent: "" },
    check: refusal(403, "agent_forbidden", /echo/),
  },
  { name: "the tool threw", tool: "fails", body: {}, check: toolError("orders API answered 500") },
  { name: "the tool timed out", tool: "slow", body: {}, check: refusal(504, "timed_out", /./) },
  // The order of the table: the first row that holds answers.
  {
    name: "400 before 404",
    tool: "nowhere",
    body: { args: 1 },
    check: bad(),
  },
  { name: "404 before 403", tool: "nowhere", body: { agent: "nobody" }, check: notLoaded("nowhere") },
];

for (const { name, tool, body, check } of CALLS) {
  Deno.test({
    name: `http: ${name}`,
    ...LENIENT,
    async fn() {
      const text = body === undefined ? "" : JSON.stringify(body).replaceAll("DIR", project.root);
      check(await post(tool, text));
    },
  });
}

Deno.test({
  name: "http: the answer of a call has output, duration and id, and no more",
  ...LENIENT,
  async fn() {
    const own = await daemon.call("where", { call: "own-id", session: "s" });
    assert.deepEqual(Object.keys(own.body).sort(), ["call", "duration_ms", "output"]);
    assert.equal(own.body.call, "own-id");
    assert.equal(typeof own.body.duration_ms, "number");
    assert.deepEqual(JSON.parse(own.body.output), {
      sessionId: "s",
      agent: "beeuni",
      directory: project.root,
    });
    const made = await daemon.call("where");
    assert.match(made.body.call, /^[A-Za-z0-9_.-]{1,128}$/);
  },
});

Deno.test({
  name: "http: a call id in flight is refused with 409, and free again afterwards",
  ...LENIENT,
  async fn() {
    const first = daemon.call("hangs", { call: "twice", args: { note: "twice" } });
    await eventually(() => assert.match(project.read("notes.txt"), /^twice started/m));
    refusal(409, "call_in_flight", /twice/)(await daemon.call("echo", { call: "twice" }));
    assert.equal((await daemon.cancel("twice")).status, 202);
    refusal(499, "aborted", /./)(await first);
    output("{}")(await daemon.call("echo", { call: "twice" }));
  },
});

const KEYS: [name: string, authorization: string][] = [
  ["empty", ""],
  ["a wrong key", `Bearer ${"0".repeat(64)}`],
  ["half a key", "Bearer KEY/2"],
  ["the key and more", "Bearer KEY0"],
  ["the key without a scheme", "KEY"],
  ["the key in capitals", "Bearer UPPER"],
  ["another scheme", "Basic KEY"],
  ["a very long one", `Bearer ${"f".repeat(7_000)}`],
];

for (const [name, authorization] of KEYS) {
  Deno.test({
    name: `http: the key is ${name}: 401 on every route but health`,
    ...LENIENT,
    async fn() {
      const value = authorization.replace("KEY/2", daemon.key.slice(0, 32)).replace("KEY", daemon.key)
        .replace("UPPER", daemon.key.toUpperCase() === daemon.key ? "x" : daemon.key.toUpperCase());
      const headers = { authorization: value };
      for (
        const [method, path] of [
          ["POST", "/beeuni/tools/echo"],
          ["POST", "/beeuni/tools/nowhere"],
          ["DELETE", "/beeuni/calls/x"],
          ["GET", "/beeuni/tools"],
          ["POST", "/beeuni/reload"],
          ["GET", "/beeuni/metrics"],
          ["GET", "/beeuni/events"],
        ] as const
      ) {
        unauthorized(await daemon.request(path, { method, headers }));
      }
      // 401 comes before 413 and 400.
      unauthorized(await post("echo", "not JSON", headers));
      assert.equal((await daemon.request("/beeuni/health", { headers })).status, 200);
    },
  });
}

for (const text of ["", "{", "{} {}", "{'a': 1}", "\ufeff", "undefined", '{"args": {"a": }}', "\xff\xfe"]) {
  if (text === "") continue;
  Deno.test({
    name: `http: malformed JSON ${JSON.stringify(text)}: 400`,
    ...LENIENT,
    fn: async () => bad()(await post("echo", text)),
  });
}

Deno.test({
  name: "http: a body that is no UTF-8 is malformed",
  ...LENIENT,
  async fn() {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"args":{"id":"'),
      0xff,
      0xfe,
      0x22,
      0x7d,
      0x7d,
    ]);
    bad()(await post("echo", bytes));
  },
});

Deno.test({
  name: "http: a body of 8 MiB is read, one more byte is 413",
  ...LENIENT,
  async fn() {
    const body = (bytes: number) => {
      const empty = '{"args":{"id":""}}';
      return empty.replace('""', `"${"x".repeat(bytes - empty.length)}"`);
    };
    const fits = await post("echo", body(8 * MIB));
    assert.equal(fits.status, 200);
    assert.equal(fits.body.truncated, true);
    refusal(413, "body_too_large", /8 MiB/)(await post("echo", body(8 * MIB + 1)));
    // 413 comes before 404.
    refusal(413, "body_too_large", /8 MiB/)(await post("nowhere", body(8 * MIB + 1)));
  },
});

Deno.test({
  name: "http: unknown routes and methods are 404 JSON",
  ...LENIENT,
  async fn() {
    for (
      const path of [
        "/",
        "/beeuni",
        "/beeuni/nowhere",
        "/beeuni/tools/a/b",
        "/favicon.ico",
        "/beeuni/health/x",
      ]
    ) {
      const { status, body } = await daemon.request(path);
      assert.equal(status, 404, path);
      assert.equal(body.code, "route_not_found");
      assertReadable(body.error);
    }
  },
});

const HOSTS: { name: string; headers: Record<string, string>; ok: boolean }[] = [
  { name: "localhost", headers: { host: "localhost:PORT" }, ok: true },
  { name: "127.0.0.1", headers: { host: "127.0.0.1:PORT" }, ok: true },
  { name: "its own origin", headers: { origin: "http://127.0.0.1:PORT" }, ok: true },
  { name: "a name of somebody else (DNS rebinding)", headers: { host: "evil.example.com" }, ok: false },
  { name: "that name with our port", headers: { host: "evil.example.com:PORT" }, ok: false },
  { name: "a name that begins like ours", headers: { host: "localhost.evil.example.com:PORT" }, ok: false },
  { name: "another origin", headers: { origin: "https://evil.example.com" }, ok: false },
  { name: "an origin on another port", headers: { origin: "http://127.0.0.1:1" }, ok: false },
  { name: "the origin null", headers: { origin: "null" }, ok: false },
];

for (const { name, headers, ok } of HOSTS) {
  Deno.test({
    name: `http: a request from ${name} is ${ok ? "served" : "refused"}`,
    ...LENIENT,
    async fn() {
      using client = await RawClient.connect(daemon);
      const own = Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key, value.replace("PORT", String(daemon.port))]),
      );
      await client.send(
        callHead(daemon, "echo", { "content-length": "2", connection: "close", ...own }) + "{}",
      );
      await client.ended;
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(client.received)?.[1]);
      if (ok) assert.equal(status, 200, client.received);
      else {
        assert.equal(status, 403, client.received);
        assert.match(client.received, /"code":\s*"forbidden_origin"/);
        assert.doesNotMatch(client.received, /access-control-allow/i);
      }
    },
  });
}
