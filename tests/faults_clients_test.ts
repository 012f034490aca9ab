import assert from "node:assert/strict";
import { type Answer, type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { processInfo } from "./support/processes.ts";
import { Project } from "./support/project.ts";
import { callHead, RawClient } from "./support/raw_client.ts";
import { output } from "./support/told.ts";

// What clients can do to a daemon (specification 5.4). The tools here are well-behaved.

const TOOL = `export default {
  description: "Answers with its arguments.",
  parameters: { type: "object", properties: {} },
  execute: (args) => args,
}
`;

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({
    files: {
      "beeuni.yaml": "tools:\n  echo: tools/echo.ts\n  other: tools/other.ts\n",
      "tools/echo.ts": TOOL,
      "tools/other.ts": TOOL,
    },
  });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

function openFiles(): number {
  return [...Deno.readDirSync(`/proc/${daemon.pid}/fd`)].length;
}

async function works(): Promise<void> {
  for (const tool of ["echo", "other"]) {
    output('{\n  "n": 1\n}')(await daemon.call(tool, { args: { n: 1 } }));
  }
}

/** How many connections this process may open at once. */
function connectionLimit(): number {
  const line = Deno.readTextFileSync("/proc/self/limits").split("\n").find((line) =>
    line.startsWith("Max open")
  );
  return Number(/\d+/.exec(line ?? "")?.[0] ?? 1024) - 200;
}

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

Deno.test({
  name: "fault: 10,000 calls at once",
  ...LENIENT,
  async fn() {
    await works();
    const count = Math.min(10_000, connectionLimit());
    const before = processInfo(daemon.pid)?.rss ?? 0;
    const other: Promise<Answer>[] = [];
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => {
      if (n % 1000 === 500) other.push(daemon.call("other", { args: { n: 1 } }));
      return daemon.call("echo", { args: { n } });
    }));
    const refused = answers.filter(({ status }) => status !== 200);
    for (const [n, { status, body }] of answers.entries()) {
      if (status === 200) assert.deepEqual(JSON.parse(body.output), { n });
    }
    for (const { status, body, headers } of refused) {
      assert.deepEqual([status, body.code, body.retryable], [503, "queue_full", true]);
      assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    }
    assert.ok(answers.length - refused.length >= 288, "32 run and 256 wait, whatever the rest");
    // Each tool has a queue of its own: the flood on one never costs a call of another.
    for (const answer of other) output('{\n  "n": 1\n}')(await answer);
    await works();
    await eventually(() => {
      const now = processInfo(daemon.pid)?.rss ?? 0;
      assert.ok(
        now < before + 300e6,
        `${Math.round(before / 1e6)} MB before, ${Math.round(now / 1e6)} after`,
      );
    });
  },
});

const SLOW: { name: string; send: () => string }[] = [
  { name: "nothing", send: () => "" },
  { name: "half a request line", send: () => "POST /beeuni/too" },
  { name: "half a head", send: () => callHead(daemon, "echo", {}).slice(0, -10) },
  { name: "half a body", send: () => callHead(daemon, "echo", { "content-length": "1000" }) + '{"args":{' },
  {
    name: "half a chunk",
    send: () => callHead(daemon, "echo", { "transfer-encoding": "chunked" }) + '100\r\n{"args"',
  },
];

for (const { name, send } of SLOW) {
  Deno.test({
    name: `fault: 200 clients that send ${name} and wait`,
    ...LENIENT,
    async fn() {
      await works();
      const before = openFiles();
      const clients: RawClient[] = [];
      try {
        for (let count = 0; count < 200; count++) {
          const client = await RawClient.connect(daemon);
          clients.push(client);
          await client.send(send());
        }
        for (let count = 0; count < 5; count++) await works();
      } finally {
        for (const client of clients) client[Symbol.dispose]();
      }
      await works();
      await eventually(() => {
        assert.ok(openFiles() <= before + 10, `${before} open files before, ${openFiles()} after`);
      });
    },
  });
}

Deno.test({
  name: "fault: a client that never reads its answer",
  ...LENIENT,
  async fn() {
    const before = openFiles();
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: daemon.port });
    const body = JSON.stringify({ args: { text: "x".repeat(40_000) } });
    const request = callHead(daemon, "echo", { "content-length": String(body.length) }) + body;
    const bytes = new TextEncoder().encode(request);
    // Hundreds of pipelined requests: their answers fill every buffer on the way.
    const sending = (async () => {
      for (let count = 0; count < 400; count++) {
        for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await connection.write(rest));
      }
    })().catch(() => {});
    await sleep(300);
    for (let count = 0; count < 5; count++) await works();
    connection.close();
    await sending;
    await eventually(() => assert.ok(openFiles() <= before + 10));
  },
});

for (const framing of ["chunked", "content-length"] as const) {
  Deno.test({
    name: `fault: a body that never ends (${framing})`,
    ...LENIENT,
    async fn() {
      const before = processInfo(daemon.pid)?.rss ?? 0;
      using client = await RawClient.connect(daemon);
      const headers: Record<string, string> = framing === "chunked"
        ? { "transfer-encoding": "chunked" }
        : { "content-length": String(2 ** 40) };
      await client.send(callHead(daemon, "echo", headers));
      const part = " ".repeat(0x10000);
      let sent = 0;
      while (client.received === "" && !client.closed && sent < 256 * 1024 * 1024) {
        // Once the daemon has said no it reads no further, and a write waits: so ask for the answer meanwhile.
        const sending = client.send(framing === "chunked" ? `10000\r\n${part}\r\n` : part);
        if (!await Promise.race([sending, client.answered.then(() => false)])) break;
        sent += part.length;
      }
      await eventually(() => assert.match(client.received, /^HTTP\/1\.1 413 /));
      assert.match(client.received, /"code":\s*"body_too_large"/);
      assert.ok(sent < 64 * 1024 * 1024, `it took ${sent} bytes before it said no`);
      await works();
      await eventually(() => assert.ok((processInfo(daemon.pid)?.rss ?? 0) < before + 100e6));
    },
  });
}

Deno.test({
  name: "fault: a reader of events that never reads",
  ...LENIENT,
  async fn() {
    using client = await RawClient.connect(daemon);
    await client.send(
      `GET /beeuni/events HTTP/1.1\r\nhost: 127.0.0.1:${daemon.port}\r\nauthorization: Bearer ${daemon.key}\r\n\r\n`,
    );
    await eventually(() => assert.match(client.received, /^HTTP\/1\.1 200 /));
    await works();
    await eventually(() => assert.match(client.received, /call_end/));
  },
});
