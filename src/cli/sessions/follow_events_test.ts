import assert from "node:assert/strict";
import type { DaemonClient } from "../../daemon/client.ts";
import { BeeuniError } from "../../errors/error.ts";
import { followEvents } from "./follow_events.ts";

const SESSION = { id: "ses_1", agent: "a", harness: "standard", created: "", updated: "", title: "" };
const MESSAGES = [{ id: "m", role: "user", created: "", text: "go", tools: [] }];

/** A daemon that refuses as many followers as it is told, and whose session ends after some more questions for it. */
function daemon(refused: number): DaemonClient {
  let asked = 0;
  return {
    url: "http://127.0.0.1:1",
    pid: 1,
    version: "0",
    request: (_method, path) =>
      Promise.resolve(
        path.endsWith("/messages")
          ? { messages: MESSAGES }
          : { session: { ...SESSION, state: asked > 6 ? "completed" : "running", questions: [] } },
      ),
    stream: () => {
      if (asked++ < refused) {
        return Promise.reject(new BeeuniError("queue_full", "100 clients read already."));
      }
      const end = JSON.stringify({ type: "turn_end", state: "completed" });
      return Promise.resolve(new Response(`event: turn_end\ndata: ${end}\n\n`).body!);
    },
  };
}

Deno.test("where a daemon takes no more followers, the session is asked for until there is room", async () => {
  const types: string[] = [];
  const { signal } = new AbortController();
  const find = () => Promise.resolve(daemons);
  const daemons = daemon(6);
  for await (const event of followEvents({ find, session: "ses_1", signal, pollMs: 1 })) {
    types.push(event.type === "snapshot" ? `${event.session.state} ${event.messages.length}` : event.type);
    if (event.type === "turn_end") break;
  }
  assert.deepEqual(types, [...Array.from({ length: 6 }, () => "running 1"), "turn_end"]);
});

Deno.test("a turn that ends while there is no room is told too, and the signal ends the wait", async () => {
  const busy = daemon(Infinity);
  const find = () => Promise.resolve(busy);
  const { signal } = new AbortController();
  for await (const event of followEvents({ find, session: "ses_1", signal, pollMs: 1 })) {
    if (event.type === "snapshot" && event.session.state === "completed") break;
  }
  const stop = new AbortController();
  const waiting = (async () => {
    for await (const _ of followEvents({ find, session: "ses_1", signal: stop.signal, pollMs: 60_000 })) {
      stop.abort(new Error("left"));
    }
  })();
  await assert.rejects(waiting);
});
