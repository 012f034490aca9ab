/** What the three web tools have in common (specification 3.1), each case for all three. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { FakeProvider, recorded, type Reply } from "../../fixtures/providers/fake_provider.ts";
import { type ToolContext, toolContext } from "../../fixtures/providers/tool_context.ts";
import imageSearch from "./image_search.ts";
import scrapeWebpage from "./scrape_webpage.ts";
import webSearch from "./web_search.ts";

/** What distinguishes the tools here. */
interface Case {
  name: string;
  tool: { execute(args: Record<string, unknown>, context: ToolContext): Promise<unknown> };
  args: Record<string, unknown>;
  service: string;
  key: string;
  baseUrl: string;
  path: string;
  header: string;
  /** What stands before the credential in the header. */
  scheme: string;
  provider: string;
  deadline: number;
  good: Reply;
}

const CASES: Case[] = [{
  name: "web_search",
  tool: webSearch,
  args: { query: "red fox" },
  service: "tavily",
  key: "TAVILY_API_KEY",
  baseUrl: "TAVILY_BASE_URL",
  path: "/search",
  header: "authorization",
  scheme: "Bearer ",
  provider: "Tavily",
  deadline: 60_000,
  good: { json: JSON.parse(recorded("tavily/search.json")) },
}, {
  name: "image_search",
  tool: imageSearch,
  args: { query: "red fox" },
  service: "serper",
  key: "SERPER_API_KEY",
  baseUrl: "SERPER_BASE_URL",
  path: "/images",
  header: "x-api-key",
  scheme: "",
  provider: "Serper",
  deadline: 60_000,
  good: { json: JSON.parse(recorded("serper/images.json")) },
}, {
  name: "scrape_webpage",
  tool: scrapeWebpage,
  args: { urls: "https://example.com" },
  service: "firecrawl",
  key: "FIRECRAWL_API_KEY",
  baseUrl: "FIRECRAWL_BASE_URL",
  path: "/v2/scrape",
  header: "authorization",
  scheme: "Bearer ",
  provider: "Firecrawl",
  deadline: 35_000,
  good: { json: JSON.parse(recorded("firecrawl/scrape.json")) },
}];

const KEY = "key+of/the=project-1234567890";

function each(title: string, run: (which: Case) => Promise<void>): void {
  for (const which of CASES) Deno.test(`${which.name}: ${title}`, () => run(which));
}

function direct(which: Case, server: FakeProvider, given: Partial<ToolContext> = {}): ToolContext {
  return toolContext({ env: { [which.key]: KEY, [which.baseUrl]: server.url }, ...given });
}

/** The message of the error that a call against `replies` ends with. */
async function failure(which: Case, replies: Reply[]): Promise<{ message: string; requests: number }> {
  await using server = await FakeProvider.start(replies);
  try {
    await which.tool.execute(which.args, direct(which, server));
  } catch (error) {
    assert(error instanceof Error);
    return { message: error.message, requests: server.requests.length };
  }
  assert.fail("The call did not fail.");
}

/** `call`, or nothing after half a minute: a call that is not aborted goes on for longer. */
async function withinHalfAMinute(call: Promise<unknown>): Promise<unknown> {
  const passed = new AbortController();
  const wait = sleep(30_000, undefined, { signal: passed.signal }).catch(() => {});
  try {
    return await Promise.race([call, wait]);
  } finally {
    passed.abort();
  }
}

/** Settles when the client has no connection left, and fails after five seconds: idle ones would stay for longer. */
async function untilUnconnected(server: FakeProvider): Promise<void> {
  for (const end = performance.now() + 5_000; await server.connections() > 0;) {
    assert(performance.now() < end, "A connection is still there.");
    await sleep(10);
  }
}

each("the project's own key goes to the provider, in its header", async (which) => {
  await using server = await FakeProvider.start([which.good]);
  await which.tool.execute(which.args, direct(which, server));
  const [request] = server.requests;
  assert.equal(request?.method, "POST");
  assert.equal(request?.path, which.path);
  assert.equal(request?.headers[which.header], which.scheme + KEY);
  assert.equal(request?.headers["content-type"], "application/json");
});

each("the project's own key wins over the router", async (which) => {
  await using server = await FakeProvider.start([which.good]);
  const env = {
    [which.key]: ` ${KEY}\n`,
    [which.baseUrl]: `${server.url}//`,
    BEEUNI_API_URL: "http://127.0.0.1:1",
    BEEUNI_TOKEN: "token",
  };
  await which.tool.execute(which.args, toolContext({ env }));
  assert.equal(server.requests[0]?.path, which.path);
  assert.equal(server.requests[0]?.headers[which.header], which.scheme + KEY);
});

each("without a key the router is asked, with BEEUNI_TOKEN", async (which) => {
  for (const end of ["", "/", "//", "/v1", "/v1/"]) {
    await using server = await FakeProvider.start([which.good]);
    const env = { [which.key]: "", BEEUNI_API_URL: server.url + end, BEEUNI_TOKEN: "token-of-beeuni" };
    await which.tool.execute(which.args, toolContext({ env }));
    assert.equal(
      server.requests[0]?.path,
      `/v1/router/${which.service}${which.path}`,
      `BEEUNI_API_URL ends with "${end}"`,
    );
    assert.equal(server.requests[0]?.headers[which.header], `${which.scheme}token-of-beeuni`);
  }
});

each("a path of the router's URL is kept", async (which) => {
  await using server = await FakeProvider.start([which.good]);
  const env = { BEEUNI_API_URL: `${server.url}/beeuni/v1`, BEEUNI_TOKEN: "token-of-beeuni" };
  await which.tool.execute(which.args, toolContext({ env }));
  assert.equal(server.requests[0]?.path, `/beeuni/v1/router/${which.service}${which.path}`);
});

each("the router without BEEUNI_TOKEN is an error before any request", async (which) => {
  await using server = await FakeProvider.start([which.good]);
  for (const token of [undefined, "", " "]) {
    await assert.rejects(
      which.tool.execute(
        which.args,
        toolContext({ env: { BEEUNI_API_URL: server.url, BEEUNI_TOKEN: token } }),
      ),
      { message: "BEEUNI_TOKEN is not set." },
    );
  }
  assert.equal(server.requests.length, 0);
});

each("with nothing set the error names both ways", async (which) => {
  await assert.rejects(which.tool.execute(which.args, toolContext()), (error: Error) => {
    assert(error.message.startsWith(`${which.key} is not set: `), error.message);
    assert.match(error.message, /beeuni secrets set/);
    assert.match(error.message, /BEEUNI_API_URL and BEEUNI_TOKEN/);
    return true;
  });
});

each("settings no request can be made with are named, not shown", async (which) => {
  const settings: [Record<string, string>, string][] = [
    [{ [which.key]: "key\nwith a line" }, `${which.key} has characters that no key has: set it again.`],
    [{ [which.key]: "schlüssel" }, `${which.key} has characters that no key has: set it again.`],
    [
      { [which.key]: KEY, [which.baseUrl]: "example.com" },
      `${which.baseUrl} must start with http:// or https://.`,
    ],
    [
      { BEEUNI_API_URL: "file:///x", BEEUNI_TOKEN: "t" },
      "BEEUNI_API_URL must start with http:// or https://.",
    ],
  ];
  for (const [env, message] of settings) {
    await assert.rejects(which.tool.execute(which.args, toolContext({ env })), { message });
  }
});

each("408, 429, 5xx and a lost connection are tried again", async (which) => {
  const troubles: Reply[] = [
    { status: 408, text: "" },
    { status: 429, text: "" },
    { status: 500, text: "" },
    { status: 503, text: recorded("bad_gateway.html") },
    "cut",
    "cut-body",
  ];
  await Promise.all(troubles.map(async (trouble) => {
    await using server = await FakeProvider.start([trouble, which.good]);
    await which.tool.execute(which.args, direct(which, server));
    assert.equal(server.requests.length, 2, JSON.stringify(trouble));
    assert.deepEqual(server.requests[1]?.body, server.requests[0]?.body);
  }));
});

each("three tries are the most", async (which) => {
  const { message, requests } = await failure(which, [{ status: 500, text: "" }]);
  assert.equal(requests, 3);
  assert(message.includes(`${which.provider} API returned 500: an empty response`), message);
});

each("what asking again does not mend is not asked again", async (which) => {
  for (const status of [302, 400, 401, 402, 403, 404, 422, 432, 433]) {
    const { message, requests } = await failure(which, [{ status, json: { error: "No." } }]);
    assert.equal(requests, 1, String(status));
    assert(message.includes(`${which.provider} API returned ${status}: No.`), message);
  }
});

each("Retry-After is honoured, in seconds and as a date", async (which) => {
  const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString();
  await Promise.all([() => "1", inTwoSeconds].map(async (header) => {
    await using server = await FakeProvider.start((_, index) =>
      index === 0 ? { status: 429, text: "", headers: { "retry-after": header() } } : which.good
    );
    await which.tool.execute(which.args, direct(which, server));
    const [first, second] = server.requests;
    assert(first && second);
    // A date has whole seconds, so two seconds ahead are at least one. Without the header at most 0.5 s pass.
    assert(second.at - first.at >= 990, `${second.at - first.at} ms`);
  }));
});

each("a longer pause than a minute is not waited for", async (which) => {
  const { message, requests } = await failure(which, [{
    status: 429,
    text: "",
    headers: { "retry-after": "3600" },
  }]);
  assert.equal(requests, 1);
  assert(message.includes("returned 429"), message);
});

each("a page instead of JSON gives a short message with the status", async (which) => {
  const page = recorded("bad_gateway.html");
  const cases: [Reply, string][] = [
    [{ status: 403, text: page }, "returned 403: an HTML page (502 Bad Gateway)"],
    [{ status: 404, text: "<html><body>" + "x".repeat(2000) }, "returned 404: an HTML page"],
    [{ status: 404, text: "<h1>Not here</h1>" + "x".repeat(2000) }, "returned 404: an HTML page"],
    [
      { status: 404, text: `<!-- ${"x".repeat(2000)} --><html><title>No</title>` },
      "returned 404: an HTML page (No)",
    ],
    [{ status: 404, json: { error: page } }, "returned 404: an HTML page (502 Bad Gateway)"],
    [
      { status: 404, text: "<?xml version='1.0'?><Code>NoKey</Code>" },
      "404: <?xml version='1.0'?><Code>NoKey</Code>",
    ],
    [{ status: 404, text: `${" ".repeat(20_000)}<html>` }, "returned 404: an HTML page"],
    [{ status: 404, text: `${" ".repeat(20_000)}no` }, "returned 404: no"],
    [{ status: 401, text: "" }, "returned 401: an empty response"],
    [{ status: 400, text: "no\n such   thing" }, "returned 400: no such thing"],
    [{ status: 400, text: "{ broken" }, "returned 400: { broken"],
    [{ status: 400, json: { error: { message: "inner" } } }, "returned 400: inner"],
    [{ status: 400, json: { strange: 1 } }, 'returned 400: {"strange":1}'],
    [{ status: 200, text: page }, "returned 200: an HTML page (502 Bad Gateway)"],
    [{ status: 200, text: "" }, "returned 200: an empty response"],
    [{ status: 200, text: "OK" }, "returned 200: OK"],
    [{ status: 200, text: "null" }, "returned 200: null"],
  ];
  for (const [reply, expected] of cases) {
    const { message, requests } = await failure(which, [reply]);
    assert(message.includes(`${which.provider} API returned `) && message.endsWith(expected), message);
    assert.equal(requests, 1);
  }
});

each("a provider's text is cut to 500 characters, and no character in two", async (which) => {
  for (
    const [text, kept] of [["x".repeat(10_000), "x".repeat(499)], [
      "x".repeat(498) + "🦊".repeat(100),
      "x".repeat(498),
    ]]
  ) {
    const { message } = await failure(which, [{ status: 400, json: { message: text } }]);
    assert(message.endsWith(`returned 400: ${kept}…`), message);
  }
  const { message } = await failure(which, [{ status: 400, json: { message: "y".repeat(500) } }]);
  assert(message.endsWith(`returned 400: ${"y".repeat(500)}`), message);
});

each("a key that the provider repeats is not in the error", async (which) => {
  for (const text of [`Bad key ${KEY}.`, "x".repeat(490) + KEY, encodeURIComponent(KEY)]) {
    for (const reply of [{ status: 401, json: { error: text } }, { status: 401, text }]) {
      const { message } = await failure(which, [reply]);
      assert(!message.includes(KEY.slice(0, 8)), message);
      assert(message.includes("***"), message);
    }
  }
});

each("a key is not in the error either as JSON writes it", async (which) => {
  const key = 'se"cret\\key';
  await using server = await FakeProvider.start([{ status: 401, json: { strange: key } }]);
  const env = { [which.key]: key, [which.baseUrl]: server.url };
  await assert.rejects(which.tool.execute(which.args, toolContext({ env })), (error: Error) => {
    assert(error.message.endsWith('returned 401: {"strange":"***"}'), error.message);
    return true;
  });
});

each("no connection is said without the URL", async (which) => {
  let url: string;
  {
    await using server = await FakeProvider.start([]);
    url = server.url;
  }
  const env = { [which.key]: KEY, [which.baseUrl]: url.replace("://", "://user:password@") };
  await assert.rejects(which.tool.execute(which.args, toolContext({ env })), (error: Error) => {
    assert.match(error.message, new RegExp(`${which.provider} API could not be reached: .*refused`));
    assert(!error.message.includes("password"), error.message);
    return true;
  });
});

each("a redirect is not followed, so the key stays with its provider", async (which) => {
  await using other = await FakeProvider.start([which.good]);
  const { message } = await failure(which, [{
    status: 307,
    text: "",
    headers: { location: `${other.url}/search` },
  }]);
  assert(message.includes("returned 307"), message);
  assert.equal(other.requests.length, 0);
});

each("a request has a deadline, its body included, and is not tried again after it", async (which) => {
  const timeout = AbortSignal.timeout;
  const asked: number[] = [];
  AbortSignal.timeout = (ms) => {
    asked.push(ms);
    return timeout.call(AbortSignal, 50);
  };
  try {
    for (const slow of ["hang", "hang-body"] as const) {
      const { message, requests } = await failure(which, [slow]);
      assert(
        message.includes(`${which.provider} API did not answer within ${which.deadline / 1000} seconds.`),
        message,
      );
      assert.equal(requests, 1);
    }
  } finally {
    AbortSignal.timeout = timeout;
  }
  assert.deepEqual(asked, [which.deadline, which.deadline]);
});

each("an abort in mid-request closes the connection", async (which) => {
  for (const slow of ["hang", "hang-body"] as const) {
    const abort = new AbortController();
    await using server = await FakeProvider.start(() => {
      setTimeout(() => abort.abort(), 20);
      return slow;
    });
    const call = which.tool.execute(which.args, direct(which, server, { signal: abort.signal }));
    await assert.rejects(withinHalfAMinute(call), { name: "AbortError" });
    await server.untilAbandoned();
    assert.equal(server.open, 0);
    assert.equal(server.requests.length, 1);
  }
});

each("an abort in mid-wait ends the wait and closes the connection", async (which) => {
  const abort = new AbortController();
  await using server = await FakeProvider.start(() => {
    setTimeout(() => abort.abort(), 100);
    return { status: 429, text: "", headers: { "retry-after": "50" } };
  });
  const call = which.tool.execute(which.args, direct(which, server, { signal: abort.signal }));
  await assert.rejects(withinHalfAMinute(call), { name: "AbortError" });
  assert.equal(server.requests.length, 1);
  await untilUnconnected(server);
});

each("a call that ends leaves no connection, and its tries share one", async (which) => {
  const seen: number[] = [];
  await using server = await FakeProvider.start(async (_, index) => {
    seen.push(await server.connections());
    return index === 0 ? { status: 500, text: "" } : which.good;
  });
  await which.tool.execute(which.args, direct(which, server));
  assert.deepEqual(seen, [1, 1]);
  await untilUnconnected(server);
});

each("a call that ends leaves another call's request alone", async (which) => {
  const release = Promise.withResolvers<void>();
  await using server = await FakeProvider.start(async (_, index) => {
    if (index === 0) await release.promise;
    return which.good;
  });
  const slow = which.tool.execute(which.args, direct(which, server));
  while (server.requests.length < 1) await sleep(5);
  await which.tool.execute(which.args, direct(which, server));
  release.resolve();
  await slow;
  assert.equal(server.requests.length, 2);
});

each("a signal aborted before sends nothing", async (which) => {
  await using server = await FakeProvider.start([which.good]);
  await assert.rejects(
    which.tool.execute(which.args, direct(which, server, { signal: AbortSignal.abort() })),
    {
      name: "AbortError",
    },
  );
  assert.equal(server.requests.length, 0);
});
