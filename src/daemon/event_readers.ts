import { BeeuniError } from "../errors/error.ts";
import { type EventStream, eventStream } from "./event_stream.ts";

/** Options of {@link EventReaders}. */
export interface EventReadersOptions {
  /** Readers at once; default 100. */
  maxReaders?: number;
  /** Unread text kept per reader, in UTF-16 units; default 1 MiB. */
  maxPending?: number;
  /** Milliseconds between two heartbeats; default 15,000. */
  heartbeatMs?: number;
}

/** Options of {@link EventReaders.connect}. */
export interface EventReaderOptions {
  /** Events that it gets before everything else, however long they are. */
  first?: string;
  /** Called once, however its stream ended. */
  onEnd?: () => void;
}

/** A reader that is connected. */
export interface EventReader {
  /** Its server-sent events. */
  readonly response: Response;
  /** Sends one event. */
  send(type: string, data: unknown, id?: number): void;
  /** Sends what is kept, then ends. */
  close(): void;
}

const HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };
const HEARTBEAT = ": heartbeat\n\n";

/** Clients that read server-sent events: bounded, kept alive, and dropped with a notice when they read too slowly. */
export class EventReaders {
  readonly #maxReaders: number;
  readonly #maxPending: number;
  readonly #heartbeatMs: number;
  readonly #streams = new Set<EventStream>();
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #dropped = 0;
  #closed = false;

  constructor(
    { maxReaders = 100, maxPending = 1024 * 1024, heartbeatMs = 15_000 }: EventReadersOptions = {},
  ) {
    this.#maxReaders = maxReaders;
    this.#maxPending = maxPending;
    this.#heartbeatMs = heartbeatMs;
  }

  /** How many read now, and how many were dropped because they read too slowly. */
  get stats(): { readers: number; dropped: number } {
    return { readers: this.#streams.size, dropped: this.#dropped };
  }

  /**
   * A new reader.
   *
   * @throws {BeeuniError} `queue_full` when there are too many, `stopping` after {@link close}.
   */
  connect({ first = "", onEnd = () => {} }: EventReaderOptions = {}): EventReader {
    if (this.#closed) throw new BeeuniError("stopping", "the daemon is stopping.");
    if (this.#streams.size >= this.#maxReaders) {
      throw new BeeuniError("queue_full", `${this.#maxReaders} clients read the events already.`);
    }
    const stream = eventStream({
      first: `: beeuni events\n\n${first}`,
      maxPending: this.#maxPending,
      notice: eventText("dropped", { reason: "events were not read fast enough" }),
      onEnd: (slow) => {
        if (slow) this.#dropped++;
        this.#remove(stream);
        onEnd();
      },
    });
    this.#streams.add(stream);
    // A reader whose machine vanished is noticed only by writing to it.
    this.#heartbeat ??= setInterval(() => this.sendAll(HEARTBEAT), this.#heartbeatMs);
    return {
      response: new Response(stream.body, { headers: HEADERS }),
      send: (type, data, id) => stream.send(eventText(type, data, id)),
      close: () => stream.close(),
    };
  }

  /** Sends a text to every reader. */
  sendAll(text: string): void {
    for (const stream of [...this.#streams]) stream.send(text);
  }

  /** Ends every stream; no new ones are taken. */
  close(): void {
    this.#closed = true;
    for (const stream of [...this.#streams]) stream.close();
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

/** The answer to a HEAD request for events: it has no reader, so a stream for it would stay open for good. */
export function eventHeaders(): Response {
  return new Response(null, { headers: HEADERS });
}

/** One server-sent event. */
export function eventText(type: string, data: unknown, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
