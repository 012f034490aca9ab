import assert from "node:assert/strict";
import { type AnswerLimits, modelFetch } from "./model_fetch.ts";

const LIMITS: AnswerLimits = { bytes: 1024 * 1024, ms: 60_000 };

/** A server whose answer is `body`, pulled as it is read; tells how its stream ended. */
async function served(
  piece: () => string | undefined | Promise<string | undefined>,
  ask: (url: string) => Promise<void>,
): Promise<{ cancelled: boolean }> {
  const seen = { cancelled: false };
  const encoder = new TextEncoder();
  const over = Promise.withResolvers<void>();
  const body = () =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const text = await piece();
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
        controller.close();
        over.resolve();
      },
      cancel() {
        seen.cancelled = true;
        over.resolve();
      },
    });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(body(), { headers: { "content-type": "text/event-stream" } }),
  );
  await ask(`http://127.0.0.1:${server.addr.port}/`);
  await over.promise;
  return seen;
}

Deno.test("an answer without an end is given up, whatever it is made of", async () => {
  const kinds = {
    "events": `data: {"choices":[]}\n\n`.repeat(1000),
    "one line": "x".repeat(20_000),
    "comments": ": ping\n\n".repeat(3000),
  };
  for (const [kind, piece] of Object.entries(kinds)) {
    const http = modelFetch(60_000, LIMITS);
    const { cancelled } = await served(() => piece, async (url) => {
      const response = await http.fetch(url);
      await assert.rejects(response.text(), { message: "it is longer than 1 MiB" }, kind);
    });
    assert.deepEqual(http.failure(), { kind: "answer", reason: "it is longer than 1 MiB" }, kind);
    assert.ok(cancelled, `${kind}: the connection is closed`);
  }
});

Deno.test("comments keep an answer alive, but not for ever", async () => {
  const http = modelFetch(60_000, { ...LIMITS, ms: 0 });
  await served(() => ": still thinking\n\n", async (url) => {
    const response = await http.fetch(url);
    await assert.rejects(response.text(), { message: "it was not over after 0 minutes" });
  });
  assert.deepEqual(http.failure(), { kind: "answer", reason: "it was not over after 0 minutes" });
});

Deno.test("an answer within its limits is whole", async () => {
  const http = modelFetch(60_000, LIMITS);
  let left = 50;
  await served(() => left-- > 0 ? "x".repeat(20_000) : undefined, async (url) => {
    assert.equal((await (await http.fetch(url)).text()).length, 1_000_000);
  });
  assert.equal(http.failure(), undefined);
});

Deno.test("a reader that leaves in the midst of an answer makes it no failure", async () => {
  const http = modelFetch(60_000, LIMITS);
  const more = Promise.withResolvers<void>();
  let first = true;
  await served(async () => {
    if (first) {
      first = false;
      return "first";
    }
    await more.promise;
    return "second";
  }, async (url) => {
    const reader = (await http.fetch(url)).body!.getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), "first");
    // The next piece is being waited for by now.
    await reader.cancel();
    more.resolve();
  });
  assert.equal(http.failure(), undefined);
});
