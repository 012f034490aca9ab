import assert from "node:assert/strict";
import { FakeProvider, recorded, type SeenRequest } from "../../fixtures/providers/fake_provider.ts";
import { type ToolContext, toolContext } from "../../fixtures/providers/tool_context.ts";
import tool from "./scrape_webpage.ts";

const PAGE = JSON.parse(recorded("firecrawl/scrape.json"));
const HTML_PAGE = JSON.parse(recorded("firecrawl/scrape_html.json"));

function context(server: FakeProvider): ToolContext {
  return toolContext({ env: { FIRECRAWL_API_KEY: "fc-key", FIRECRAWL_BASE_URL: server.url } });
}

function urlOf(request: SeenRequest): unknown {
  return (request.body as { url: unknown }).url;
}

Deno.test("one URL: the request and every field of the output", async () => {
  await using server = await FakeProvider.start([{ json: PAGE }]);
  const output = await tool.execute({ urls: " https://example.com " }, context(server));
  assert.deepEqual(server.requests[0]?.body, {
    url: "https://example.com",
    formats: ["markdown"],
    timeout: 30000,
  });
  assert.deepEqual(output, {
    url: "https://example.com",
    success: true,
    title: "Example Domain",
    content: "# Example Domain\n\nThis domain is for use in documentation examples. 🦊\n",
    content_length: 71, // UTF-16 units: the fox counts two
    metadata: PAGE.data.metadata,
  });
});

Deno.test("include_html asks for the HTML and returns it", async () => {
  for (const include_html of [true, "true"]) {
    await using server = await FakeProvider.start([{ json: HTML_PAGE }]);
    const output = await tool.execute({ urls: "https://example.com", include_html }, context(server));
    assert.deepEqual((server.requests[0]?.body as { formats: unknown }).formats, ["markdown", "html"]);
    assert.equal((output as { html: unknown }).html, "<h1>Example Domain</h1>");
    assert.equal((output as { title: unknown }).title, "Example Domain");
  }
  await using server = await FakeProvider.start([{ json: HTML_PAGE }]);
  const output = await tool.execute({ urls: "https://example.com", include_html: false }, context(server));
  assert(!Object.hasOwn(output as object, "html"));
});

Deno.test("a page without a title, text or metadata", async () => {
  await using server = await FakeProvider.start([{ json: { success: true, data: {} } }]);
  assert.deepEqual(await tool.execute({ urls: "https://example.com" }, context(server)), {
    url: "https://example.com",
    success: true,
    title: "",
    content: "",
    content_length: 0,
  });
});

Deno.test("how the list of URLs is read", async () => {
  const cases: [unknown, string[]][] = [
    ["https://a.example,https://b.example", ["https://a.example", "https://b.example"]],
    ["https://a.example, http://b.example ,https://c.example", [
      "https://a.example",
      "http://b.example",
      "https://c.example",
    ]],
    ["https://a.example/x,y?q=1,2#3,4", ["https://a.example/x,y?q=1,2#3,4"]],
    ["https://a.example/x,y,https://b.example/?q=1,2", ["https://a.example/x,y", "https://b.example/?q=1,2"]],
    ["https://a.example/x,b.example", ["https://a.example/x,b.example"]],
    ["https://a.example?x=1,b.example", ["https://a.example?x=1,b.example"]],
    ["https://a.example/x, b.example", ["https://a.example/x", "https://b.example"]],
    ["a.example", ["https://a.example"]],
    ["a.example/page?x=1", ["https://a.example/page?x=1"]],
    ["a.example,b.example/x,y", ["https://a.example", "https://b.example/x,y"]],
    ["https://a.example,b.example", ["https://a.example", "https://b.example"]],
    ["//a.example/x", ["https://a.example/x"]],
    ["localhost:8080/x", ["https://localhost:8080/x"]],
    ["127.0.0.1:80, [::1]:443/x", ["https://127.0.0.1:80", "https://[::1]:443/x"]],
    ["HTTPS://A.example/X", ["HTTPS://A.example/X"]],
    ["https://a.example\nhttps://b.example\r\nc.example", [
      "https://a.example",
      "https://b.example",
      "https://c.example",
    ]],
    ["https://a.example https://b.example", ["https://a.example", "https://b.example"]],
    ["https://a.example \n  b.example  \r\n\n , https://c.example\t", [
      "https://a.example",
      "https://b.example",
      "https://c.example",
    ]],
    // Half a million spaces: read in milliseconds, or, tried from each place, in minutes.
    [`https://a.example${" ".repeat(500_000)},${" ".repeat(500_000)}b.example`, [
      "https://a.example",
      "https://b.example",
    ]],
    ["https://archive.example/web/https://b.example/x", ["https://archive.example/web/https://b.example/x"]],
    ["https://a.example/go?to=https://b.example", ["https://a.example/go?to=https://b.example"]],
    [",https://a.example,, ,https://b.example,", ["https://a.example", "https://b.example"]],
    ["https://a.example, https://a.example", ["https://a.example", "https://a.example"]],
    [["https://a.example", "https://b.example"], ["https://a.example", "https://b.example"]],
  ];
  for (const [urls, expected] of cases) {
    await using server = await FakeProvider.start([{ json: PAGE }]);
    const output = await tool.execute({ urls }, context(server)) as {
      url?: string;
      results?: { url: string }[];
    };
    const listed = output.results ? output.results.map((result) => result.url) : [output.url];
    assert.deepEqual(listed, expected, String(urls).slice(0, 200));
    assert.deepEqual(server.requests.map(urlOf).sort(), [...expected].sort());
  }
});

Deno.test("no URL, or none that is http or https", async () => {
  await using server = await FakeProvider.start([{ json: PAGE }]);
  const none = [
    undefined,
    null,
    "",
    " , ,",
    "ftp://a.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "mailto:a@b.example",
  ];
  for (const urls of [...none, "data:text/html,x", "https://", "http:///x", "https://a b"]) {
    await assert.rejects(
      tool.execute({ urls }, context(server)),
      { message: "No valid URLs provided." },
      String(urls),
    );
  }
  assert.equal(server.requests.length, 0);
});

Deno.test("several URLs: counted, in the order given, a failed one beside the good ones", async () => {
  await using server = await FakeProvider.start(async (request) => {
    const url = urlOf(request);
    if (url === "https://slow.example") await new Promise((resolve) => setTimeout(resolve, 50));
    if (url === "https://poor.example") return { status: 402, text: recorded("firecrawl/402.json") };
    if (url === "https://gone.example") return { json: { success: false, error: "DNS resolution failed" } };
    if (url === "https://odd.example") return { json: { success: true } };
    return { json: { success: true, data: { markdown: `about ${url}`, metadata: { title: "T" } } } };
  });
  const good = (url: string) => {
    const content = `about ${url}`;
    return {
      url,
      success: true,
      title: "T",
      content,
      content_length: content.length,
      metadata: { title: "T" },
    };
  };
  const urls = "https://slow.example, ftp://files.example/x, https://poor.example, https://gone.example, " +
    "https://odd.example, https://fast.example";
  assert.deepEqual(await tool.execute({ urls }, context(server)), {
    total: 6,
    successful: 2,
    failed: 4,
    results: [
      good("https://slow.example"),
      { url: "ftp://files.example/x", success: false, error: "Only http and https URLs can be read." },
      {
        url: "https://poor.example",
        success: false,
        error:
          "Firecrawl API returned 402: Insufficient credits to perform this request. For more credits, you can " +
          "upgrade your plan.",
      },
      {
        url: "https://gone.example",
        success: false,
        error: "Firecrawl could not read the page: DNS resolution failed",
      },
      {
        url: "https://odd.example",
        success: false,
        error: 'Firecrawl could not read the page: {"success":true}',
      },
      good("https://fast.example"),
    ],
  });
});

Deno.test("when no page could be read the error names each", async () => {
  await using server = await FakeProvider.start((request) =>
    urlOf(request) === "https://a.example"
      ? { status: 402, json: { error: "Payment required to access this resource." } }
      : { json: { success: false, error: "no such host" } }
  );
  await assert.rejects(tool.execute({ urls: "https://a.example, https://b.example" }, context(server)), {
    message:
      "Failed to scrape all 2 URLs. https://a.example: Firecrawl API returned 402: Payment required to access " +
      "this resource.; https://b.example: Firecrawl could not read the page: no such host",
  });
  await assert.rejects(tool.execute({ urls: "https://b.example" }, context(server)), {
    message:
      "Failed to scrape all 1 URLs. https://b.example: Firecrawl could not read the page: no such host",
  });
});

Deno.test("five pages are in flight at most", async () => {
  let release = () => {};
  const fiveAreOpen = new Promise<void>((resolve) => release = resolve);
  await using server: FakeProvider = await FakeProvider.start(async (_, index) => {
    if (index === 4) setTimeout(release, 30); // a sixth would come in this time
    await fiveAreOpen;
    return { json: PAGE };
  });
  const urls = Array.from({ length: 12 }, (_, index) => `https://a.example/${index}`).join(", ");
  const output = await tool.execute({ urls }, context(server)) as { successful: number };
  assert.equal(output.successful, 12);
  assert.equal(server.mostOpen, 5);
});
