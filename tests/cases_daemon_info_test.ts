import assert from "node:assert/strict";
import { join } from "node:path";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { RawClient } from "./support/raw_client.ts";

// What the daemon tells of itself: tools, health, metrics, events, log, state (specification 2.7).

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/calls" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

Deno.test({
  name: "http: the list of tools",
  ...LENIENT,
  async fn() {
    const { status, body } = await daemon.request("/beeuni/tools");
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ["failed", "generation", "removed", "tools"]);
    assert.deepEqual(body.removed, ["image_search", "scrape_webpage", "show"]);
    assert.deepEqual(body.failed.map(({ name }: { name: string }) => name).sort(), ["bad_value", "broken"]);
    assert.deepEqual(
      body.tools.map(({ name, kind, source }: Record<string, string>) => `${name} ${kind} ${source}`),
      [
        "web_search beeuni (overridden) tools/web_search.ts",
        "memory beeuni beeuni:memory",
        "echo project tools/echo.ts",
        "where project tools/where.ts",
        "hangs project tools/hangs.ts",
        "hangs_briefly project tools/hangs.ts",
        ...["notes_signal_later", "secrets", "leaks", "reads_environment", "fails"].map((name) => {
          return `${name} project tools/${name}.ts`;
        }),
        "slow project tools/slow.ts",
        "forbidden project tools/forbidden.ts",
      ],
    );
    const echo = body.tools.find(({ name }: { name: string }) => name === "echo");
    assert.deepEqual(echo, {
      name: "echo",
      kind: "project",
      source: "tools/echo.ts",
      description: "Answers with its arguments.",
      parameters: {
        type: "object",
        properties: {
          id: { type: "string", description: "An id" },
          count: { type: "integer", description: "A number" },
        },
        required: ["id"],
      },
    });
  },
});

Deno.test({
  name: "http: health needs no key and says how many",
  ...LENIENT,
  async fn() {
    const response = await fetch(new URL("/beeuni/health", daemon.url));
    const health = await response.json();
    assert.deepEqual(Object.keys(health).sort(), ["failed", "generation", "status", "tools", "version"]);
    assert.deepEqual([health.status, health.tools, health.failed], ["ready", 13, 2]);
  },
});

Deno.test({
  name: "http: metrics count calls by tool and outcome",
  ...LENIENT,
  async fn() {
    const count = async (tool: string, outcome: string) => {
      const page = await daemon.metrics();
      const line = page.split("\n").find((line) => {
        return line.startsWith("beeuni_tool_calls_total{") && line.includes(`tool="${tool}"`) &&
          line.includes(`outcome="${outcome}"`);
      });
      return Number(line?.split(" ").at(-1) ?? 0);
    };
    const before = [await count("where", "completed"), await count("fails", "error")];
    await daemon.call("where");
    await daemon.call("fails");
    const after = [await count("where", "completed"), await count("fails", "error")];
    assert.deepEqual(after, before.map((n) => n + 1));
    for (const [, name] of (await daemon.metrics()).matchAll(/^# TYPE (\S+) /gm)) {
      assert.match(name ?? "", /^beeuni_/);
    }
  },
});

Deno.test({
  name: "http: events tell of calls and of what they print",
  ...LENIENT,
  async fn() {
    using client = await RawClient.connect(daemon);
    await client.send(
      `GET /beeuni/events HTTP/1.1\r\nhost: 127.0.0.1:${daemon.port}\r\nauthorization: Bearer ${daemon.key}\r\n\r\n`,
    );
    await eventually(() => assert.match(client.received, /^HTTP\/1\.1 200 [\s\S]*text\/event-stream/i));
    await daemon.call("where", { call: "told-of" });
    await eventually(() => {
      assert.match(client.received, /event: call_start\r?\ndata: [^\n]*told-of/);
      assert.match(
        client.received,
        /event: call_end\r?\ndata: [^\n]*told-of[^\n]*completed|"outcome":"completed"/,
      );
    });
  },
});

Deno.test({
  name: "http: the OpenAPI document describes every route",
  ...LENIENT,
  async fn() {
    const { status, body } = await daemon.request("/beeuni/openapi.json");
    assert.equal(status, 200);
    assert.match(body.openapi, /^3\./);
    assert.deepEqual(
      Object.keys(body.paths).sort().filter((path) => path !== "/beeuni/openapi.json"),
      [
        "/beeuni/calls/{id}",
        "/beeuni/events",
        "/beeuni/health",
        "/beeuni/metrics",
        "/beeuni/reload",
        "/beeuni/sessions",
        "/beeuni/sessions/{id}",
        "/beeuni/sessions/{id}/answer",
        "/beeuni/sessions/{id}/events",
        "/beeuni/sessions/{id}/messages",
        "/beeuni/sessions/{id}/prompt",
        "/beeuni/sessions/{id}/stop",
        "/beeuni/tools",
        "/beeuni/tools/{name}",
      ],
    );
  },
});

Deno.test({
  name: "http: one structured log line per call",
  ...LENIENT,
  async fn() {
    await daemon.call("where", { call: "logged-once", session: "s-9" });
    await eventually(() => {
      const lines = daemon.log.filter(({ call, outcome }) => call === "logged-once" && outcome !== undefined);
      assert.equal(lines.length, 1);
      const { tool, agent, session, outcome } = lines[0] ?? {};
      assert.deepEqual([tool, agent, session, outcome], ["where", "beeuni", "s-9", "completed"]);
      for (const word of ["queued", "run", "bytes"]) {
        assert.ok(Object.keys(lines[0] ?? {}).some((key) => key.includes(word)), word);
      }
    });
  },
});

Deno.test({
  name: "http: what the state directory holds",
  ...LENIENT,
  fn() {
    const mode = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
    assert.equal(mode(project.state), 0o700);
    const key = join(project.state, "tool-bridge.key");
    assert.equal(mode(key), 0o600);
    assert.match(Deno.readTextFileSync(key).trim(), /^[0-9a-f]{64}$/);
    const info = JSON.parse(Deno.readTextFileSync(join(project.state, "daemon.json")));
    assert.deepEqual(Object.keys(info).sort(), ["pid", "url", "version"]);
    assert.ok(daemon.stdout.text.includes(daemon.url));
  },
});
