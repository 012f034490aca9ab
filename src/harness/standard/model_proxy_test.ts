import assert from "node:assert/strict";
import { proxyModel } from "./model_proxy.ts";

const KEY = "sk-real-key-0123456789";

interface Seen {
  path: string;
  headers: Headers;
  body: string;
  signal: AbortSignal;
}

/** A provider on a port of its own, and OpenCode's requests to it. */
function makeProvider(
  answer: (seen: Seen) => Response | Promise<Response>,
  variables: Record<string, string> = {},
) {
  const seen: Seen[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const one = {
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: await request.text(),
      signal: request.signal,
    };
    seen.push(one);
    return await answer(one);
  });
  const url = `http://127.0.0.1:${server.addr.port}/v1`;
  const env: Record<string, string> = { BEEUNI_MODEL_BASE_URL: url, BEEUNI_MODEL_API_KEY: KEY, ...variables };
  const sources = { env: (name: string) => env[name] || undefined, secret: () => undefined };
  return {
    seen,
    url,
    sources,
    send(
      body: unknown,
      options: { path?: string; method?: string; signal?: AbortSignal; silenceMs?: number } = {},
    ) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const method = options.method ?? "POST";
      const request = new Request("http://daemon/beeuni/models/openai/chat/completions", {
        method,
        headers: {
          authorization: "Bearer plugin-token",
          "x-api-key": "plugin-token",
          cookie: "a=b",
          "content-type": "application/json",
          "content-length": String(text.length),
        },
        ...method === "POST" && { body: text },
        ...options.signal && { signal: options.signal },
      });
      return proxyModel(request, "openai", options.path ?? "chat/completions", {
        sources,
        ...options.silenceMs !== undefined && { silenceMs: options.silenceMs },
      });
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function messageOf(response: Response): Promise<string> {
  const { error } = await response.json() as { error: { message: string } };
  return error.message;
}

Deno.test("model proxy: the request goes on as it is, with the real key in the place of the plugin's", async () => {
  await using provider = makeProvider(() => Response.json({ ok: true }, { headers: { "x-other": "1" } }));
  const text = '{"model":"gpt/x",  "tools":[{"a":1.0}]}';
  const response = await provider.send(text);
  assert.deepEqual([response.status, await response.json()], [200, { ok: true }]);
  const { path, headers, body } = provider.seen[0]!;
  assert.deepEqual([path, body], ["/v1/chat/completions", text]);
  assert.equal(headers.get("authorization"), `Bearer ${KEY}`);
  for (const name of ["x-api-key", "cookie"]) assert.equal(headers.get(name), null);
});

Deno.test("model proxy: a server that needs no key gets none", async () => {
  await using provider = makeProvider(() => Response.json({}), { BEEUNI_MODEL_API_KEY: "" });
  await (await provider.send({ model: "m" })).body?.cancel();
  assert.equal(provider.seen[0]!.headers.get("authorization"), null);
});

Deno.test("model proxy: each part of the answer comes when the provider sends it", async () => {
  const next = Promise.withResolvers<void>();
  await using provider = makeProvider(() => {
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode("data: one\n\n"));
        await next.promise;
        controller.enqueue(encoder.encode("data: two\n\n"));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const response = await provider.send({ model: "m", stream: true });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, "data: one\n\n");
  next.resolve();
  assert.equal((await reader.read()).value, "data: two\n\n");
  assert.equal((await reader.read()).done, true);
});

Deno.test("model proxy: hangs up on the provider when OpenCode hangs up, before the answer and within it", async () => {
  for (const begun of [false, true]) {
    const gone = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const over = new AbortController();
    await using provider = makeProvider(({ signal }) => {
      signal.addEventListener("abort", () => gone.resolve());
      arrived.resolve();
      if (!begun) return new Promise((resolve) => gone.promise.then(() => resolve(new Response())));
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
        cancel: () => gone.resolve(),
      });
      return new Response(body);
    });
    const sent = provider.send({ model: "m" }, { signal: over.signal });
    await arrived.promise;
    if (begun) {
      const reader = (await sent).body!.getReader();
      await reader.read();
      await reader.cancel();
    } else {
      over.abort();
      assert.equal((await sent).status, 499);
    }
    await gone.promise;
  }
});

Deno.test("model proxy: failures are said in the providers' form, without the key", async () => {
  const echo = `Incorrect API key provided: ${KEY}`;
  const rows: [answer: () => Response, status: number, message: RegExp][] = [
    [
      () => Response.json({ error: { message: echo } }, { status: 401 }),
      401,
      /refused the key in BEEUNI_MODEL_API_KEY/,
    ],
    [
      () => Response.json({ error: { message: echo } }, { status: 400 }),
      400,
      /refused the request.*provided: \*\*\*/,
    ],
    [() => Response.json({ error: { message: "slow down" } }, { status: 429 }), 429, /slow down/],
    [() => new Response("<html>bad gateway</html>", { status: 502 }), 502, /failed \(HTTP 502\)/],
    [
      () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }),
      502,
      /HTTP 302/,
    ],
  ];
  for (const [answer, status, message] of rows) {
    await using provider = makeProvider(answer);
    const response = await provider.send({ model: "m" });
    assert.equal(response.status, status);
    const said = await messageOf(response);
    assert.match(said, message);
    assert.ok(!said.includes(KEY), said);
    assert.equal(provider.seen.length, 1);
  }
});

Deno.test("model proxy: when to ask again is told", async () => {
  await using provider = makeProvider(() =>
    Response.json({}, { status: 429, headers: { "retry-after": "7" } })
  );
  const response = await provider.send({ model: "m" });
  await response.body?.cancel();
  assert.equal(response.headers.get("retry-after"), "7");
});

Deno.test("model proxy: a provider that is not there, or silent", async () => {
  await using provider = makeProvider(({ signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(new Response())))
  );
  const silent = await provider.send({ model: "m" }, { silenceMs: 50 });
  assert.equal(silent.status, 504);
  assert.match(await messageOf(silent), /sent nothing for/);
  const sources = {
    env: (name: string) => name === "BEEUNI_MODEL_BASE_URL" ? "http://127.0.0.1:1/v1" : undefined,
  };
  const body = '{"model":"m"}';
  const request = new Request("http://d/x", {
    method: "POST",
    body,
    headers: { "content-length": String(body.length) },
  });
  const gone = await proxyModel(request, "openai", "chat/completions", {
    sources: { ...sources, secret: () => undefined },
  });
  assert.equal(gone.status, 502);
  assert.match(await messageOf(gone), /can't be reached/);
});

Deno.test("model proxy: silence within the answer ends it", async () => {
  await using provider = makeProvider(({ signal }) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("data: x\n\n"));
        signal.addEventListener("abort", () => controller.close());
      },
    });
    return new Response(body);
  });
  const response = await provider.send({ model: "m" }, { silenceMs: 100 });
  await assert.rejects(response.text());
});

Deno.test("model proxy: requests that name no model, another route, or a provider without a key", async () => {
  await using provider = makeProvider(() => Response.json({}));
  const rows: [body: unknown, options: { path?: string; method?: string }, status: number][] = [
    ["{", {}, 400],
    [{}, {}, 400],
    [{ model: 3 }, {}, 400],
    [{ model: "m" }, { path: "messages" }, 404],
    [{ model: "m" }, { path: "../files" }, 404],
    [{ model: "m" }, { path: "chat/completions/" }, 404],
  ];
  for (const [body, options, status] of rows) {
    const response = await provider.send(body, options);
    assert.equal(response.status, status, JSON.stringify([body, options]));
    assert.notEqual(await messageOf(response), "");
  }
  assert.equal(provider.seen.length, 0);
  const request = new Request("http://d/x", {
    method: "POST",
    body: '{"model":"m"}',
    headers: { "content-length": "13" },
  });
  const nothing = { env: () => undefined, secret: () => undefined };
  const missing = await proxyModel(request, "openai", "chat/completions", { sources: nothing });
  assert.equal(missing.status, 409);
  assert.match(await messageOf(missing), /OPENAI_API_KEY/);
});
