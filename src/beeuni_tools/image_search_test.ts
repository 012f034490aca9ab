import assert from "node:assert/strict";
import { FakeProvider, recorded, type Reply } from "../../fixtures/providers/fake_provider.ts";
import { type ToolContext, toolContext } from "../../fixtures/providers/tool_context.ts";
import tool from "./image_search.ts";

const ONE = JSON.parse(recorded("serper/images.json"));
const TWO = JSON.parse(recorded("serper/images_batch.json"));

function context(server: FakeProvider): ToolContext {
  return toolContext({ env: { SERPER_API_KEY: "serper-key", SERPER_BASE_URL: server.url } });
}

/** The images of the recorded answers as the tool returns them. */
function images(name: string): Record<string, unknown>[] {
  return [1, 2].map((index) => ({
    url: `https://images.example.com/${name}-${index}.jpg`,
    title: `${name} ${index}`,
    source: `https://pages.example.com/${name}/${index}`,
    width: 1200 * index,
    height: 800 * index,
  }));
}

async function call(
  args: Record<string, unknown>,
  reply: Reply,
): Promise<{ output: unknown; bodies: unknown[] }> {
  await using server = await FakeProvider.start([reply]);
  const output = await tool.execute(args, context(server));
  return { output, bodies: server.requests.map((request) => request.body) };
}

Deno.test("one query: the request and every field of the output", async () => {
  const { output, bodies } = await call({ query: " red fox " }, { json: ONE });
  assert.deepEqual(bodies, [{ q: "red fox", num: 12 }]);
  assert.deepEqual(output, { query: "red fox", total: 2, images: images("fox") });
});

Deno.test("several queries are one request with an array", async () => {
  const { output, bodies } = await call({ query: "red fox ||| ||| arctic hare", num_results: "3" }, {
    json: TWO,
  });
  assert.deepEqual(bodies, [[{ q: "red fox", num: 3 }, { q: "arctic hare", num: 3 }]]);
  assert.deepEqual(output, {
    batch_mode: true,
    results: [
      { query: "red fox", total: 2, images: images("fox") },
      { query: "arctic hare", total: 2, images: images("hare") },
    ],
  });
});

Deno.test("answers go to the query they name, otherwise to the one in their place", async () => {
  const named = (q: string, title: string) => ({ searchParameters: { q }, images: [{ title }] });
  const unnamed = (title: string) => ({ images: [{ title }] });
  const cases: [string, unknown, string[][]][] = [
    ["a ||| b", [named("b", "1"), named("a", "2")], [["2"], ["1"]]],
    ["a ||| b", [unnamed("1"), unnamed("2")], [["1"], ["2"]]],
    ["a ||| b", [named("b", "1"), unnamed("2")], [[], ["1"]]],
    ["a ||| b", [unnamed("1"), named("b", "2")], [["1"], ["2"]]],
    ["a ||| b", [named("b", "1")], [[], ["1"]]],
    ["a ||| b", [unnamed("1")], [["1"], []]],
    ["a ||| b", [named("x", "1"), named("y", "2")], [[], []]],
    ["a ||| a", [named("a", "1"), named("a", "2")], [["1"], ["2"]]],
    ["a ||| b", [null, { message: "Query failed", statusCode: 400 }], [[], []]],
    ["a ||| b", named("a", "1"), [["1"], []]],
  ];
  for (const [query, json, expected] of cases) {
    const { output } = await call({ query }, { json });
    const { results } = output as { results: { total: number; images: { title: string }[] }[] };
    assert.deepEqual(
      results.map((result) => result.images.map((image) => image.title)),
      expected,
      JSON.stringify(json),
    );
    assert.deepEqual(results.map((result) => result.total), expected.map((titles) => titles.length));
  }
});

Deno.test("a single query's answer is its own, however it repeats the query", async () => {
  for (const q of ["red fox", 2024, null]) {
    const { output } = await call({ query: "Red  Fox" }, { json: { searchParameters: { q }, images: [{}] } });
    assert.equal((output as { total: number }).total, 1, String(q));
  }
});

Deno.test("no image, and what an image lacks", async () => {
  const cases: [unknown, unknown[]][] = [
    [{}, []],
    [{ images: null }, []],
    [{ searchParameters: { q: "q" }, images: [] }, []],
    [{ images: [{}, null] }, [{ url: "", title: "", source: "", width: 0, height: 0 }]],
    [[{ images: [{ imageWidth: "640" }] }], [{ url: "", title: "", source: "", width: 640, height: 0 }]],
  ];
  for (const [json, expected] of cases) {
    const { output } = await call({ query: "q" }, { json });
    assert.deepEqual(output, { query: "q", total: expected.length, images: expected }, JSON.stringify(json));
  }
});

Deno.test("num_results is read, brought into its range, or 12", async () => {
  const cases: [unknown, number][] = [[1, 1], ["40", 40], [0, 1], [101, 100], ["x", 12], [undefined, 12], [
    NaN,
    12,
  ]];
  for (const [num_results, num] of cases) {
    const { bodies } = await call({ query: "q", num_results }, { json: ONE });
    assert.deepEqual(bodies, [{ q: "q", num }]);
  }
});

Deno.test("a query that is none throws before any request", async () => {
  await using server = await FakeProvider.start([{ json: ONE }]);
  for (const query of [undefined, "", " ||| "]) {
    await assert.rejects(tool.execute({ query }, context(server)), { message: "The query is empty." });
  }
  assert.equal(server.requests.length, 0);
});

Deno.test("a failed request throws with the status and Serper's words", async () => {
  const cases: [number, string, string][] = [
    [400, "serper/400.json", "Serper API returned 400: Not enough credits"],
    [403, "serper/403.json", "Serper API returned 403: Unauthorized."],
    [404, "bad_gateway.html", "Serper API returned 404: an HTML page (502 Bad Gateway)"],
  ];
  for (const [status, file, message] of cases) {
    for (const query of ["a", "a ||| b"]) {
      await assert.rejects(call({ query }, { status, text: recorded(file) }), { message });
    }
  }
});
