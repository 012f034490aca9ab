import assert from "node:assert/strict";
import { FakeProvider, recorded, type SeenRequest } from "../../fixtures/providers/fake_provider.ts";
import { type ToolContext, toolContext } from "../../fixtures/providers/tool_context.ts";
import tool from "./web_search.ts";

const ANSWER = JSON.parse(recorded("tavily/search.json"));

function context(server: FakeProvider, given: Partial<ToolContext> = {}): ToolContext {
  return toolContext({ env: { TAVILY_API_KEY: "tvly-key", TAVILY_BASE_URL: server.url }, ...given });
}

function queryOf(request: SeenRequest): unknown {
  return (request.body as { query: unknown }).query;
}

Deno.test("one query: the request and every field of the output", async () => {
  await using server = await FakeProvider.start([{ json: ANSWER }]);
  const output = await tool.execute({ query: "  Who is Leo Messi? " }, context(server));
  assert.deepEqual(server.requests[0]?.body, {
    query: "Who is Leo Messi?",
    search_depth: "basic",
    topic: "general",
    max_results: 5,
    include_answer: true,
    include_images: true,
    include_image_descriptions: true,
  });
  assert.deepEqual(output, {
    query: "Who is Leo Messi?",
    success: true,
    answer: "Lionel Messi, born in 1987, is an Argentine footballer.",
    results: [{
      title: "Lionel Messi Facts",
      url: "https://facts.example.com/lionel-messi",
      snippet: "Lionel Messi is one of the best paid footballers in the world.",
      score: 0.81025416,
      published_date: "",
    }, {
      title: "Messi wins again",
      url: "https://news.example.com/messi",
      snippet: "He scored twice.",
      score: 0.79,
      published_date: "Tue, 24 Nov 2026 08:00:00 GMT",
    }],
    images: [
      { url: "https://images.example.com/messi.jpg", description: "A footballer in a blue and white shirt" },
      { url: "https://images.example.com/cup.jpg", description: "A golden trophy" },
    ],
    response_time_ms: 1670,
  });
});

Deno.test("what an answer lacks is an empty text, 0 or an empty list", async () => {
  const cases: [unknown, Record<string, unknown>][] = [
    [{}, { success: false, answer: "", results: [], images: [], response_time_ms: 0 }],
    [{ answer: null, results: null, images: null, response_time: null }, {
      success: false,
      answer: "",
      results: [],
      images: [],
      response_time_ms: 0,
    }],
    [{ answer: "Yes.", results: [] }, {
      success: true,
      answer: "Yes.",
      results: [],
      images: [],
      response_time_ms: 0,
    }],
    [{ results: [{}, null], images: ["https://a.example/1.png", null, {}], response_time: "1.5" }, {
      success: true,
      answer: "",
      results: [{ title: "", url: "", snippet: "", score: 0, published_date: "" }],
      images: [{ url: "https://a.example/1.png", description: "" }, { url: "", description: "" }],
      response_time_ms: 1500,
    }],
  ];
  for (const [json, expected] of cases) {
    await using server = await FakeProvider.start([{ json }]);
    assert.deepEqual(await tool.execute({ query: "q" }, context(server)), { query: "q", ...expected });
  }
});

Deno.test("arguments: numbers, topics and depths", async () => {
  const cases: [Record<string, unknown>, Record<string, unknown>][] = [
    [{ num_results: 7 }, { max_results: 7 }],
    [{ num_results: "7" }, { max_results: 7 }],
    [{ num_results: " 7 " }, { max_results: 7 }],
    [{ num_results: 7.9 }, { max_results: 7 }],
    [{ num_results: 0 }, { max_results: 1 }],
    [{ num_results: -3 }, { max_results: 1 }],
    [{ num_results: 21 }, { max_results: 20 }],
    [{ num_results: "1e999" }, { max_results: 20 }],
    [{ num_results: "many" }, { max_results: 5 }],
    [{ num_results: "" }, { max_results: 5 }],
    [{ num_results: null }, { max_results: 5 }],
    [{ num_results: true }, { max_results: 5 }],
    [{ num_results: [3] }, { max_results: 5 }],
    [{ topic: "news" }, { topic: "news" }],
    [{ topic: "finance", search_depth: "advanced" }, { topic: "finance", search_depth: "advanced" }],
    [{ topic: "sports", search_depth: "deep" }, { topic: "general", search_depth: "basic" }],
  ];
  for (const [args, expected] of cases) {
    await using server = await FakeProvider.start([{ json: ANSWER }]);
    await tool.execute({ query: "q", ...args }, context(server));
    const body = server.requests[0]?.body as Record<string, unknown>;
    for (const [name, value] of Object.entries(expected)) {
      assert.equal(body[name], value, JSON.stringify(args));
    }
  }
});

Deno.test("a query that is none throws before any request", async () => {
  await using server = await FakeProvider.start([{ json: ANSWER }]);
  for (const query of [undefined, null, "", "   ", "|||", " ||| ||| "]) {
    await assert.rejects(tool.execute({ query }, context(server)), { message: "The query is empty." });
  }
  assert.equal(server.requests.length, 0);
});

Deno.test("several queries: each on its own, in the order asked, a failed one beside the good ones", async () => {
  await using server = await FakeProvider.start(async (request) => {
    const query = queryOf(request);
    if (query === "slow") await new Promise((resolve) => setTimeout(resolve, 50));
    return query === "bad"
      ? { status: 401, text: recorded("tavily/401.json") }
      : { json: { answer: `about ${query}` } };
  });
  const rest = { success: true, results: [], images: [], response_time_ms: 0 };
  assert.deepEqual(await tool.execute({ query: "slow ||| bad||| ||| fast" }, context(server)), {
    batch_mode: true,
    total_queries: 3,
    results: [
      { query: "slow", answer: "about slow", ...rest },
      {
        query: "bad",
        success: false,
        error: "Tavily API returned 401: Unauthorized: missing or invalid API key.",
      },
      { query: "fast", answer: "about fast", ...rest },
    ],
  });
});

Deno.test("when every query failed the error names each", async () => {
  await using server = await FakeProvider.start((request) =>
    queryOf(request) === "a"
      ? { status: 432, text: recorded("tavily/432.json") }
      : { status: 422, text: recorded("tavily/422.json") }
  );
  await assert.rejects(tool.execute({ query: "a ||| b" }, context(server)), {
    message:
      "Web search failed. a: Tavily API returned 432: This request exceeds your plan's set usage limit. Please " +
      "upgrade your plan or contact support@tavily.com; b: Tavily API returned 422: Input should be a valid string",
  });
  await assert.rejects(tool.execute({ query: "b" }, context(server)), {
    message: "Web search failed. b: Tavily API returned 422: Input should be a valid string",
  });
});

Deno.test("five requests are in flight at most, each with a deadline of its own", async () => {
  const timeout = AbortSignal.timeout;
  let deadlines = 0;
  AbortSignal.timeout = (ms) => {
    deadlines++;
    return timeout.call(AbortSignal, ms);
  };
  let release = () => {};
  const fiveAreOpen = new Promise<void>((resolve) => release = resolve);
  await using server: FakeProvider = await FakeProvider.start(async (_, index) => {
    if (index === 4) setTimeout(release, 30); // a sixth would come in this time
    await fiveAreOpen;
    return { json: ANSWER };
  });
  try {
    const query = Array.from({ length: 12 }, (_, index) => `q${index}`).join("|||");
    const output = await tool.execute({ query }, context(server)) as { results: { query: string }[] };
    assert.deepEqual(output.results.map((result) => result.query), query.split("|||"));
  } finally {
    AbortSignal.timeout = timeout;
  }
  assert.equal(server.requests.length, 12);
  assert.equal(server.mostOpen, 5);
  assert.equal(deadlines, 12);
});

Deno.test("an abort ends a whole batch: no failed entries, no further requests", async () => {
  const abort = new AbortController();
  await using server = await FakeProvider.start((_, index) => {
    if (index === 4) abort.abort();
    return "hang";
  });
  const query = Array.from({ length: 12 }, (_, index) => `q${index}`).join("|||");
  await assert.rejects(tool.execute({ query }, context(server, { signal: abort.signal })), {
    name: "AbortError",
  });
  assert.equal(server.requests.length, 5);
});

Deno.test("the edit of the ejected copy that the product page shows works", async () => {
  const source = await Deno.readTextFile(new URL("web_search.ts", import.meta.url));
  const line =
    "    const queries = String(args.query ?? '').split('|||').map((query) => query.trim()).filter(Boolean)\n";
  assert.equal(source.split(line).length, 2);
  const edited = source.replace(
    line,
    () => `${line}      .map((query) => \`site:docs.example.com \${query}\`)\n`,
  );
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/web_search.ts`, edited);
    const { default: copy } = await import(`file://${folder}/web_search.ts`);
    await using server = await FakeProvider.start([{ json: ANSWER }]);
    const output = await copy.execute({ query: "a ||| b" }, context(server));
    assert.deepEqual(server.requests.map(queryOf).sort(), [
      "site:docs.example.com a",
      "site:docs.example.com b",
    ]);
    assert.deepEqual(output.results.map((result: { query: string }) => result.query), [
      "site:docs.example.com a",
      "site:docs.example.com b",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
