import assert from "node:assert/strict";
import type { Message } from "@earendil-works/pi-ai";
import { PROVIDERS } from "../../models/providers.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import { type LoopOptions, runLoop } from "./loop.ts";

/** A request as a server of this test got it. */
interface Got {
  path: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look into any body
  body: any;
}

/** A server that answers each request with the next of `answers`. */
function serve(answers: (() => Response)[]): { url: string; got: Got[]; server: Deno.HttpServer } {
  const got: Got[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    got.push({ path: pathname + search, headers: request.headers, body: await request.json() });
    return answers.shift()?.() ?? new Response("no more", { status: 400 });
  });
  return { url: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`, got, server };
}

function events(...all: Record<string, unknown>[]): () => Response {
  const text = all.map((data) =>
    `${data.type ? `event: ${data.type}\n` : ""}data: ${JSON.stringify(data)}\n\n`
  );
  return () => new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** A message of Anthropic's API with one block, in the pieces it is streamed in. */
function anthropic(
  block: Record<string, unknown>,
  delta: Record<string, unknown>,
  stop: string,
): () => Response {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return events(
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        usage,
      },
    },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: "message_stop" },
  );
}

function endpoint(api: ModelEndpoint["api"], baseUrl: string, apiKey = "the-key"): ModelEndpoint {
  return {
    ref: "anthropic/claude-sonnet-4-5",
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    api,
    baseUrl,
    apiKey,
  };
}

const SCHEMA = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string", pattern: "^A-" } },
  not: { required: ["no"] },
  title: "T",
};

function options(given: Partial<LoopOptions> & Pick<LoopOptions, "endpoint">): LoopOptions {
  return {
    system: "You are tested.",
    tools: [
      { name: "echo", description: "Says it again.", parameters: SCHEMA },
      { name: "one_of", description: "", parameters: { type: "object", anyOf: [{ required: ["a"] }] } },
    ],
    messages: [],
    prompt: "go",
    session: "s1",
    signal: new AbortController().signal,
    silenceMs: 5000,
    callId: (id) => id,
    call: (_id, _tool, args) => Promise.resolve(JSON.stringify(args)),
    events: { message: () => {}, callStart: () => {}, callEnd: () => {} },
    ...given,
  };
}

Deno.test("runLoop: Anthropic's own protocol, the schema unchanged where its API takes it", async () => {
  const { url, got, server } = serve([
    anthropic(
      { type: "tool_use", id: "toolu_1", name: "echo", input: {} },
      { type: "input_json_delta", partial_json: '{"id": 5}' },
      "tool_use",
    ),
    anthropic({ type: "text", text: "" }, { type: "text_delta", text: "done" }, "end_turn"),
  ]);
  const messages: Message[] = [];
  const text = await runLoop(options({ endpoint: endpoint("anthropic-messages", `${url}/v1`), messages }));
  await server.shutdown();
  assert.equal(text, "done");
  assert.deepEqual(got.map(({ path }) => path.replace(/\?.*/, "")), ["/v1/messages", "/v1/messages"]);
  const [first, second] = got;
  assert.equal(first?.headers.get("x-api-key"), "the-key");
  assert.equal(JSON.stringify(first?.body.tools[0].input_schema), JSON.stringify(SCHEMA));
  // A root `anyOf` is an error for the whole request there.
  assert.equal(first?.body.tools[1].input_schema.anyOf, undefined);
  assert.ok(first?.body.max_tokens > 1000);
  assert.match(JSON.stringify(first?.body.system), /You are tested\./);
  assert.match(JSON.stringify(second?.body.messages.at(-1)), /tool_result.*toolu_1.*\{\\"id\\":5\}/);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "toolResult", "assistant"]);
});

Deno.test("runLoop: a server without a key is sent none; nothing but what every server takes is in a request", async () => {
  const chunk = (delta: unknown, finish_reason: string | null) => ({
    id: "1",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const { url, got, server } = serve([events(chunk({ content: "hi" }, null), chunk({}, "stop"))]);
  await runLoop(options({ endpoint: endpoint("openai-completions", `${url}/api`, "") }));
  await server.shutdown();
  const [request] = got;
  assert.equal(request?.path, "/api/chat/completions");
  assert.equal(request?.headers.get("authorization"), null);
  assert.deepEqual(Object.keys(request?.body).sort(), [
    "messages",
    "model",
    "stream",
    "stream_options",
    "tools",
  ]);
  assert.deepEqual(request?.body.messages[0], { role: "system", content: "You are tested." });
});

Deno.test("runLoop: an answer that ends without its end is an error, not an answer", async () => {
  const { url, server } = serve([
    events({ id: "1", choices: [{ index: 0, delta: { content: "ha" }, finish_reason: null }] }),
  ]);
  await assert.rejects(runLoop(options({ endpoint: endpoint("openai-completions", url) })), {
    code: "model_failed",
    message: /can't be used/,
  });
  await server.shutdown();
});

Deno.test("runLoop: an answer that is no stream of events is an error", async () => {
  for (const body of ["<html>Sign in</html>", '{"ok":true}', "", "data: {not json}\n\n"]) {
    const { url, server } = serve([() => new Response(body, { headers: { "content-type": "text/html" } })]);
    await assert.rejects(runLoop(options({ endpoint: endpoint("openai-completions", url) })), {
      code: "model_failed",
    });
    await server.shutdown();
  }
});

Deno.test("runLoop: calls of a message that was cut by its length are not run", async () => {
  const call = { index: 0, id: "c1", type: "function", function: { name: "echo", arguments: '{"id": "A-1' } };
  const chunk = (delta: unknown, finish_reason: string | null) => ({
    id: "1",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const { url, got, server } = serve([
    events(chunk({ tool_calls: [call] }, null), chunk({}, "length")),
    events(chunk({ content: "ok" }, null), chunk({}, "stop")),
  ]);
  await runLoop(options({
    endpoint: endpoint("openai-completions", url),
    call: () => Promise.reject(new Error("must not run")),
  }));
  await server.shutdown();
  assert.match(got[1]?.body.messages.at(-1).content, /was not executed/);
});

Deno.test("providers: those of Anthropic's protocol have the /v1 that the library adds itself", () => {
  const own = Object.values(PROVIDERS).filter(({ api }) => api === "anthropic-messages");
  assert.ok(own.length > 0 && own.every(({ baseUrl }) => baseUrl.endsWith("/v1")));
});
