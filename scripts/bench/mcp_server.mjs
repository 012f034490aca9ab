// A tool of the official MCP TypeScript SDK over Streamable HTTP with JSON replies, one transport per session, on
// plain node:http: its fastest form. Prints the port.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const transports = new Map();

const server = createServer(async (request, response) => {
  const known = transports.get(request.headers["mcp-session-id"]);
  if (known) return await known.handleRequest(request, response);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => transports.set(id, transport),
  });
  const mcp = new McpServer({ name: "bench", version: "1.0.0" });
  mcp.registerTool(
    "echo",
    { description: "A tool for measuring.", inputSchema: { text: z.string() } },
    ({ text }) => ({
      content: [{ type: "text", text }],
    }),
  );
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
