import type { SessionEvent } from "../../sessions/types.ts";

/** Names of the events; others (a daemon may be newer) are passed over. */
const TYPES: ReadonlySet<string> = new Set<SessionEvent["type"]>([
  "snapshot",
  "message",
  "text",
  "tool",
  "question",
  "answer",
  "turn_end",
]);

/**
 * The events in a body of server-sent events (WHATWG HTML, 9.2), each as soon as it is complete.
 *
 * It ends when the body does, or when nothing, not even a heartbeat, came for `idleMs`: the reader then asks whether
 * the daemon is still there.
 *
 * @param options.idleMs Milliseconds; default a minute, four heartbeats.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { idleMs = 60_000 }: { idleMs?: number } = {},
): AsyncGenerator<SessionEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (true) {
      const value = await withinMs(reader.read().then((read) => read.value), idleMs);
      if (value === undefined) return;
      // A line may end in any of the three ways; a CR at the end of a chunk may be the first half of one.
      const text = rest + value;
      const end = text.endsWith("\r") ? text.length - 1 : text.length;
      const blocks = text.slice(0, end).replace(/\r\n?/g, "\n").split("\n\n");
      rest = (blocks.pop() ?? "") + text.slice(end);
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    // Not waited for: the other end may be gone.
    reader.cancel().catch(() => {});
  }
}

function eventOf(block: string): SessionEvent | undefined {
  let type = "";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") type = value;
    else if (field === "data") data.push(value);
  }
  if (!TYPES.has(type) || data.length === 0) return undefined;
  return { ...JSON.parse(data.join("\n")), type } as SessionEvent;
}

/** `work`, or nothing after `ms`. */
async function withinMs<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, ms, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
