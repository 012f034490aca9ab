import { join } from "node:path";
import type { SessionBench } from "./sessions.ts";

/** OpenCode's own server as a hostile program of the same user finds it: its address, and its password from `/proc`. */
export class OpenCodeDoor {
  readonly #url: string;
  readonly #authorization: string;

  constructor(bench: SessionBench) {
    const said = Deno.readTextFileSync(join(bench.project.state, "opencode/opencode.log.out"));
    this.#url = [...said.matchAll(/listening on (http:\/\/\S+)/g)].at(-1)![1]!;
    const env = Deno.readTextFileSync(`/proc/${bench.opencodes()[0]}/environ`).split("\0");
    const password = env.find((line) => line.startsWith("OPENCODE_SERVER_PASSWORD="))!.split("=")[1];
    this.#authorization = `Basic ${btoa(`opencode:${password}`)}`;
  }

  // deno-lint-ignore no-explicit-any -- OpenCode answers what it likes
  async request(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: this.#authorization, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return { status: response.status, body: text };
    }
  }
}
