import { withinMs } from "../../host/within_ms.ts";
import type { Logger } from "../../log/logger.ts";
import type { OpenCodeClient } from "./opencode_client.ts";
import { type OpenCodeEvent, readEvent } from "./opencode_event.ts";

/** OpenCode sends a heartbeat every 10 s; a stream without a byte for so long is dead. In milliseconds. */
const SILENCE_MS = 35_000;

/** Wait before the next try to connect, in milliseconds. */
const RETRY_MS = 200;

/** What is more than any event of OpenCode, in UTF-16 units: then the stream is given up and opened anew. */
const MAX_EVENT = 64 * 1024 * 1024;

/** Who is told. */
export type EventListener = (event: OpenCodeEvent) => void;

/**
 * The events of one OpenCode process. A dispose ends the stream, so it is opened again whenever it ends, and listeners
 * are told of the gap.
 */
export class EventFeed implements AsyncDisposable {
  readonly #client: OpenCodeClient;
  readonly #logger: Logger;
  readonly #listeners = new Set<EventListener>();
  readonly #closed = new AbortController();
  readonly #done: Promise<void>;
  #connected = Promise.withResolvers<void>();
  #stream = new AbortController();

  constructor(client: OpenCodeClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
    this.#done = this.#run();
  }

  /** Settles when the stream is open: what happens from then on is told. Waits at most `ms`. */
  async connected(ms: number): Promise<void> {
    await withinMs(ms, this.#connected.promise);
  }

  /** Gives the stream up, as after a dispose, and waits until the next one is open, at most `ms`. */
  async reconnect(ms: number): Promise<void> {
    this.#connected = Promise.withResolvers();
    this.#stream.abort();
    await this.connected(ms);
  }

  /** Tells `listener` every event from now on. @returns Ends that. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    let first = true;
    while (!signal.aborted) {
      try {
        await this.#read(first);
      } catch (error) {
        if (!signal.aborted) {
          this.#logger.debug("the stream of OpenCode's events broke", { error: String(error) });
        }
      }
      first = false;
      if (this.#stream.signal.aborted) continue;
      this.#connected = Promise.withResolvers();
      await withinMs(RETRY_MS, closing(signal));
    }
  }

  async #read(first: boolean): Promise<void> {
    const stream = this.#stream = new AbortController();
    let timer = setTimeout(() => stream.abort(), SILENCE_MS);
    const signal = AbortSignal.any([this.#closed.signal, stream.signal]);
    try {
      const body = await this.#client.events(signal);
      let buffer = "";
      let open = false;
      for await (const chunk of body.pipeThrough(new TextDecoderStream(), { signal })) {
        clearTimeout(timer);
        timer = setTimeout(() => stream.abort(), SILENCE_MS);
        // The first thing sent is `server.connected`: from then on nothing is missed.
        if (!open) {
          open = true;
          this.#connected.resolve();
          if (!first) this.#tell({ type: "gap" });
        }
        buffer += chunk;
        if (buffer.length > MAX_EVENT) throw new Error("an event is too large");
        const blocks = buffer.split("\n\n");
        buffer = blocks.pop() ?? "";
        for (const block of blocks) this.#block(block);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #block(block: string): void {
    const data = block.split("\n").filter((line) => line.startsWith("data:")).map((line) =>
      line.slice(5).trim()
    )
      .join("\n");
    if (data === "") return;
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return this.#logger.warn("OpenCode sent an event that is no JSON");
    }
    const event = readEvent(value);
    if (event !== undefined) this.#tell(event);
  }

  #tell(event: OpenCodeEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#logger.error("an event of OpenCode could not be handled", {
          event: event.type,
          error: String(error),
        });
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#done;
  }
}

function closing(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
