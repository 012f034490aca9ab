import { join } from "node:path";
import type { Load, LoadResult } from "./load_client.ts";

/**
 * Runs the load client in a process of its own.
 *
 * @throws {Error} with its message when an answer is not as expected.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const client = join(import.meta.dirname!, "load_client.ts");
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--no-lock", "--allow-net=127.0.0.1", client, JSON.stringify(load)],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`the load client failed: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** A whole HTTP/1.1 POST with a JSON body. */
export function postRequest(
  target: { port: number; path: string; headers?: Record<string, string> },
  body: unknown,
): string {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", ...target.headers };
  return [
    `POST ${target.path} HTTP/1.1`,
    `host: 127.0.0.1:${target.port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${new TextEncoder().encode(text).length}`,
    "",
    text,
  ].join("\r\n");
}
