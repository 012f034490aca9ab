// The peer of a warm call: the daemon's own app with one more route, which checks the request as every route does and
// echoes JSON. It has no tools; nothing of it but this route and the app around it is measured.
import { checkAuthorization } from "../../src/daemon/authorization.ts";
import { createApp } from "../../src/daemon/app.ts";
import { Events } from "../../src/daemon/events.ts";
import { Metrics } from "../../src/daemon/metrics.ts";
import { checkSameMachine, hostRule } from "../../src/daemon/same_machine.ts";
import { listen } from "../../src/daemon/server.ts";
import { MemoryHost } from "../../src/daemon/testing/memory_host.ts";
import { createLogger } from "../../src/log/logger.ts";

const key = Deno.args[0] ?? "";

const app = createApp({
  host: new MemoryHost({ tools: {} }),
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
