import { join } from "node:path";
import type { Load, LoadResult, PostRequest } from "./load_client.ts";
import { nodeVersion } from "./node_version.ts";

/**
 * Who sends the requests: `node`, the plain keep-alive client of Node that the goals were measured with, or `sockets`,
 * which takes 12 µs a request and so shows what a server can do at most.
 */
export type Client = "node" | "sockets";

/**
 * Runs a load client in a process of its own.
 *
 * @throws {Error} with its message when an answer is not as expected.
 */
export async function runLoad(client: Client, load: Load): Promise<LoadResult> {
  const [program, args] = await clientCommand(client);
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args, JSON.stringify(load)],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`the load client failed: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function clientCommand(client: Client): Promise<[program: string, args: string[]]> {
  const file = (name: string) => join(import.meta.dirname!, name);
  const deno = ["run", "--no-config", "--no-lock", "--allow-net=127.0.0.1"];
  if (client === "sockets") return [Deno.execPath(), [...deno, file("load_client.ts")]];
  const node = file("node_client.mjs");
  return await nodeVersion() === undefined ? [Deno.execPath(), [...deno, node]] : ["node", [node]];
}

/** A POST with a JSON body. */
export function postRequest(path: string, headers: Record<string, string>, body: unknown): PostRequest {
  return { path, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
