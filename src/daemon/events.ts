import { EventReaders, type EventReadersOptions, eventText } from "./event_readers.ts";
import type { PublicEvent } from "./public_event.ts";

/** Sends what happens to everybody who reads `/beeuni/events` (server-sent events). */
export class Events {
  readonly #readers: EventReaders;
  #id = 0;

  constructor(options: EventReadersOptions = {}) {
    this.#readers = new EventReaders(options);
  }

  /** How many read now, and how many were dropped because they read too slowly. */
  get stats(): { readers: number; dropped: number } {
    return this.#readers.stats;
  }

  /**
   * Sends one event to every reader.
   *
   * @param event Makes it; not called without readers.
   */
  publish(event: () => PublicEvent): void {
    if (this.#readers.stats.readers === 0) return;
    const { type, data } = event();
    this.#readers.sendAll(eventText(type, data, ++this.#id));
  }

  /**
   * A new reader.
   *
   * @throws {BeeuniError} `queue_full` when there are too many, `stopping` after {@link close}.
   */
  connect(): Response {
    return this.#readers.connect().response;
  }

  /** Ends every stream; no new ones are taken. */
  close(): void {
    this.#readers.close();
  }
}
