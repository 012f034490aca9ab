import { BeeuniError } from "../../errors/error.ts";

/** Longest wait for an answer of OpenCode, in milliseconds: the first request to a folder sets it up. */
const REQUEST_MS = 60_000;

/** Options of {@link OpenCodeClient.request}. */
export interface OpenCodeRequest {
  body?: unknown;
  signal?: AbortSignal;
  /** Default 60 s. */
  timeoutMs?: number;
}

/** An answer of OpenCode other than 2xx. */
export class OpenCodeRefusal extends Error {
  override readonly name = "OpenCodeRefusal";
  readonly status: number;

  constructor(path: string, status: number, said: string) {
    super(`OpenCode answered ${status} to ${path}: ${said.slice(0, 500)}`);
    this.status = status;
  }
}

/** OpenCode's HTTP server: Basic authentication, and a deadline on every request. */
export class OpenCodeClient {
  readonly #base: string;
  readonly #authorization: string;

  /** @param base Its address without a final `/`. */
  constructor(base: string, password: string) {
    this.#base = base;
    this.#authorization = `Basic ${btoa(`opencode:${password}`)}`;
  }

  /**
   * Sends a request and reads the answer's JSON; `undefined` for an answer without one.
   *
   * @throws {OpenCodeRefusal} For an answer that is no success.
   * @throws {BeeuniError} `harness_failed` when it does not answer; what `signal` was aborted with.
   */
  async request(method: string, path: string, options: OpenCodeRequest = {}): Promise<unknown> {
    const { body, signal, timeoutMs = REQUEST_MS } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(this.#base + path, {
        method,
        headers: { authorization: this.#authorization, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      const text = await response.text();
      if (!response.ok) throw new OpenCodeRefusal(path, response.status, text);
      return parsed(text);
    } catch (error) {
      if (error instanceof OpenCodeRefusal) throw error;
      signal?.throwIfAborted();
      const why = deadline.aborted ? `within ${timeoutMs / 1000} s` : "any more";
      throw new BeeuniError("harness_failed", `OpenCode did not answer ${why}`, {
        hint: "send the prompt again",
        cause: error,
      });
    }
  }

  /** Opens the stream of events. @throws As {@link request}; its body has no deadline. */
  async events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await fetch(`${this.#base}/event`, {
      headers: { authorization: this.#authorization },
      signal,
    });
    if (!response.ok || response.body === null) {
      throw new OpenCodeRefusal("/event", response.status, await response.text());
    }
    return response.body;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
