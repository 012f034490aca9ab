import { join } from "node:path";
import { startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import type { LoadResult } from "./load_client.ts";
import { startMcpServer } from "./mcp_peer.ts";
import { median } from "./percentile.ts";
import type { Program } from "../program.ts";
import { benchProject, toolModule } from "./project.ts";
import { postRequest, runLoad } from "./run_load.ts";
import { startServer } from "./start_server.ts";

const ROUNDS = 5;
const CLIENTS = 16;
/** Requests of one measurement: seconds, not minutes, on two cores. */
const COUNT = { one: 3000, many: 20_000 };
const ARGS = { text: "order A-1042: shipped" };

/** What one kind of server was asked, and how it did per number of clients. */
interface Side {
  port: number;
  requests: string[];
  one: LoadResult[];
  many: LoadResult[];
}

/**
 * A warm call over HTTP against the bare route of the same app, and against a tool of the official MCP SDK: time of
 * one client, and calls per second of 16. The sides take turns within each round.
 */
export async function measureWarmCalls(program: Program): Promise<Figure[]> {
  using project = benchProject({ echo: toolModule("return args.text") });
  await using daemon = await startDaemonProcess(program, project);
  const bareServer = join(import.meta.dirname!, "bare_server.ts");
  await using bare = await startServer(Deno.execPath(), ["run", "-A", bareServer, daemon.key]);
  await using mcp = await startMcpServer();

  const headers = { authorization: `Bearer ${daemon.key}` };
  const side = (port: number, requests: string[]): Side => ({ port, requests, one: [], many: [] });
  const tool = side(daemon.port, [
    postRequest({ port: daemon.port, path: "/beeuni/tools/echo", headers }, { args: ARGS }),
  ]);
  const route = side(bare.port, [
    postRequest({ port: bare.port, path: "/bench/echo", headers }, { args: ARGS }),
  ]);
  const peer = side(mcp.port, await mcp.requests(CLIENTS, ARGS));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { port, requests, one, many } of [route, tool, peer]) {
      const load = { port, requests, expect: ARGS.text };
      one.push(await runLoad({ ...load, clients: 1, count: COUNT.one }));
      many.push(await runLoad({ ...load, clients: CLIENTS, count: COUNT.many }));
    }
  }
  const p50 = ({ one }: Side) => median(one.map((result) => result.p50));
  const rate = ({ many }: Side) => median(many.map((result) => result.rate));
  const sdk = `MCP TypeScript SDK ${mcp.version} on ${mcp.runtime}`;
  return [
    {
      what: "warm call over HTTP, p50, 1 client",
      value: p50(tool),
      unit: "ms",
      peer: { what: "bare route of the same app", value: p50(route) },
      goal: { at: "most", limit: 3 },
    },
    {
      what: `throughput, ${CLIENTS} clients`,
      value: rate(tool),
      unit: "calls/s",
      peer: { what: "bare route of the same app", value: rate(route) },
      goal: { at: "least", limit: 0.9 },
    },
    {
      what: "warm call over HTTP, p50, 1 client",
      value: p50(tool),
      unit: "ms",
      peer: { what: sdk, value: p50(peer) },
      goal: { at: "most", limit: 0.45 },
    },
    {
      what: `throughput, ${CLIENTS} clients`,
      value: rate(tool),
      unit: "calls/s",
      peer: { what: sdk, value: rate(peer) },
      goal: { at: "least", limit: 5 },
    },
  ];
}
