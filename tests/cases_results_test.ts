import assert from "node:assert/strict";
import { type Answer, type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { type Check, output, toolError } from "./support/told.ts";

// What a tool returns, throws and prints (specification 2.1, cases R1, R2, R3, R5).

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/results" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

const json = (value: unknown): Check => output(JSON.stringify(value, null, 2));

const RETURNS: Record<string, Check> = {
  number: output("42"),
  zero: output("0"),
  negative_zero: output("0"),
  true: output("true"),
  null: output("null"),
  undefined: output(""),
  nothing: output(""),
  empty: output(""),
  string: output('a "quoted" line\nand another'),
  array: output("[]"),
  object: json({ a: 1, b: { c: [1, "x", null] } }),
  undefined_property: json({ a: 1 }),
  date: json("1970-01-01T00:00:00.000Z"),
  dates: json({ at: "1970-01-01T00:00:00.000Z" }),
  url: json("https://example.com/a?b"),
  urls: json(["https://example.com/"]),
  to_json: json({ made: "by toJSON" }),
  instance: json({ x: 1, y: 2 }),
  bare_object: json({ a: 1 }),
  boxed: json({ a: 1, b: "x", c: false }),
  shared: json([{ a: 1 }, { a: 1 }]),
  async: json({ a: 1 }),
  thenable: output("resolved"),
  lone_surrogate: output("a\ufffdb\ufffdc"),
  // JSON writes it as an escape, so nothing is lost.
  lone_surrogate_inside: output('{\n  "a": "a\\ud800b"\n}'),
  proto_key: output('{\n  "__proto__": {\n    "a": 1\n  }\n}'),
  bigint: toolError(/^result is a BigInt: return String\(value\)/),
  bigint_inside: toolError(/^result\.total is a BigInt: return String\(value\)/),
  bigint_deep: toolError(/^result\.list\[0\]\.n is a BigInt: return String\(value\)/),
  nan: toolError(/^result is NaN\b/),
  nan_inside: toolError(/^result\.ratio is NaN\b/),
  infinity: toolError(/^result\[1\] is -?Infinity\b/),
  invalid_date: toolError(/^result is an invalid Date\b/i),
  invalid_date_inside: toolError(/^result\.at is an invalid Date\b/i),
  cycle: toolError(/^result\.a\.b refers back to result\b/),
  cycle_array: toolError(/^result\[0\] refers back to result\b/),
  map: toolError(/^result is a Map\b.*:/),
  map_inside: toolError(/^result\.by_id is a Map\b.*:/),
  set: toolError(/^result is a Set\b.*:/),
  error: toolError(/^result is an Error\b.*:/),
  error_inside: toolError(/^result\.failed is an? (Type)?Error\b.*:/),
  response: toolError(/^result is a Response\b.*return await response\.json\(\) or text\(\)/),
  promise_inside: toolError(/^result\.p is a Promise\b.*await it/),
  promise_array: toolError(/^result\[0\] is a Promise\b.*await it/),
  bytes: toolError(/^result is an? Uint8Array\b.*:/),
  buffer: toolError(/^result is an? ArrayBuffer\b.*:/),
  node_buffer: toolError(/^result is an? (Buffer|Uint8Array)\b.*:/),
  data_view: toolError(/^result is an? DataView\b.*:/),
  function: toolError(/^result is a function\b/),
  function_inside: toolError(/^result\.call is a function\b/),
  symbol: toolError(/^result is a symbol\b/i),
  symbol_inside: toolError(/^result\[0\] is a symbol\b/i),
  throwing_to_json: toolError(/result.*toJSON.*toJSON says no/s),
  throwing_getter: toolError(/result\.a.*the getter says no/s),
  throwing_proxy: toolError(/result.*the proxy says no/s),
  regexp: toolError(/^result is an? RegExp\b/),
  headers: toolError(/^result is an? Headers\b/),
  search_params: toolError(/^result is an? URLSearchParams\b/),
  form_data: toolError(/^result is an? FormData\b/),
  blob: toolError(/^result is an? Blob\b/),
  stream: toolError(/^result is an? ReadableStream\b/),
  weak_map: toolError(/^result is an? WeakMap\b/),
  iterator: toolError(/^result is an? .*iterator/i),
  generator: toolError(/^result is an? .*generator/i),
  signal: toolError(/^result\.signal is an? AbortSignal\b/),
  deep: toolError(/^result\b.*(deep|nest)/s),
};

for (const [what, check] of Object.entries(RETURNS)) {
  Deno.test({
    name: `returns: ${what}`,
    ...LENIENT,
    fn: async () => check(await daemon.call("returns", { args: { what } })),
  });
}

const THROWS: Record<string, string | RegExp> = {
  null: /threw null/,
  undefined: /threw undefined/,
  string: "a string",
  empty_string: /empty string|without a message/,
  number: "42",
  bigint: "10",
  symbol: "Symbol(a symbol)",
  function: /function/,
  object: /object/,
  object_message: "a message of an object",
  array: "a,b",
  error: "a message",
  custom: "a message of a class",
  empty_error: /TypeError/,
  dom_exception: "a message of the DOM",
  getter: /can't be read|the getter says no/,
  error_getter: /can't be read|the getter says no/,
  proxy: /can't be read|the proxy says no/,
  aggregate: /^all of it failed.*first reason.*second reason/s,
  aggregate_mute: /first reason.*second reason/s,
  cause: "the outer message",
  large: /^a long message a long message /,
  many_lines: /^line\nline\n/,
  stack: "short",
};

for (const [what, message] of Object.entries(THROWS)) {
  Deno.test({
    name: `throws: ${what}`,
    ...LENIENT,
    async fn() {
      for (const late of [false, true]) {
        const answer = await daemon.call("throws", { args: { what, late } });
        toolError(message)(answer);
        const text: string = answer.body.error;
        assert.ok(new TextEncoder().encode(text).length <= 51_200);
        assert.ok(text.split("\n").length <= 2_000);
      }
    },
  });
}

Deno.test({
  name: "throws: stack and causes are in the log, not in the message",
  ...LENIENT,
  async fn() {
    const { body } = await daemon.call("throws", { args: { what: "cause" }, call: "with-cause" });
    assert.ok(!JSON.stringify(body).includes("inner"));
    await eventually(() => {
      const lines = daemon.log.filter(({ call }) => call === "with-cause");
      assert.match(JSON.stringify(lines), /the inner message/);
      assert.match(JSON.stringify(lines), /throws\.ts/);
    });
  },
});

Deno.test({
  name: "context: exactly five fields, fresh for every call",
  ...LENIENT,
  async fn() {
    const context = async (body: Record<string, unknown>) => {
      const { status, body: answer } = await daemon.call("context", body);
      assert.equal(status, 200, JSON.stringify(answer));
      return JSON.parse(answer.output);
    };
    const common = {
      signal: true,
      env_is_object: true,
      same_env: false,
      more: 0,
      this_mark: "the exported object",
    };
    const first = await context({});
    const keys = first.keys.sort();
    assert.deepEqual(keys, ["agent", "directory", "env", "sessionId", "signal"]);
    assert.deepEqual(first, {
      ...common,
      args: {},
      keys,
      rest: { sessionId: "", agent: "beeuni", directory: project.root },
    });
    const directory = project.path("tools");
    const second = await context({ args: { a: [1] }, session: "s-1", agent: "beeuni", directory });
    assert.deepEqual({ ...second, keys }, {
      ...common,
      args: { a: [1] },
      keys,
      rest: { sessionId: "s-1", agent: "beeuni", directory },
    });
  },
});

Deno.test({
  name: "prints: only log lines of the call, no reply is disturbed (R5)",
  ...LENIENT,
  async fn() {
    const calls = Array.from({ length: 5 }, (_, n) => daemon.call("prints", { call: `printing-${n}` }));
    for (const answer of await Promise.all(calls)) output("the output")(answer as Answer);
    const texts = [
      "console.log",
      "console.error",
      "console.warn",
      "console.info",
      "console.debug",
      "console.table",
    ].map((name) => `printed by ${name}`);
    const streams = [
      "printed to stdout",
      "printed to stderr",
      "printed by process.stdout",
      "printed by process.stderr",
    ];
    await eventually(() => {
      const lines = daemon.log.filter(({ tool }) => tool === "prints");
      for (let n = 0; n < 5; n++) {
        const mine = JSON.stringify(lines.filter(({ call }) => call === `printing-${n}`));
        for (const text of texts) assert.ok(mine.includes(text), `${text} of call ${n}`);
      }
      for (const text of streams) assert.ok(daemon.stderr.text.includes(text), text);
    });
    // Every line on stderr is one JSON document, whatever a tool printed, and none has a raw control character.
    for (const line of daemon.stderr.lines) JSON.parse(line);
    assert.ok(!daemon.stderr.text.includes("\x1b"));
    assert.equal(daemon.stdout.text.includes("printed"), false);
  },
});
