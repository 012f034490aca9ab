import { BeeuniError } from "../errors/error.ts";
import { type EventStream, eventStream } from "./event_stream.ts";
import type { PublicEvent } from "./public_event.ts";

/** Options of {@link Events}. */
export interface EventsOptions {
  /** Readers at once; default 100. */
  maxReaders?: number;
  /** Unread text kept per reader, in UTF-16 units; default 1 MiB. */
  maxPending?: number;
  /** Milliseconds between two heartbeats; default 15,000. */
  heartbeatMs?: number;
}

const HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };
const HEARTBEAT = ": heartbeat\n\n";

/** Sends what happens to everybody who reads `/beeuni/events` (server-sent events). */
export class Events {
  readonly #maxReaders: number;
  readonly #maxPending: number;
  readonly #heartbeatMs: number;
  readonly #readers = new Set<EventStream>();
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #id = 0;
  #dropped = 0;
  #closed = false;

  constructor({ maxReaders = 100, maxPending = 1024 * 1024, heartbeatMs = 15_000 }: EventsOptions = {}) {
    this.#maxReaders = maxReaders;
    this.#maxPending = maxPending;
    this.#heartbeatMs = heartbeatMs;
  }

  /** How many read now, and how many were dropped because they read too slowly. */
  get stats(): { readers: number; dropped: number } {
    return { readers: this.#readers.size, dropped: this.#dropped };
  }

  /**
   * Sends one event to every reader.
   *
   * @param event Makes it; not called without readers.
   */
  publish(event: () => PublicEvent): void {
    if (this.#readers.size === 0) return;
    const { type, data } = event();
    this.#send(`id: ${++this.#id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /**
   * A new reader.
   *
   * @throws {BeeuniError} `queue_full` when there are too many, `stopping` after {@link close}.
   */
  connect(): Response {
    if (this.#closed) throw new BeeuniError("stopping", "the daemon is stopping.");
    if (this.#readers.size >= this.#maxReaders) {
      throw new BeeuniError("queue_full", `${this.#maxReaders} clients read the events already.`);
    }
    const stream = eventStream({
      maxPending: this.#maxPending,
      notice: `event: dropped\ndata: ${JSON.stringify({ reason: "events were not read fast enough" })}\n\n`,
      onEnd: (slow) => {
        if (slow) this.#dropped++;
        this.#remove(stream);
      },
    });
    this.#readers.add(stream);
    // A reader whose machine vanished is noticed only by writing to it.
    this.#heartbeat ??= setInterval(() => this.#send(HEARTBEAT), this.#heartbeatMs);
    stream.send(": beeuni events\n\n");
    return new Response(stream.body, { headers: HEADERS });
  }

  /** Ends every stream; no new ones are taken. */
  close(): void {
    this.#closed = true;
    for (const reader of [...this.#readers]) reader.close();
  }

  #send(text: string): void {
    for (const reader of [...this.#readers]) reader.send(text);
  }

  #remove(reader: EventStream): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}
