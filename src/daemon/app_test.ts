import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { HostEvent } from "../host/types.ts";
import { createLogger } from "../log/logger.ts";
import { createApp, type RefusedCall } from "./app.ts";
import { Events } from "./events.ts";
import { Metrics } from "./metrics.ts";
import { publicEvent } from "./public_event.ts";
import { ROUTES } from "./routes.ts";
import { MemoryHost, type MemoryHostOptions } from "./testing/memory_host.ts";

const KEY = "0123456789abcdef".repeat(4);
const HEADERS = { authorization: `Bearer ${KEY}`, host: "127.0.0.1:4000" };
const MIB = 1024 * 1024;

function setUp(options: MemoryHostOptions = {}, root = "/nowhere") {
  const host = new MemoryHost(options);
  const events = new Events();
  const log: string[] = [];
  const refused: RefusedCall[] = [];
  const decoder = new TextDecoder();
  const logger = createLogger({
    write: (bytes) => (log.push(decoder.decode(bytes)), Promise.resolve(bytes.length)),
  });
  const metrics = new Metrics();
  host.subscribe((event: HostEvent) => {
    if (event.type === "call_end") {
      metrics.count(
        event,
        host.catalogue().tools.some((t) => t.name === event.tool),
      );
    }
    events.publish(() => publicEvent(event));
  });
  const app = createApp({
    host,
    root,
    key: KEY,
    version: "1.2.3",
    logger,
    events,
    metrics,
    onRefused: (call) => refused.push(call),
    body: { deadlineMs: 100 },
  });
  async function ask(path: string, init: RequestInit = {}) {
    const response = await app.request(path, { ...init, headers: { ...HEADERS, ...init.headers } });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
  const call = (tool: string, body: unknown, init: RequestInit = {}) =>
    ask(`/beeuni/tools/${tool}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    });
  return { host, app, events, log, refused, ask, call };
}

Deno.test("a call answers its output, its time and its id", async () => {
  const { call, host } = setUp();
  const { status, body } = await call("echo", {
    args: { a: 1 },
    session: "s-1",
    call: "c-1",
    agent: "beeuni",
  });
  assert.equal(status, 200);
  assert.deepEqual(body, { output: '{"a":1}', duration_ms: 1, call: "c-1" });
  const { signal: _, ...request } = host.requests[0]!;
  assert.deepEqual(request, { tool: "echo", args: { a: 1 }, agent: "beeuni", session: "s-1", call: "c-1" });
});

Deno.test("without arguments a tool gets an empty object, and the default agent calls", async () => {
  const { call, host } = setUp({ agents: { helper: ["echo"] }, defaultAgent: "helper" });
  assert.equal((await call("echo", {})).body.output, "{}");
  assert.equal(host.requests[0]?.agent, "helper");
  assert.equal(host.requests[0]?.session, undefined);
});

Deno.test("no body at all is an empty object", async () => {
  const { call, ask } = setUp();
  assert.equal((await call("echo", "")).body.output, "{}");
  assert.equal((await ask("/beeuni/tools/echo", { method: "POST" })).body.output, "{}");
});

Deno.test("names an older daemon does not know are ignored", async () => {
  const { call } = setUp();
  assert.equal((await call("echo", { later: true })).status, 200);
});

Deno.test("a body that does not fit is 400 with a sentence that names the field", async (t) => {
  const id = "must be 1 to 128 of the characters A-Z a-z 0-9 _ . - without `..`.";
  const cases: [string, unknown, string][] = [
    ["spaces", "  ", "the request body is not valid JSON."],
    ["cut", '{"args":', "the request body is not valid JSON."],
    ["text behind it", "{} x", "the request body is not valid JSON."],
    ["null", "null", "the request body must be a JSON object."],
    ["a list", "[]", "the request body must be a JSON object."],
    ["a string", '"x"', "the request body must be a JSON object."],
    ["a number", "1", "the request body must be a JSON object."],
    ["args null", { args: null }, "`args` must be an object."],
    ["args list", { args: [] }, "`args` must be an object."],
    ["args string", { args: "{}" }, "`args` must be an object."],
    ["agent number", { agent: 1 }, "`agent` must be a text of at most 1024 characters."],
    ["agent long", { agent: "a".repeat(1025) }, "`agent` must be a text of at most 1024 characters."],
    ["directory number", { directory: 1 }, "`directory` must be a string."],
    ["session empty", { session: "" }, `\`session\` ${id}`],
    ["session null", { session: null }, `\`session\` ${id}`],
    ["session ..", { session: ".." }, `\`session\` ${id}`],
    ["session a..b", { session: "a..b" }, `\`session\` ${id}`],
    ["session slash", { session: "a/b" }, `\`session\` ${id}`],
    ["session newline", { session: "a\n" }, `\`session\` ${id}`],
    ["session long", { session: "a".repeat(129) }, `\`session\` ${id}`],
    ["session letter", { session: "ä" }, `\`session\` ${id}`],
    ["call number", { call: 7 }, `\`call\` ${id}`],
    ["call space", { call: "a b" }, `\`call\` ${id}`],
    [
      "deep",
      '{"args":{"a":' + "[".repeat(100_000) + "]".repeat(100_000) + "}}",
      "the request body is nested deeper than 1000 levels.",
    ],
  ];
  for (const [name, sent, error] of cases) {
    await t.step(name, async () => {
      const { call, host, refused } = setUp();
      const { status, body } = await call("echo", sent);
      assert.equal(status, 400);
      assert.deepEqual(body, { error, code: "bad_request" });
      assert.equal(host.requests.length, 0);
      assert.equal(refused.length, 1, "it is logged as refused");
    });
  }
});

Deno.test("ids at the edge of the rule pass", async () => {
  const { call } = setUp();
  for (const id of ["a", ".", "-", "_", "A.b-c_9", "a".repeat(128)]) {
    assert.equal((await call("echo", { session: id, call: id })).status, 200, id);
  }
});

Deno.test("malformed UTF-8 is 400", async () => {
  const { ask } = setUp();
  const { status, body } = await ask("/beeuni/tools/echo", {
    method: "POST",
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  });
  assert.equal(status, 400);
  assert.equal(body.error, "the request body is not valid UTF-8.");
});

Deno.test("keys that mean something to JavaScript are arguments like any other", async () => {
  const { call, host } = setUp();
  const args = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":2}';
  const { status, body } = await call("echo", `{"args":${args},"__proto__":{"agent":"intruder"}}`);
  assert.equal(status, 200);
  assert.equal(body.output, args);
  assert.equal(host.requests[0]?.agent, "beeuni");
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("a body over 8 MiB is 413, whatever it announces", async (t) => {
  const endless = (chunk: Uint8Array, taken: { bytes: number }) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        taken.bytes += chunk.length;
        controller.enqueue(chunk);
      },
    }, { highWaterMark: 0 });
  const post = (body: BodyInit, headers: Record<string, string> = {}) => {
    const { ask } = setUp();
    return ask("/beeuni/tools/echo", { method: "POST", body, headers });
  };
  await t.step("announced", async () => {
    const { status, body } = await post("{}", { "content-length": String(8 * MIB + 1) });
    assert.equal(status, 413);
    assert.deepEqual(body, {
      error: "the request body is larger than 8 MiB.",
      code: "body_too_large",
    });
  });
  await t.step("endless and unannounced: no more than the limit is taken", async () => {
    const taken = { bytes: 0 };
    assert.equal((await post(endless(new Uint8Array(65_536), taken))).status, 413);
    assert.ok(taken.bytes <= 8 * MIB + 2 * 65_536, `took ${taken.bytes}`);
  });
  await t.step("exactly 8 MiB passes", async () => {
    const frame = '{"args":{"a":""}}';
    const text = frame.replace('""', `"${"x".repeat(8 * MIB - frame.length)}"`);
    assert.equal(text.length, 8 * MIB);
    assert.equal((await post(new Blob([text]).stream())).status, 200);
    assert.equal((await post(text, { "content-length": String(text.length) })).status, 200);
  });
  await t.step("a body that stops half-way is 408", async () => {
    const silent = new ReadableStream<Uint8Array>({ start: (c) => c.enqueue(new Uint8Array([0x7b])) });
    const { status, body } = await post(silent);
    assert.equal(status, 408);
    assert.equal(body.code, "request_timeout");
  });
});

Deno.test("the checks come in the order of the table", async (t) => {
  // Each request breaks its own rule and every later one.
  const cases: [string, number, ErrorCode, () => Promise<{ status: number; body: { code: string } }>][] = [
    [
      "origin before key",
      403,
      "forbidden_origin",
      () => setUp().call("none", "", { headers: { host: "evil.example", authorization: "" } }),
    ],
    [
      "key before size",
      401,
      "unauthorized",
      () => setUp().call("none", "", { headers: { authorization: "", "content-length": String(9 * MIB) } }),
    ],
    [
      "size before shape",
      413,
      "body_too_large",
      () => setUp().call("none", "[]", { headers: { "content-length": String(9 * MIB) } }),
    ],
    ["shape before tool", 400, "bad_request", () => setUp().call("none", { args: [], agent: "nobody" })],
    [
      "agent unknown before tool",
      400,
      "bad_request",
      () => setUp({ defaultAgent: undefined }).call("none", {}),
    ],
    ["tool before agent", 404, "tool_not_found", () => setUp().call("none", { agent: "nobody" })],
    [
      "agent before call id",
      403,
      "agent_forbidden",
      () => setUp().call("echo", { agent: "nobody", call: "x" }),
    ],
  ];
  for (const [name, status, code, act] of cases) {
    await t.step(name, async () => {
      const answer = await act();
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
    });
  }
});

Deno.test("what the host refuses keeps its words and gets the status of its code", async (t) => {
  const cases: [ErrorCode, number, Record<string, unknown>, Record<string, string>][] = [
    ["tool_not_found", 404, {}, {}],
    ["agent_forbidden", 403, {}, {}],
    ["call_in_flight", 409, {}, {}],
    ["tool_failed", 422, {}, {}],
    ["aborted", 499, {}, {}],
    ["sandbox_died", 502, { retryable: true }, {}],
    ["queue_full", 503, { retryable: true }, { "retry-after": "1" }],
    ["stopping", 503, {}, {}],
    ["timed_out", 504, {}, {}],
  ];
  for (const [code, status, more, headers] of cases) {
    await t.step(code, async () => {
      const { call } = setUp({
        tools: {
          breaks: () => {
            throw new BeeuniError(code, `it was ${code}`);
          },
        },
      });
      const answer = await call("breaks", {});
      assert.equal(answer.status, status);
      assert.deepEqual(answer.body, { error: `it was ${code}`, code, ...more });
      for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers.get(name), value);
    });
  }
});

Deno.test("a fault of ours is 500 without a word about our insides, and is logged", async () => {
  const { ask, host, log } = setUp();
  host.reload = () => Promise.reject(new TypeError("secret detail"));
  const { status, body } = await ask("/beeuni/reload", { method: "POST" });
  assert.equal(status, 500);
  assert.equal(body.code, "internal");
  assert.doesNotMatch(body.error, /secret detail/);
  assert.match(log.join(""), /secret detail/);
});

Deno.test("the second of two calls with one id is 409, and DELETE cancels the first", async () => {
  const { ask, call } = setUp({ tools: { waits: () => new Promise(() => {}) } });
  const first = call("waits", { call: "c" });
  const second = await call("waits", { call: "c" });
  assert.deepEqual([second.status, second.body.code], [409, "call_in_flight"]);
  const cancelled = await ask("/beeuni/calls/c", { method: "DELETE" });
  assert.deepEqual([cancelled.status, cancelled.body], [202, { call: "c" }]);
  assert.deepEqual([(await first).status, (await first).body.code], [499, "aborted"]);
  const again = await ask("/beeuni/calls/c", { method: "DELETE" });
  assert.deepEqual([again.status, again.body.code], [404, "call_not_found"]);
});

Deno.test("a client that goes away cancels its call", async () => {
  let seen: AbortSignal | undefined;
  const { call, host } = setUp({
    tools: { waits: ({ signal }) => (seen = signal, new Promise(() => {})) },
  });
  const client = new AbortController();
  const outcomes: string[] = [];
  host.subscribe((event) => event.type === "call_end" && outcomes.push(event.outcome));
  const answer = call("waits", {}, { signal: client.signal });
  while (seen === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  client.abort();
  assert.equal((await answer).status, 499);
  assert.equal(seen.aborted, true);
  assert.deepEqual(outcomes, ["aborted"]);
});

Deno.test("a client that went away before the call never starts it", async () => {
  const { call, host } = setUp();
  const { status } = await call("echo", {}, { signal: AbortSignal.abort() });
  assert.equal(status, 499);
  assert.equal(host.requests.length, 0);
});

Deno.test("every route but health needs the key", async (t) => {
  for (const [id, route] of Object.entries(ROUTES)) {
    const path = route.path.replace(/\{\w+\}/, "echo");
    for (
      const authorization of ["", "Bearer", `Bearer ${KEY.slice(1)}`, `Bearer ${KEY}0`, `Basic ${KEY}`, KEY]
    ) {
      await t.step(`${id} with "${authorization.slice(0, 12)}"`, async () => {
        const { app } = setUp();
        const init = { method: route.method, headers: { ...HEADERS, authorization } };
        const response = await app.request(path, init);
        await response.body?.cancel();
        assert.equal(response.status, id === "health" ? 200 : 401);
        if (id !== "health") assert.equal(response.headers.get("www-authenticate"), "Bearer");
      });
    }
  }
});

Deno.test("the tool list has what a model needs; with an agent, what this agent may use", async () => {
  const failed = [{ name: "bad", source: "tools/bad.ts", error: "tools/bad.ts does not exist" }];
  const tools = { one: () => "", two: () => "" };
  const { ask } = setUp({ tools, agents: { beeuni: ["one", "two"], small: ["two"] }, failed });
  const all = await ask("/beeuni/tools");
  assert.equal(all.status, 200);
  assert.deepEqual(all.body.failed, failed);
  assert.deepEqual(all.body.removed, ["show"]);
  assert.equal(all.body.generation, 1);
  assert.deepEqual(all.body.tools[0], {
    name: "one",
    kind: "project",
    source: "tools/one.ts",
    description: "Does one.",
    parameters: { type: "object", properties: {} },
  });
  const names = async (query: string) =>
    (await ask(`/beeuni/tools${query}`)).body.tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names("?agent=small"), ["two"]);
  assert.deepEqual(await names("?agent=nobody"), []);
  assert.deepEqual(await names("?agent="), []);
});

Deno.test("health counts", async () => {
  const { ask, host } = setUp();
  host.state = "loading";
  const { body } = await ask("/beeuni/health", { headers: { authorization: "" } });
  assert.deepEqual(body, { status: "loading", version: "1.2.3", generation: 1, tools: 1, failed: 0 });
});

Deno.test("a reload answers what changed; a broken manifest is 409 with its issues", async () => {
  const { ask, host } = setUp();
  const init = { method: "POST" };
  assert.deepEqual((await ask("/beeuni/reload", init)).body, {
    generation: 2,
    changed: ["echo"],
    failed: [],
  });
  const issues = [{
    severity: "error",
    code: "x",
    path: "tools",
    message: "m",
    file: "f",
    line: 1,
    column: 1,
  }];
  host.reload = () =>
    Promise.reject(new BeeuniError("manifest_invalid", "the manifest has errors.", { details: { issues } }));
  const { status, body } = await ask("/beeuni/reload", init);
  assert.equal(status, 409);
  assert.deepEqual(body, { issues, error: "the manifest has errors.", code: "manifest_invalid" });
});

Deno.test("what is no route is 404 JSON, whatever the method", async (t) => {
  const cases = [
    ["GET", "/"],
    ["GET", "/beeuni"],
    ["GET", "/beeuni/tools/"],
    ["POST", "/beeuni/tools"],
    ["POST", "/beeuni/tools/"],
    ["GET", "/beeuni/tools/echo"],
    ["PUT", "/beeuni/tools/echo"],
    ["PATCH", "/beeuni/health"],
    ["POST", "/beeuni/health"],
    ["DELETE", "/beeuni/calls"],
    ["GET", "/beeuni/calls/x"],
    ["OPTIONS", "/nowhere"],
    ["GET", "/beeuni/health/../tools2"],
    ["PROPFIND", "/beeuni/tools"],
  ] as const;
  for (const [method, path] of cases) {
    await t.step(`${method} ${path}`, async () => {
      const { ask } = setUp();
      for (const authorization of [HEADERS.authorization, ""]) {
        const { status, body } = await ask(path, { method, headers: { authorization } });
        assert.equal(status, 404);
        assert.equal(body.code, "route_not_found");
      }
    });
  }
});

Deno.test("names that are no tool are 404, however they are written", async () => {
  const names = [
    "__proto__",
    "constructor",
    "..%2f..%2fetc",
    "%00",
    "%E0%A4%A",
    "%",
    "a%20b",
    "x".repeat(100_000),
    "%F0%9F%90%9D",
  ];
  for (const name of names) {
    const { call, ask } = setUp();
    assert.equal((await call(name, {})).status, 404, name);
    assert.equal((await ask(`/beeuni/calls/${name}`, { method: "DELETE" })).status, 404, name);
  }
});

Deno.test("OPTIONS says what is allowed and grants no other origin anything", async () => {
  const { app } = setUp();
  const response = await app.request("/beeuni/tools/echo", { method: "OPTIONS", headers: HEADERS });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("allow"), "POST, OPTIONS");
  assert.equal([...response.headers.keys()].some((name) => name.startsWith("access-control")), false);
  const tools = await app.request("/beeuni/tools", { method: "OPTIONS", headers: HEADERS });
  assert.equal(tools.headers.get("allow"), "GET, HEAD, OPTIONS");
  const locked = await app.request("/beeuni/tools", { method: "OPTIONS", headers: { host: "localhost" } });
  assert.equal(locked.status, 401);
});

Deno.test("HEAD answers like GET without a body, and opens no event stream", async () => {
  const { app, events } = setUp();
  for (const path of ["/beeuni/health", "/beeuni/tools", "/beeuni/events", "/beeuni/openapi.json"]) {
    const response = await app.request(path, { method: "HEAD", headers: HEADERS });
    assert.equal(response.status, 200, path);
    assert.equal(await response.text(), "");
  }
  assert.equal(events.stats.readers, 0);
});

Deno.test("metrics are Prometheus text", async () => {
  const { app, call } = setUp();
  await call("echo", {});
  const response = await app.request("/beeuni/metrics", { headers: HEADERS });
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.match(await response.text(), /^beeuni_tool_calls_total\{tool="echo",outcome="completed"\} 1$/m);
});

Deno.test("events tell of a call from its start to its end", async () => {
  const { app, call } = setUp();
  const response = await app.request("/beeuni/events", { headers: HEADERS });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await call("echo", { call: "c-9" });
  let text = "";
  while (!text.includes("event: call_end")) text += (await reader.read()).value;
  assert.match(text, /event: call_start\ndata: \{.*"call":"c-9".*\}\n\n/);
  assert.match(text, /event: call_end\ndata: \{.*"outcome":"completed".*\}\n\n/);
  await reader.cancel();
});

Deno.test("directory is checked against the checkout", async (t) => {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "beeuni-app-" }));
  const root = `${base}/project`;
  await Deno.mkdir(`${root}/sub/deep`, { recursive: true });
  await Deno.mkdir(`${base}/project-two`);
  await Deno.writeTextFile(`${root}/file`, "");
  await Deno.symlink(base, `${root}/out`);
  await Deno.symlink(root, `${base}/link`);
  try {
    const inside: [string, string, string][] = [
      [root, root, root],
      [root, `${root}/sub`, `${root}/sub`],
      [root, `${root}/sub/`, `${root}/sub`],
      [root, `${root}/sub/../sub/deep`, `${root}/sub/deep`],
      [root, "sub/deep", `${root}/sub/deep`],
      [root, ".", root],
      [root, "", root],
      [`${base}/link`, root, `${base}/link`],
      [`${base}/link`, `${root}/sub`, `${base}/link/sub`],
      [`${base}/link`, `${base}/link/sub`, `${base}/link/sub`],
      [root, `${base}/link/sub`, `${root}/sub`],
    ];
    for (const [from, directory, expected] of inside) {
      await t.step(`${directory} from ${from}`, async () => {
        const { call, host } = setUp({}, from);
        assert.equal((await call("echo", { directory })).status, 200);
        assert.equal(host.requests[0]?.directory, expected);
      });
    }
    const outside: [string, string][] = [
      ["/", "`directory` is outside the checkout."],
      [base, "`directory` is outside the checkout."],
      [`${base}/project-two`, "`directory` is outside the checkout."],
      [`${root}/..`, "`directory` is outside the checkout."],
      [`${root}/out`, "`directory` is outside the checkout."],
      [`${root}/out/project-two`, "`directory` is outside the checkout."],
      ["..", "`directory` is outside the checkout."],
      [`${root}/none`, "`directory` is not a folder in the checkout."],
      [`${root}/file`, "`directory` is not a folder in the checkout."],
      [`${root}/sub\0`, "`directory` is not a folder in the checkout."],
      [`${root}/${"x".repeat(5000)}`, "`directory` is not a folder in the checkout."],
    ];
    for (const [directory, error] of outside) {
      await t.step(directory.slice(0, 60), async () => {
        const { status, body } = await setUp({}, root).call("echo", { directory });
        assert.deepEqual([status, body], [400, { error, code: "bad_request" }]);
      });
    }
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});
