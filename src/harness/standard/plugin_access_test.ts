import assert from "node:assert/strict";
import { createApp } from "../../daemon/app.ts";
import { EventReaders } from "../../daemon/event_readers.ts";
import { Events } from "../../daemon/events.ts";
import { Metrics } from "../../daemon/metrics.ts";
import { pluginGate } from "../../daemon/plugin_gate.ts";
import { hostRule } from "../../daemon/same_machine.ts";
import { MemoryHost } from "../../daemon/testing/memory_host.ts";
import { BeeuniError } from "../../errors/error.ts";
import { createLogger } from "../../log/logger.ts";
import { permissionRules } from "../../manifest/permission_rules.ts";
import { PluginAccess } from "./plugin_access.ts";
import type { PluginCall, RunningTurns } from "./types.ts";

const KEY = "k".repeat(64);
const OWN = "o".repeat(64);
const INSTALLED = "i".repeat(64);

interface Ended {
  call: PluginCall;
  status: string;
  file?: string;
}

/** The daemon's app behind the gate; session `ses_1` runs agent `beeuni` for Beeuni's session `s1`. */
function makeDaemon(permission?: unknown) {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-plugin-access-" }));
  const host = new MemoryHost({
    tools: {
      echo: ({ agent, session, args }) => JSON.stringify({ agent, session, args }),
      fails: () => Promise.reject(new BeeuniError("tool_failed", "orders API answered 503")),
    },
    agents: { beeuni: ["echo", "fails"], greeter: [] },
  });
  const manifest = host.manifest();
  const agents = new Map(manifest.agents);
  const beeuni = agents.get("beeuni")!;
  if (permission !== undefined) agents.set("beeuni", { ...beeuni, permission: permissionRules(permission)! });
  host.manifest = () => ({ ...manifest, agents, root });
  const ended: Ended[] = [];
  const turns: RunningTurns = {
    callerOf: ({ session, agent }) =>
      Promise.resolve(
        session === "ses_1" && agent !== "other"
          ? { session: "s1", agent, sessionAgent: "beeuni" }
          : undefined,
      ),
    isAllowed: ({ call }, args) => call === "asked" && JSON.stringify(args) === '{"a":1}',
    callEnded: (call, end) => void ended.push({ call, ...end }),
    knowsToken: (token) => token === OWN,
  };
  const events = new Events();
  const app = createApp({
    host,
    root,
    key: KEY,
    version: "0",
    logger: createLogger({ write: (bytes) => Promise.resolve(bytes.length) }),
    events,
    metrics: new Metrics(),
    followers: new EventReaders(),
  });
  const models = { env: () => undefined, secret: () => undefined };
  const plugin = new PluginAccess({
    host,
    models,
    turns: () => turns,
    isInstalled: (token) => token === INSTALLED,
  });
  const gate = pluginGate({
    app: (request) => app.fetch(request),
    key: KEY,
    hostRule: hostRule("127.0.0.1"),
    plugin,
  });
  return {
    host,
    ended,
    async ask(
      method: string,
      path: string,
      options: { key?: string; body?: unknown; headers?: HeadersInit } = {},
    ) {
      const headers = new Headers({ host: "127.0.0.1:1", ...options.headers });
      if (options.key !== undefined) headers.set("authorization", `Bearer ${options.key}`);
      const init: RequestInit = { method, headers };
      if (options.body !== undefined) {
        const body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
        init.body = body;
        headers.set("content-length", String(new TextEncoder().encode(body).length));
      }
      const response = await gate(new Request(`http://127.0.0.1:1${path}`, init));
      return { status: response.status, body: await response.json() };
    },
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

const CALL = { args: { a: 1 }, agent: "beeuni", session: "ses_1", call: "c|1" };

Deno.test("plugin access: which routes each key opens", async () => {
  using daemon = makeDaemon();
  const rows: [method: string, path: string, own: number, installed: number, none: number, daemon: number][] =
    [
      ["GET", "/beeuni/tools", 200, 200, 401, 200],
      ["POST", "/beeuni/tools/echo", 200, 200, 401, 400],
      ["POST", "/beeuni/reload", 401, 401, 401, 200],
      ["GET", "/beeuni/events", 401, 401, 401, -1],
      ["GET", "/beeuni/metrics", 401, 401, 401, -1],
      ["GET", "/beeuni/openapi.json", 401, 401, 401, 200],
      ["DELETE", "/beeuni/calls/x", 401, 401, 401, 404],
      ["GET", "/beeuni/sessions", 401, 401, 401, -1],
      ["POST", "/beeuni/tools/echo/more", 401, 401, -1, 404],
      ["GET", "/beeuni/tools/echo", 401, 401, -1, -1],
      ["POST", "/beeuni/tools", 401, 401, -1, -1],
      ["POST", "/beeuni/models/openai/chat/completions", 409, 401, 401, 401],
      ["GET", "/beeuni/models/openai/models", 413, 401, 401, 401],
    ];
  for (const [method, path, own, installed, none, key] of rows) {
    const body = path.includes("models") ? { model: "gpt" } : CALL;
    const with_ = method === "POST" ? { body } : {};
    const keys = [[OWN, own], [INSTALLED, installed], [undefined, none], [`${OWN}x`, none], [
      KEY,
      key,
    ]] as const;
    for (const [given, expected] of keys) {
      if (expected === -1) continue;
      const { status } = await daemon.ask(method, path, {
        ...with_,
        ...given !== undefined && { key: given },
      });
      assert.equal(status, expected, `${method} ${path} with ${given?.slice(0, 2)}`);
    }
  }
});

Deno.test("plugin access: a page in a browser gets nothing, also with the key", async () => {
  using daemon = makeDaemon();
  for (const headers of [{ origin: "http://evil.example" }, { host: "evil.example" }]) {
    const { status, body } = await daemon.ask("GET", "/beeuni/tools", { key: OWN, headers });
    assert.deepEqual([status, body.code], [403, "forbidden_origin"]);
  }
});

Deno.test("plugin access: a call is made for whom OpenCode reports, in Beeuni's session", async () => {
  using daemon = makeDaemon();
  const { status, body } = await daemon.ask("POST", "/beeuni/tools/echo", { key: OWN, body: CALL });
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(body.output), { agent: "beeuni", session: "s1", args: { a: 1 } });
  assert.equal(daemon.host.requests[0]!.call, "ses_1.c.1");
  assert.deepEqual(daemon.ended, [{
    call: { tool: "echo", session: "ses_1", agent: "beeuni", call: "c|1" },
    status: "completed",
  }]);
});

Deno.test("plugin access: refused calls", async () => {
  using daemon = makeDaemon({ echo: "deny", fails: "ask" });
  const forbidden = "agent_forbidden";
  const rows: [key: string, tool: string, body: unknown, status: number, code: string][] = [
    [OWN, "fails", { ...CALL, session: "ses_2" }, 403, forbidden],
    [OWN, "fails", { ...CALL, agent: "other" }, 403, forbidden],
    [OWN, "fails", { ...CALL, agent: undefined }, 403, forbidden],
    [OWN, "fails", { ...CALL, session: 3 }, 403, forbidden],
    [OWN, "fails", {}, 403, forbidden],
    [OWN, "echo", CALL, 403, forbidden],
    [OWN, "fails", { ...CALL, agent: "greeter" }, 403, forbidden],
    [OWN, "gone", CALL, 404, "tool_not_found"],
    [OWN, "%E0%A4%A", CALL, 400, "bad_request"],
    [OWN, "fails", "{", 400, "bad_request"],
    [OWN, "fails", "[]", 400, "bad_request"],
    [OWN, "gone", { ...CALL, args: [] }, 400, "bad_request"],
    [OWN, "fails", { ...CALL, call: "asked", directory: "/" }, 400, "bad_request"],
    [OWN, "fails", CALL, 403, forbidden],
    [OWN, "fails", { ...CALL, call: "asked", args: { a: 2 } }, 403, forbidden],
    [OWN, "fails", { ...CALL, call: "asked" }, 422, "tool_failed"],
    [OWN, "echo", { ...CALL, call: "asked" }, 403, forbidden],
    [INSTALLED, "echo", CALL, 403, forbidden],
    [INSTALLED, "fails", CALL, 403, forbidden],
    [INSTALLED, "fails", {}, 403, forbidden],
    [INSTALLED, "gone", { ...CALL, agent: "build", call: "1" }, 404, "tool_not_found"],
    [INSTALLED, "echo", { ...CALL, agent: "build", call: "1" }, 403, forbidden],
  ];
  for (const [key, tool, body, status, code] of rows) {
    const told = await daemon.ask("POST", `/beeuni/tools/${tool}`, { key, body });
    assert.deepEqual([told.status, told.body.code], [status, code], `${tool} ${JSON.stringify(body)}`);
  }
});

Deno.test("plugin access: how a call ended is told before the plugin is answered", async () => {
  using daemon = makeDaemon({ echo: "deny" });
  for (const tool of ["fails", "echo", "gone"]) {
    await daemon.ask("POST", `/beeuni/tools/${tool}`, { key: OWN, body: CALL });
  }
  assert.deepEqual(daemon.ended.map(({ call, status }) => [call.tool, status]), [
    ["fails", "error"],
    ["echo", "refused"],
    ["gone", "refused"],
  ]);
});

Deno.test("plugin access: a body without a length, or too long, is not read", async () => {
  using daemon = makeDaemon();
  const headers = { "content-length": String(9 * 1024 * 1024) };
  const { status } = await daemon.ask("POST", "/beeuni/tools/echo", { key: OWN, headers });
  assert.equal(status, 413);
});
