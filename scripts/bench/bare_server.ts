// The peer of a warm call: the daemon's own app with one more route, which checks the request as every route does and
// echoes JSON. It has no tools; nothing of it but this route and the app around it is measured.
import { checkAuthorization } from "../../src/daemon/authorization.ts";
import { createApp } from "../../src/daemon/app.ts";
import { Events } from "../../src/daemon/events.ts";
import { Metrics } from "../../src/daemon/metrics.ts";
import { checkSameMachine, hostRule } from "../../src/daemon/same_machine.ts";
import { listen } from "../../src/daemon/server.ts";
import type { ToolHost } from "../../src/host/types.ts";
import { createLogger } from "../../src/log/logger.ts";

const key = Deno.args[0] ?? "";

const noTools: ToolHost = {
  ready: Promise.resolve(),
  state: "ready",
  catalogue: () => ({ generation: 1, tools: [], failed: [], removed: [], unused: [] }),
  manifest: () => {
    throw new Error("there is no manifest");
  },
  toolsOf: () => [],
  defaultAgent: () => "beeuni",
  call: () => Promise.reject(new Error("there is no tool")),
  cancel: () => false,
  reload: () => Promise.reject(new Error("there is nothing to reload")),
  subscribe: () => () => {},
  mask: (text) => text,
  spillFolder: () => "/",
  stats: () => ({ inFlight: 0, queued: 0, workers: 0, runners: 0, runnerRestarts: 0 }),
  stop: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const app = createApp({
  host: noTools,
  root: "/",
  key,
  version: "0",
  logger: createLogger(),
  events: new Events(),
  metrics: new Metrics(),
});
const rule = hostRule("127.0.0.1");
app.post("/bench/echo", async (context) => {
  checkSameMachine(context.req.raw.headers, rule);
  checkAuthorization(context.req.raw.headers.get("authorization"), key);
  const { args } = await context.req.json();
  return context.json({ output: args.text });
});

const server = listen({ hostname: "127.0.0.1", port: 0 }, (request) => app.fetch(request));
await Deno.stdout.write(new TextEncoder().encode(`${server.port}\n`));
