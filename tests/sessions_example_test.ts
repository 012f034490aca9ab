import assert from "node:assert/strict";
import { ORDERS_KEYS, type OrdersApi, startOrdersApi } from "../scripts/orders/api.ts";
import { HARNESSES, MODEL, SessionBench } from "./support/sessions.ts";

// The published example as it is printed, but for the API's origin: a secret from stdin, a tool, a session that calls
// it, and the session's log. By the command line alone, on both harnesses.

const PROMPT = "Call the weather_now tool once with city Berlin and print its output.";
const OUTPUT = '{\n  "city": "Berlin",\n  "temperature_c": 4.5,\n  "conditions": "light rain"\n}';

let bench: SessionBench;
let api: OrdersApi;

Deno.test.beforeAll(async () => {
  // The API reads its data from the fixture, which the project is a copy of.
  api = startOrdersApi(new URL("../fixtures/orders", import.meta.url).pathname);
  const env = { WEATHER_ORIGIN: api.origin, ORDERS_ORIGIN: api.origin };
  const manifest = Deno.readTextFileSync(new URL("../fixtures/orders/beeuni.yaml", import.meta.url))
    .replace("\n    secrets: all\n", `$&    model: ${MODEL}\n`);
  bench = await SessionBench.start({
    fixture: "orders",
    files: { "beeuni.yaml": manifest },
    daemon: { env },
  });
  bench.model.on(PROMPT, [{ tool: "weather_now", args: { city: "Berlin" } }, { echo: true }]);
});

Deno.test.afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `published example: ${name}`, sanitizeOps: false, sanitizeResources: false, fn });
}

test("without the secret the model reads what to do", async () => {
  const message =
    "WEATHER_API_KEY is not set: run `beeuni secrets set WEATHER_API_KEY=-` and grant it to this agent.";
  const run = await bench.beeuni(["sessions", "new", "--wait", "--prompt", PROMPT]);
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.ok(run.stdout.includes(message), run.stdout);
  assert.match(run.stderr, /standard/, "which harness it is, when none was named");
});

for (const harness of HARNESSES) {
  test(`on ${harness}`, async () => {
    const stdin = `${ORDERS_KEYS.WEATHER_API_KEY}\n`;
    assert.equal((await bench.beeuni(["secrets", "set", "WEATHER_API_KEY=-"], { stdin })).code, 0);
    const run = await bench.beeuni(
      ["sessions", "new", "--harness", harness, "--wait", "--prompt", PROMPT],
    );
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const [id, ...rest] = run.stdout.split("\n");
    assert.match(id ?? "", /^[A-Za-z0-9_.-]{1,128}$/);
    assert.ok(rest.join("\n").includes(OUTPUT), run.stdout);

    const log = await bench.beeuni(["sessions", "log", id!]);
    assert.equal(log.code, 0, log.stderr);
    assert.match(log.stdout, /^\[weather_now · completed · \d+ ?ms\]$/m);
    for (const line of [PROMPT, "Berlin", '"temperature_c": 4.5']) {
      assert.ok(log.stdout.includes(line), log.stdout);
    }
    assert.ok(!log.stdout.includes(ORDERS_KEYS.WEATHER_API_KEY));

    const json = await bench.beeuni(["sessions", "log", "--json"]);
    const messages = JSON.parse(json.stdout);
    assert.deepEqual(messages.map(({ role }: { role: string }) => role)[0], "user");
    assert.equal(messages[0].text, PROMPT);
    assert.equal(messages.at(-1).text, OUTPUT);
    const [call, ...others] = messages.flatMap(({ tools }: { tools: unknown[] }) => tools);
    assert.deepEqual(others, []);
    const { tool, status, args, output, ms } = call;
    assert.deepEqual({ tool, status, args, output }, {
      tool: "weather_now",
      status: "completed",
      args: { city: "Berlin" },
      output: OUTPUT,
    });
    assert.ok(ms >= 0);

    const listed = await bench.beeuni(["sessions", "ls"]);
    assert.ok(listed.stdout.includes(id!), listed.stdout);
  });
}
