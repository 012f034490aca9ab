/** One reader of the events; it must never be able to hold up the daemon or fill its memory. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends `text`, or keeps it until the reader takes it. */
  send(text: string): void;
  /** Sends what is kept, then ends. */
  close(): void;
}

/** Options of {@link eventStream}. */
export interface EventStreamOptions {
  /** Sent before everything else, and kept however long it is. */
  first: string;
  /** Unread text beyond which nothing more is kept, in UTF-16 units: one event may be longer than that by itself. */
  maxPending: number;
  /** What a reader that is too slow gets as its last words. */
  notice: string;
  /** Called once, when the stream ended, however it did. `slow` = it was ended because nobody read. */
  onEnd: (slow: boolean) => void;
}

/** A stream of text with a bounded buffer: a reader that falls behind it is dropped, with a notice. */
export function eventStream({ first, maxPending, notice, onEnd }: EventStreamOptions): EventStream {
  const encoder = new TextEncoder();
  let pending: string[] = [first];
  let size = 0;
  let wanted = false;
  let state: "open" | "closing" | "closed" = "open";
  let controller: ReadableStreamDefaultController<Uint8Array>;

  function end(slow: boolean): void {
    if (state === "open") onEnd(slow);
    state = "closing";
    flush();
  }

  function flush(): void {
    if (!wanted || state === "closed") return;
    if (pending.length > 0) {
      wanted = false;
      controller.enqueue(encoder.encode(pending.join("")));
      pending = [];
      size = 0;
    }
    if (state === "closing") {
      state = "closed";
      controller.close();
    }
  }

  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    pull() {
      wanted = true;
      flush();
    },
    cancel() {
      if (state === "open") onEnd(false);
      state = "closed";
      pending = [];
    },
  }, { highWaterMark: 0 });

  return {
    body,
    send(text) {
      if (state !== "open") return;
      if (size > maxPending) {
        // What was kept is of no use without what is missing, and it is what fills the memory.
        pending = [notice];
        return end(true);
      }
      pending.push(text);
      size += text.length;
      flush();
    },
    close: () => end(false),
  };
}
