import { join } from "node:path";
import { startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import type { LoadResult, PostRequest } from "./load_client.ts";
import { startMcpServer } from "./mcp_peer.ts";
import { median } from "./percentile.ts";
import type { Program } from "../program.ts";
import { benchProject, toolModule } from "./project.ts";
import { type Client, postRequest, runLoad } from "./run_load.ts";
import { startServer } from "./start_server.ts";

const ROUNDS = 5;
const CLIENTS = 16;
/** Requests of one measurement: seconds, not minutes, on two cores. */
const COUNT = { one: 3000, many: 20_000 };
const ARGS = { text: "order A-1042: shipped" };

/** What one kind of server was asked, and how it did per client and number of connections. */
interface Side {
  port: number;
  requests: PostRequest[];
  one: Record<Client, LoadResult[]>;
  many: Record<Client, LoadResult[]>;
}

/** How the rows name the clients. */
const NAMES: Record<Client, string> = { node: "Node keep-alive client", sockets: "bare sockets" };

/**
 * A warm call over HTTP against the bare route of the same app, and against a tool of the official MCP SDK: time with
 * one connection, and calls per second with 16. The sides take turns within each round.
 *
 * The goals hold for the client they were measured with, Node's. The bare sockets take so little themselves that they
 * show the servers alone; the specification sets no goal for them.
 */
export async function measureWarmCalls(program: Program): Promise<Figure[]> {
  using project = benchProject({ echo: toolModule("return args.text") });
  await using daemon = await startDaemonProcess(program, project);
  const bareServer = join(import.meta.dirname!, "bare_server.ts");
  await using bare = await startServer(Deno.execPath(), ["run", "-A", bareServer, daemon.key]);
  await using mcp = await startMcpServer();

  const headers = { authorization: `Bearer ${daemon.key}` };
  const body = { args: ARGS };
  const side = (port: number, requests: PostRequest[]): Side => {
    return { port, requests, one: { node: [], sockets: [] }, many: { node: [], sockets: [] } };
  };
  const tool = side(daemon.port, [postRequest("/beeuni/tools/echo", headers, body)]);
  const route = side(bare.port, [postRequest("/bench/echo", headers, body)]);
  const peer = side(mcp.port, await mcp.requests(CLIENTS, ARGS));
  for (let round = 0; round < ROUNDS; round++) {
    for (const client of ["node", "sockets"] as const) {
      for (const { port, requests, one, many } of [route, tool, peer]) {
        const load = { port, requests, expect: ARGS.text };
        one[client].push(await runLoad(client, { ...load, clients: 1, count: COUNT.one }));
        many[client].push(await runLoad(client, { ...load, clients: CLIENTS, count: COUNT.many }));
      }
    }
  }
  const sdk = `MCP TypeScript SDK ${mcp.version} on ${mcp.runtime}`;
  return [
    ...rows(tool, route, "bare route of the same app", "node", { p50: 3, rate: 0.9 }),
    ...rows(tool, peer, sdk, "node", { p50: 0.45, rate: 5 }),
    ...rows(tool, route, "bare route of the same app", "sockets"),
    ...rows(tool, peer, sdk, "sockets"),
  ];
}

/** Time and throughput of a tool beside a peer, with one client; `goals` are ratios, at most and at least. */
function rows(
  tool: Side,
  peer: Side,
  name: string,
  client: Client,
  goals?: { p50: number; rate: number },
): Figure[] {
  const p50 = ({ one }: Side) => median(one[client].map((result) => result.p50));
  const rate = ({ many }: Side) => median(many[client].map((result) => result.rate));
  return [
    {
      what: `warm call over HTTP, p50, 1 connection, ${NAMES[client]}`,
      value: p50(tool),
      unit: "ms",
      peer: { what: name, value: p50(peer) },
      ...(goals && { goal: { at: "most", limit: goals.p50 } }),
    },
    {
      what: `throughput, ${CLIENTS} connections, ${NAMES[client]}`,
      value: rate(tool),
      unit: "calls/s",
      peer: { what: name, value: rate(peer) },
      ...(goals && { goal: { at: "least", limit: goals.rate } }),
    },
  ];
}
