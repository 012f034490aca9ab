import { join } from "node:path";
import type { PostRequest } from "./load_client.ts";
import { nodeVersion } from "./node_version.ts";
import { postRequest } from "./run_load.ts";
import { type ServerProcess, startServer } from "./start_server.ts";

/** Versions of the npm packages that the peer is made of. */
const PACKAGES = { "@modelcontextprotocol/sdk": "1.32.2", zod: "4.6.7" };

/** A server of the official MCP TypeScript SDK. */
export interface McpPeer extends ServerProcess {
  version: string;
  /** What runs it. */
  runtime: string;
  /** Opens sessions; one whole request of the tool for each. */
  requests(sessions: number, args: unknown): Promise<PostRequest[]>;
}

/** Installs the SDK in a temporary folder and starts a server with one tool: under Node where there is one. */
export async function startMcpServer(): Promise<McpPeer> {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-bench-mcp-" });
  const remove = () => Deno.remove(folder, { recursive: true });
  try {
    await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify({ dependencies: PACKAGES }));
    await Deno.copyFile(join(import.meta.dirname!, "mcp_server.mjs"), join(folder, "server.mjs"));
    const install = new Deno.Command(Deno.execPath(), {
      args: ["install", "--node-modules-dir=auto", "--quiet"],
      cwd: folder,
      stdin: "null",
    });
    const { success, stderr } = await install.output();
    if (!success) throw new Error(`the MCP SDK can't be installed: ${new TextDecoder().decode(stderr)}`);
    const node = await nodeVersion();
    const process = node === undefined
      ? await startServer(Deno.execPath(), ["run", "-A", "server.mjs"], folder)
      : await startServer("node", ["server.mjs"], folder);
    return {
      port: process.port,
      version: PACKAGES["@modelcontextprotocol/sdk"],
      runtime: node === undefined ? `Deno ${Deno.version.deno}` : `Node ${node}`,
      requests: (sessions, args) =>
        Promise.all(Array.from({ length: sessions }, () => openSession(process.port, args))),
      [Symbol.asyncDispose]: async () => {
        await process[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const ACCEPT = "application/json, text/event-stream";
const PROTOCOL = "2025-06-18";

async function openSession(port: number, args: unknown): Promise<PostRequest> {
  const post = (headers: Record<string, string>, body: unknown) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: ACCEPT, ...headers },
      body: JSON.stringify(body),
    });
  const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const opened = await post({}, { jsonrpc: "2.0", id: 0, method: "initialize", params });
  const session = opened.headers.get("mcp-session-id");
  await opened.body?.cancel();
  if (session === null) throw new Error(`the MCP server gave no session: ${opened.status}`);
  const headers = { accept: ACCEPT, "mcp-session-id": session, "mcp-protocol-version": PROTOCOL };
  const ready = await post(headers, { jsonrpc: "2.0", method: "notifications/initialized" });
  await ready.body?.cancel();
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: args } };
  return postRequest("/", headers, call);
}
