import assert from "node:assert/strict";
import { join } from "node:path";
import { FakeProvider, recorded, type Reply, type SeenRequest } from "../fixtures/providers/fake_provider.ts";
import { type Answer, type Daemon, startDaemon } from "./support/daemon.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { beeuni } from "./support/run.ts";
import { snapshot } from "./support/snapshot.ts";
import { output, refusal, toolError } from "./support/told.ts";

// The five Beeuni tools as sessions get them: in their sandbox, through a real daemon (specification 3, 2.4).

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
const TOOLS = ["web_search", "image_search", "scrape_webpage", "memory", "show"];
const MANIFEST = `tools:
${TOOLS.map((name) => `  ${name}: beeuni:${name}\n`).join("")}  big: tools/big.ts
default_agent: a
agents:
  a: { tools: all, secrets: all }
  b: { tools: all, secrets: all }
  none: { tools: all }
`;
const FILES = {
  "beeuni.yaml": MANIFEST,
  "tools/big.ts":
    "export default { description: 'd', parameters: { type: 'object' }, execute: () => 'x'.repeat(60_000) }\n",
};

interface WebTool {
  name: string;
  args: Record<string, unknown>;
  service: string;
  key: string;
  base: string;
  path: string;
  /** The request's credential, as its header carries it. */
  credential(request: SeenRequest): unknown;
  scheme: string;
  provider: string;
  good: string;
  body: unknown;
  result: unknown;
  /** A recorded answer of a provider that wants money or is busy. */
  errors: { status: number; file: string; text: string }[];
}

const WEB_TOOLS: WebTool[] = [{
  name: "web_search",
  args: { query: "Who is Leo Messi?", num_results: "3" },
  service: "tavily",
  key: "TAVILY_API_KEY",
  base: "TAVILY_BASE_URL",
  path: "/search",
  credential: ({ headers }) => headers.authorization,
  scheme: "Bearer ",
  provider: "Tavily",
  good: "tavily/search.json",
  body: {
    query: "Who is Leo Messi?",
    search_depth: "basic",
    topic: "general",
    max_results: 3,
    include_answer: true,
    include_images: true,
    include_image_descriptions: true,
  },
  result: {
    query: "Who is Leo Messi?",
    success: true,
    answer: "Lionel Messi, born in 1987, is an Argentine footballer.",
    results: [
      {
        title: "Lionel Messi Facts",
        url: "https://facts.example.com/lionel-messi",
        snippet: "Lionel Messi is one of the best paid footballers in the world.",
        score: 0.81025416,
        published_date: "",
      },
      {
        title: "Messi wins again",
        url: "https://news.example.com/messi",
        snippet: "He scored twice.",
        score: 0.79,
        published_date: "Tue, 24 Nov 2026 08:00:00 GMT",
      },
    ],
    images: [
      {
        url: "https://images.example.com/messi.jpg",
        description: "A footballer in a blue and white shirt",
      },
      { url: "https://images.example.com/cup.jpg", description: "A golden trophy" },
    ],
    response_time_ms: 1670,
  },
  errors: [{
    status: 432,
    file: "tavily/432.json",
    text:
      "This request exceeds your plan's set usage limit. Please upgrade your plan or contact support@tavily.com",
  }, { status: 402, file: "firecrawl/402.json", text: "Insufficient credits to perform this request." }],
}, {
  name: "image_search",
  args: { query: "red fox" },
  service: "serper",
  key: "SERPER_API_KEY",
  base: "SERPER_BASE_URL",
  path: "/images",
  credential: ({ headers }) => headers["x-api-key"],
  scheme: "",
  provider: "Serper",
  good: "serper/images.json",
  body: { q: "red fox", num: 12 },
  result: {
    query: "red fox",
    total: 2,
    images: [
      {
        url: "https://images.example.com/fox-1.jpg",
        title: "fox 1",
        source: "https://pages.example.com/fox/1",
        width: 1200,
        height: 800,
      },
      {
        url: "https://images.example.com/fox-2.jpg",
        title: "fox 2",
        source: "https://pages.example.com/fox/2",
        width: 2400,
        height: 1600,
      },
    ],
  },
  errors: [{
    status: 402,
    file: "firecrawl/402.json",
    text: "Insufficient credits to perform this request.",
  }],
}, {
  name: "scrape_webpage",
  args: { urls: "https://example.com" },
  service: "firecrawl",
  key: "FIRECRAWL_API_KEY",
  base: "FIRECRAWL_BASE_URL",
  path: "/v2/scrape",
  credential: ({ headers }) => headers.authorization,
  scheme: "Bearer ",
  provider: "Firecrawl",
  good: "firecrawl/scrape.json",
  body: { url: "https://example.com", formats: ["markdown"], timeout: 30000 },
  result: {
    url: "https://example.com",
    success: true,
    title: "Example Domain",
    content: JSON.parse(recorded("firecrawl/scrape.json")).data.markdown,
    content_length: JSON.parse(recorded("firecrawl/scrape.json")).data.markdown.length,
    metadata: JSON.parse(recorded("firecrawl/scrape.json")).data.metadata,
  },
  errors: [{
    status: 402,
    file: "firecrawl/402.json",
    text: "Insufficient credits to perform this request.",
  }],
}];

/** A daemon on a project with the five tools; its secrets are a file that is read at each call. */
class Session implements AsyncDisposable {
  private constructor(readonly project: Project, readonly daemon: Daemon, readonly secrets: string) {}

  static async start(files: Record<string, string> = FILES): Promise<Session> {
    const project = new Project({ files });
    const secrets = join(project.base, "secrets.env");
    Deno.writeTextFileSync(secrets, "");
    const options = { args: ["--env-file", secrets], env: { BEEUNI_TOKEN: "router-token-123" } };
    return new Session(project, await startDaemon(project, options), secrets);
  }

  configure(values: Record<string, string>): void {
    Deno.writeTextFileSync(
      this.secrets,
      Object.entries(values).map(([name, value]) => `${name}=${value}\n`).join(""),
    );
  }

  /** Lets a tool call a provider with a key of the project's. */
  direct(tool: WebTool, provider: FakeProvider): void {
    this.configure({ [tool.key]: "own-key-456", [tool.base]: provider.url });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon.stop();
    this.project[Symbol.dispose]();
  }
}

function test(name: string, fn: (session: Session, t: Deno.TestContext) => Promise<void>): void {
  Deno.test({
    name: `beeuni tools: ${name}`,
    ...LENIENT,
    fn: async (t) => {
      await using session = await Session.start();
      await fn(session, t);
    },
  });
}

/** The output is this JSON. */
function jsonOutput(expected: unknown): (answer: Answer) => void {
  return (answer) => {
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(JSON.parse(answer.body.output), expected);
  };
}

test("by router and by a key of the project's own", async ({ daemon, configure, ...session }) => {
  for (const tool of WEB_TOOLS) {
    await using provider = await FakeProvider.start([{ text: recorded(tool.good) }]);
    const set = configure.bind(session);
    const direct = { [tool.key]: "own-key-456", [tool.base]: `${provider.url}/` };
    const routes: [env: Record<string, string>, path: string, credential: string][] = [
      [direct, tool.path, "own-key-456"],
      [
        { BEEUNI_API_URL: `${provider.url}/` },
        `/v1/router/${tool.service}${tool.path}`,
        "router-token-123",
      ],
      [
        { BEEUNI_API_URL: `${provider.url}/v1` },
        `/v1/router/${tool.service}${tool.path}`,
        "router-token-123",
      ],
      [{ ...direct, BEEUNI_API_URL: "http://127.0.0.1:9" }, tool.path, "own-key-456"],
    ];
    for (const [index, [env, path, credential]] of routes.entries()) {
      set(env);
      jsonOutput(tool.result)(await daemon.call(tool.name, { args: tool.args }));
      const request = provider.requests[index];
      assert.ok(request);
      assert.deepEqual([request.method, request.path, request.body], ["POST", path, tool.body]);
      assert.equal(tool.credential(request), tool.scheme + credential);
      assert.equal(request.headers["content-type"], "application/json");
    }
    set({});
    const needs = new RegExp(`${tool.key} is not set: .*BEEUNI_API_URL`);
    toolError(needs)(await daemon.call(tool.name, { args: tool.args }));
    assert.equal(provider.requests.length, routes.length);
  }
});

test("an agent without secrets has no key", async (session) => {
  const [tool] = WEB_TOOLS;
  assert.ok(tool);
  await using provider = await FakeProvider.start([{ text: recorded(tool.good) }]);
  session.direct(tool, provider);
  toolError(/^TAVILY_API_KEY is not set: /)(
    await session.daemon.call(tool.name, { args: tool.args, agent: "none" }),
  );
  assert.equal(provider.requests.length, 0);
});

test("what providers answer when they don't", async (session, t) => {
  const html = recorded("bad_gateway.html");
  for (const tool of WEB_TOOLS) {
    const good: Reply = { text: recorded(tool.good) };
    const call = async (replies: Reply[] | (() => Promise<Reply>)) => {
      await using provider = await FakeProvider.start(replies);
      session.direct(tool, provider);
      const answer = await session.daemon.call(tool.name, { args: tool.args });
      assert.doesNotMatch(JSON.stringify(answer.body), /own-key-456/);
      return { answer, requests: provider.requests };
    };
    const fails = (text: string) => toolError(new RegExp(text));

    for (const { status, file, text } of tool.errors) {
      await t.step(`${tool.name}: ${status}`, async () => {
        const { answer, requests } = await call([{ status, json: JSON.parse(recorded(file)) }]);
        fails(`${tool.provider} API returned ${status}: ${text}`)(answer);
        assert.equal(requests.length, 1);
      });
    }
    await t.step(`${tool.name}: 429 with Retry-After, then an answer`, async () => {
      const busy = {
        status: 429,
        text: recorded(`${tool.service}/429.json`),
        headers: { "retry-after": "2" },
      };
      const { answer, requests } = await call([busy, good]);
      jsonOutput(tool.result)(answer);
      assert.equal(requests.length, 2);
      assert.ok((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0) >= 1950);
    });
    await t.step(`${tool.name}: 500 three times`, async () => {
      const { answer, requests } = await call([{ status: 500, text: recorded(`${tool.service}/500.json`) }]);
      fails(`${tool.provider} API returned 500: .*(?:error|Error)`)(answer);
      assert.equal(requests.length, 3);
    });
    await t.step(`${tool.name}: an HTML page`, async () => {
      const { answer } = await call([{ status: 502, text: html }]);
      fails(`${tool.provider} API returned 502: an HTML page`)(answer);
      assert.ok(answer.body.error.length < 300);
      const told = await call([{ status: 200, text: html }]);
      fails(`${tool.provider} API returned 200: an HTML page`)(told.answer);
    });
    await t.step(`${tool.name}: nothing`, async () => {
      fails(`${tool.provider} API returned 200: an empty response`)((await call([{ text: "" }])).answer);
    });
    await t.step(`${tool.name}: slow`, async () => {
      jsonOutput(tool.result)((await call(() => sleep(1_500).then(() => good))).answer);
    });
    await t.step(`${tool.name}: cut, then cut in the middle, then an answer`, async () => {
      const { answer, requests } = await call(["cut", "cut-body", good]);
      jsonOutput(tool.result)(answer);
      assert.equal(requests.length, 3);
    });
    await t.step(`${tool.name}: cut each time`, async () => {
      fails(`${tool.provider} API could not be reached: `)((await call(["cut"])).answer);
    });
  }
});

test("an abort ends a request and a wait at once", async (session, t) => {
  for (const tool of WEB_TOOLS) {
    const busy = { status: 429, text: "", headers: { "retry-after": "30" } };
    for (const [what, reply] of [["a request", "hang"], ["a body", "hang-body"], ["a wait", busy]] as const) {
      await t.step(`${tool.name}: in ${what}`, async () => {
        await using provider = await FakeProvider.start([reply]);
        session.direct(tool, provider);
        const call = `${tool.name}-${what.replace(" ", "-")}`;
        const answer = session.daemon.call(tool.name, { args: tool.args, call });
        await eventually(() => assert.equal(provider.requests.length, 1));
        if (reply === busy) await eventually(() => assert.equal(provider.open, 0));
        assert.equal((await session.daemon.cancel(call)).status, 202);
        refusal(499, "aborted", /./)(await answer);
        if (reply !== busy) await provider.untilAbandoned();
        assert.equal(provider.open, 0);
        await eventually(async () => assert.equal(await provider.connections(), 0));
        await sleep(300);
        assert.equal(provider.requests.length, 1, "it is not tried again");
        assert.equal((await session.daemon.cancel(call)).status, 404);
      });
    }
  }
});

test("a batch takes one slowest query, not the sum", async (session) => {
  const [tool] = WEB_TOOLS;
  assert.ok(tool);
  await using provider = await FakeProvider.start(() =>
    sleep(400).then(() => ({ text: recorded("tavily/search.json") }))
  );
  session.direct(tool, provider);
  const answer = await session.daemon.call("web_search", { args: { query: "a ||| b ||| c ||| d ||| e" } });
  const { total_queries, results } = JSON.parse(answer.body.output);
  assert.deepEqual(
    [total_queries, results.map(({ query }: { query: string }) => query)],
    [5, ["a", "b", "c", "d", "e"]],
  );
  assert.equal(provider.mostOpen, 5);
});

test("memory touches nothing but memory/, which it makes itself", async ({ project, daemon }) => {
  project.write("sub/.keep", "");
  const call = async (args: Record<string, unknown>) => {
    const { status, body } = await daemon.call("memory", { args, directory: project.path("sub") });
    assert.equal(status, 200, JSON.stringify(body));
    return body.output;
  };
  Deno.writeTextFileSync(join(project.outside, "secret.txt"), "secret");
  const before = snapshot([project.root, project.outside]);
  assert.equal(
    await call({ command: "view", path: "memory" }),
    "The path memory does not exist. Please provide a valid path.",
  );
  assert.deepEqual(snapshot([project.root, project.outside]), before, "a view creates nothing");

  const text = "one\ntwo\n";
  assert.equal(
    await call({ command: "create", path: "/memories/a/b.md", file_text: text }),
    "File created successfully at: /memories/a/b.md",
  );
  assert.equal(project.read("memory/a/b.md"), text);
  Deno.symlinkSync(join(project.outside, "secret.txt"), project.path("memory/file"));
  Deno.symlinkSync(project.outside, project.path("memory/folder"));
  Deno.symlinkSync("../tools", project.path("memory/inner"));
  const rows: [args: Record<string, unknown>, answer: string][] = [
    [
      { command: "str_replace", path: "memory/a/b.md", old_str: "two", new_str: "$& $$" },
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
      "     1\tone\n     2\t$& $$",
    ],
    [
      { command: "insert", path: "memory/a/b.md", insert_line: 0, insert_text: "zero" },
      "The file memory/a/b.md has been edited.",
    ],
    [
      { command: "view", path: "memory/a/b.md", view_range: [2, -1] },
      "Here's the content of memory/a/b.md with line numbers:\n     2\tone\n     3\t$& $$",
    ],
    [
      { command: "rename", old_path: "memory/a/b.md", new_path: "memory/c.md" },
      "Successfully renamed memory/a/b.md to memory/c.md",
    ],
    [{ command: "delete", path: "memory/a" }, "Successfully deleted memory/a"],
    [{ command: "delete", path: "memory/./" }, "Cannot delete the memory directory itself"],
    ...["file", "folder", "folder/secret.txt", "inner/big.ts", "../beeuni.yaml", "x/../../beeuni.yaml"]
      .flatMap(
        (name): [Record<string, unknown>, string][] => {
          const path = `memory/${name}`;
          const escapes = `Error: Path ${path} would escape memory directory`;
          return [
            [{ command: "view", path }, escapes],
            [{ command: "delete", path }, escapes],
            [
              { command: "create", path: `${path}/new`, file_text: "x" },
              `${escapes.replace(path, `${path}/new`)}`,
            ],
            [{ command: "rename", old_path: "memory/c.md", new_path: path }, escapes],
          ];
        },
      ),
    [{ command: "view", path: "/etc/passwd" }, "Error: Path must start with memory, got: /etc/passwd"],
    [{ command: "view", path: "tools" }, "Error: Path must start with memory, got: tools"],
  ];
  for (const [args, answer] of rows) assert.equal(await call(args), answer, JSON.stringify(args));
  const memory = project.path("memory");
  const inside = [memory, ...[...Deno.readDirSync(memory)].map(({ name }) => join(memory, name))];
  assert.deepEqual(snapshot([project.root, project.outside], inside), before);
  assert.equal(Deno.statSync(memory).mode! & 0o777, 0o700);
  assert.equal(Deno.statSync(project.path("memory/c.md")).mode! & 0o777, 0o600);
});

test("memory: of two agents at once no change is lost", async ({ project, daemon }) => {
  project.write("memory/log.md", "");
  const work = async (agent: string) => {
    for (let index = 0; index < 25; index++) {
      const args = {
        command: "insert",
        path: "memory/log.md",
        insert_line: 0,
        insert_text: `${agent}${index}`,
      };
      output("The file memory/log.md has been edited.")(await daemon.call("memory", { args, agent }));
    }
  };
  await Promise.all([work("a"), work("b")]);
  const expected = ["a", "b"].flatMap((agent) => Array.from({ length: 25 }, (_, index) => agent + index));
  assert.deepEqual(project.read("memory/log.md").trimEnd().split("\n").sort(), expected.sort());
});

test("memory: a runner killed in the middle leaves the old text or the new", async ({ project, daemon }) => {
  const texts = ["a", "b"].map((letter) => `${letter.repeat(79)}\n`.repeat(40_000));
  project.write("memory/big.md", texts[0]!);
  const kinds = new Set(texts);
  let died = 0;
  for (let round = 0; round < 2; round++) {
    const now = project.read("memory/big.md");
    const args = {
      command: "str_replace",
      path: "memory/big.md",
      old_str: now,
      new_str: texts.find((text) => text !== now),
    };
    const runners = new Set(daemon.runners());
    const answer = daemon.call("memory", { args });
    const lock = project.path("memory/.lock");
    await Promise.race([
      answer,
      eventually(() => Deno.lstatSync(lock), { every: 1, within: 10_000 }).catch(() => {}),
    ]);
    for (const pid of new Set([...runners, ...daemon.runners()])) {
      try {
        Deno.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    const { status, body } = await answer;
    if (status !== 200) {
      assert.deepEqual([status, body.code, body.retryable], [502, "sandbox_died", true]);
      died++;
    }
    assert.ok(kinds.has(project.read("memory/big.md")));
    const next = { command: "create", path: `memory/${round}.md`, file_text: "x" };
    output(`File created successfully at: memory/${round}.md`)(await daemon.call("memory", { args: next }));
    assert.deepEqual(
      [...Deno.readDirSync(project.path("memory"))].map(({ name }) => name).filter((name) => name[0] === "."),
      [],
    );
  }
  assert.ok(died > 0, "no runner was killed in time");
});

test("show: files of the project, the temp folder and its own session's outputs", async (session) => {
  const { project, daemon } = session;
  project.write("out/report.pdf", "x");
  Deno.writeTextFileSync(join(project.outside, "secret.pdf"), "x");
  Deno.symlinkSync(join(project.outside, "secret.pdf"), project.path("out/link.pdf"));
  const big = await daemon.call("big", { session: "s1" });
  assert.equal(big.body.truncated, true);
  const show = (path: string, session: string) =>
    daemon.call("show", { args: { action: "show", type: "file", path, title: "T" }, session });
  const shown = (path: string) => (answer: Answer) => {
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const result = JSON.parse(answer.body.output);
    const { id, timestamp, ...entry } = result.entry;
    assert.match(id, /^\S+$/);
    assert.ok(Date.now() - Date.parse(timestamp) < 60_000);
    assert.deepEqual({ ...result, entry }, {
      success: true,
      action: "show",
      entry: { type: "file", variant: "compact", title: "T", path },
      message: 'file "T" presented to user.',
    });
  };
  const outside = toolError(/^File is outside the project: /);
  const check = async () => {
    shown(project.path("out/report.pdf"))(await show("out/report.pdf", "s1"));
    shown(big.body.file)(await show(big.body.file, "s1"));
    outside(await show(big.body.file, "s2"));
    outside(await show(join(project.outside, "secret.pdf"), "s1"));
    outside(await show("out/link.pdf", "s1"));
    outside(await show("/etc/passwd", "s1"));
    toolError("File not found: out/none.pdf")(await show("out/none.pdf", "s1"));
  };
  await check();
  assert.equal((await beeuni(project, ["tools", "eject", "show"])).code, 0);
  assert.deepEqual((await daemon.reload()).body.changed, ["show"]);
  await check();
});

test("ejected copies answer byte for byte what the built-ins answer", async (session) => {
  const { project, daemon } = session;
  await using provider = await FakeProvider.start(({ path, body }, _index) => {
    const tool = WEB_TOOLS.find((tool) => path.endsWith(tool.path));
    if (JSON.stringify(body).includes("denied")) return { status: 401, text: "no such key" };
    return { text: recorded(Array.isArray(body) ? "serper/images_batch.json" : tool?.good ?? "") };
  });
  session.configure(
    Object.assign({}, ...WEB_TOOLS.map(({ key, base }) => ({ [key]: "own-key-456", [base]: provider.url }))),
  );
  project.write("out/report.pdf", "x");
  const inputs: [tool: string, args: Record<string, unknown>][] = [
    ...WEB_TOOLS.map(({ name, args }): [string, Record<string, unknown>] => [name, args]),
    ["web_search", { query: "a ||| denied ||| c", topic: "news" }],
    ["web_search", { query: " ||| " }],
    ["web_search", {}],
    ["image_search", { query: "red fox ||| arctic fox", num_results: 500 }],
    ["image_search", { query: "denied" }],
    ["scrape_webpage", { urls: "example.com, https://example.org/a,b, ftp://x", include_html: true }],
    ["scrape_webpage", { urls: "" }],
    ["memory", { command: "view", path: "memory" }],
    ["memory", { command: "create", path: "memory/notes/ü.md", file_text: "one\r\ntwo\r\n" }],
    ["memory", { command: "str_replace", path: "memory/notes/ü.md", old_str: "two", new_str: "2" }],
    ["memory", { command: "view", path: "memory/notes/ü.md" }],
    ["memory", { command: "nonsense" }],
    ["memory", { command: "delete", path: "memory/notes" }],
    ["show", { action: "show", type: "pdf", path: "out/report.pdf", theme: "info" }],
    ["show", { action: "show", type: "pdf" }],
    ["show", { action: "show", items: [{ type: "text", content: "c" }, { type: "url" }], title: "T" }],
  ];
  const answers = async () => {
    const all: [number, string][] = [];
    for (const [tool, args] of inputs) {
      const { status, body } = await daemon.call(tool, { args, session: "s1" });
      // What differs from call to call by its nature: the id and the time of an entry of show.
      const text = String(body.output ?? body.error).replaceAll(/"(id|timestamp)": "[^"]+"/g, '"$1": "…"');
      all.push([status, text]);
    }
    Deno.removeSync(project.path("memory"), { recursive: true });
    return all;
  };
  const builtIn = await answers();
  for (const name of TOOLS) assert.equal((await beeuni(project, ["tools", "eject", name])).code, 0);
  assert.deepEqual((await daemon.reload()).body.changed.sort(), [...TOOLS].sort());
  const { tools } = (await daemon.request("/beeuni/tools")).body;
  assert.deepEqual(
    tools.filter(({ kind }: { kind: string }) => kind === "beeuni (overridden)").map((
      tool: { name: string },
    ) => tool.name),
    TOOLS,
  );
  assert.deepEqual(await answers(), builtIn);
  assert.ok(builtIn.filter(([status]) => status === 200).length >= 12);
});

test("the published edit of an ejected web_search, and an override without eject", async (session) => {
  const { project, daemon } = session;
  const [tool] = WEB_TOOLS;
  assert.ok(tool);
  await using provider = await FakeProvider.start([{ text: recorded(tool.good) }]);
  session.direct(tool, provider);
  assert.equal((await beeuni(project, ["tools", "eject", "web_search"])).code, 0);
  const source = project.read("tools/web_search.ts");
  const line =
    "const queries = String(args.query ?? '').split('|||').map((query) => query.trim()).filter(Boolean)\n";
  assert.equal(source.split(line).length, 2);
  const published = `${line}  .map((query) => \`site:docs.example.com \${query}\`)\n`;
  project.write("tools/web_search.ts", source.replace(line, () => published));
  assert.deepEqual((await daemon.reload()).body.changed, ["web_search"]);
  const answer = await daemon.call("web_search", { args: { query: "a ||| b" } });
  const queries = ["site:docs.example.com a", "site:docs.example.com b"];
  assert.deepEqual(
    JSON.parse(answer.body.output).results.map(({ query }: { query: string }) => query),
    queries,
  );
  assert.deepEqual(provider.requests.map(({ body }) => (body as { query: string }).query).sort(), queries);

  project.write(
    "integrations/search/web_search.ts",
    "export default { description: 'd', parameters: { type: 'object' }, execute: (args, { env }) => " +
      "({ ...args, token: env.BEEUNI_TOKEN?.length }) }\n",
  );
  project.write(
    "beeuni.yaml",
    MANIFEST.replace("web_search: beeuni:web_search", "web_search: integrations/search/web_search.ts"),
  );
  assert.deepEqual((await daemon.reload()).body.changed, ["web_search"]);
  jsonOutput({ query: "q", token: "router-token-123".length })(
    await daemon.call("web_search", { args: { query: "q" } }),
  );
});
