import assert from "node:assert/strict";
import { join } from "node:path";
import { permissionSubjects } from "../../agents/permission_subjects.ts";
import { type PluginBridge, pluginSource } from "./plugin_source.ts";

interface Asked {
  permission: string;
  patterns: string[];
}

interface Entry {
  description: string;
  args: Record<string, unknown>;
  execute(args: unknown, context: Record<string, unknown>): Promise<unknown>;
}

interface Hooks {
  tool: Record<string, Entry>;
  "tool.definition": (input: unknown, output: Record<string, unknown>) => Promise<void>;
  config: (config: Record<string, unknown>) => Promise<void>;
}

const SCHEMA = {
  type: "object",
  properties: { id: { type: "string", "x-odd": [1, null] } },
  required: ["id"],
};
const NAMES = ["lookup_order", "web_search", "image_search", "scrape_webpage", "memory"];
const TOOLS = NAMES.map((name) => ({ name, description: `The ${name}.`, parameters: SCHEMA }));

/** The plugin as it is written, in a folder of its own, with a daemon that is a function. */
class Fixture implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "beeuni-plugin-test-" });
  readonly bridge = join(this.folder, "bridge.json");
  readonly requests: { url: string; init: Record<string, unknown> }[] = [];
  readonly asked: Asked[] = [];
  answer: (url: string) => Response | Promise<Response> = (url) =>
    url.endsWith("/beeuni/tools") ? Response.json({ tools: TOOLS }) : Response.json({ output: "done" });
  readonly #fetch = globalThis.fetch;
  #module: { Beeuni: (input?: unknown) => Promise<Hooks> } | undefined;

  async start(bridge: Partial<PluginBridge> = {}, input?: unknown): Promise<Hooks> {
    await Deno.writeTextFile(this.bridge, JSON.stringify({ url: "http://daemon", token: "t1", ...bridge }));
    return await this.init(input);
  }

  async init(input?: unknown): Promise<Hooks> {
    globalThis.fetch = (url, init) => {
      this.requests.push({ url: String(url), init: { ...init } });
      return Promise.resolve(this.answer(String(url)));
    };
    if (this.#module === undefined) {
      const file = join(this.folder, "beeuni.ts");
      await Deno.writeTextFile(file, await pluginSource(this.bridge));
      this.#module = await import(`file://${file}`);
    }
    return await this.#module!.Beeuni(input);
  }

  context(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      sessionID: "ses_1",
      agent: "beeuni",
      callID: "call_1",
      directory: "/checkout",
      abort: new AbortController().signal,
      ask: (request: Asked) => {
        this.asked.push({ permission: request.permission, patterns: request.patterns });
        return Promise.resolve();
      },
      ...more,
    };
  }

  exports(): Record<string, unknown> {
    return { ...this.#module };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    globalThis.fetch = this.#fetch;
    await Deno.remove(this.folder, { recursive: true });
  }
}

Deno.test("plugin: exports functions alone, and its file imports nothing", async () => {
  await using fixture = new Fixture();
  await fixture.start();
  assert.deepEqual(Object.values(fixture.exports()).map((value) => typeof value), ["function"]);
  assert.doesNotMatch(
    await Deno.readTextFile(join(fixture.folder, "beeuni.ts")),
    /^\s*import |\bimport\(|\brequire\(/m,
  );
});

Deno.test("plugin: reads its key once and removes it, and keeps it when the folder is set up again", async () => {
  await using fixture = new Fixture();
  await fixture.start();
  await assert.rejects(Deno.lstat(fixture.bridge), Deno.errors.NotFound);
  const hooks = await fixture.init();
  assert.deepEqual(Object.keys(hooks.tool), NAMES);
  const auth = (at: number) =>
    (fixture.requests.at(at)?.init.headers as Record<string, string>).authorization;
  assert.deepEqual([auth(0), auth(1)], ["Bearer t1", "Bearer t1"]);
  await fixture.start({ token: "t2" });
  assert.equal(auth(2), "Bearer t2");
});

Deno.test("plugin: a call", async () => {
  await using fixture = new Fixture();
  const { tool } = await fixture.start();
  const context = fixture.context();
  assert.deepEqual(await tool.lookup_order!.execute({ id: "A-1" }, context), { output: "done" });
  const { url, init } = fixture.requests.at(-1)!;
  assert.equal(url, "http://daemon/beeuni/tools/lookup_order");
  assert.equal(init.method, "POST");
  assert.equal(init.timeout, false);
  assert.equal(init.signal, context.abort);
  assert.deepEqual(JSON.parse(String(init.body)), {
    args: { id: "A-1" },
    agent: "beeuni",
    session: "ses_1",
    call: "call_1",
    directory: "/checkout",
  });
  assert.deepEqual(fixture.asked, [{ permission: "lookup_order", patterns: ["*"] }]);
});

Deno.test("plugin: what a call that fails tells the model", async () => {
  const cases: [answer: Response | Error, expected: string][] = [
    [
      Response.json({ error: "orders API answered 503", code: "tool_failed" }, { status: 422 }),
      "orders API answered 503",
    ],
    [
      Response.json({ error: "no tool named lookup_order is loaded" }, { status: 404 }),
      "Tool lookup_order not found",
    ],
    [
      Response.json({ error: "agent a may not use lookup_order" }, { status: 403 }),
      "agent a may not use lookup_order",
    ],
    [Response.json({ error: "" }, { status: 422 }), ""],
    [Response.json({}, { status: 500 }), "lookup_order failed: Beeuni's daemon answered 500."],
    [
      new Error("ECONNREFUSED"),
      "lookup_order could not be called: Beeuni's daemon does not answer. Try again later.",
    ],
    [
      new Response("<html>", { status: 200 }),
      "lookup_order could not be called: Beeuni's daemon does not answer. Try again later.",
    ],
  ];
  for (const [answer, expected] of cases) {
    await using fixture = new Fixture();
    const { tool } = await fixture.start();
    fixture.answer = () => answer instanceof Error ? Promise.reject(answer) : answer;
    await assert.rejects(tool.lookup_order!.execute({}, fixture.context()), (error: Error) => {
      assert.equal(error.message, expected);
      return true;
    });
  }
});

Deno.test("plugin: a refused permission stops the call before the daemon hears of it", async () => {
  await using fixture = new Fixture();
  const { tool } = await fixture.start();
  const before = fixture.requests.length;
  const context = fixture.context({ ask: () => Promise.reject(new Error("the rules say no")) });
  await assert.rejects(tool.lookup_order!.execute({}, context), /the rules say no/);
  assert.equal(fixture.requests.length, before);
});

Deno.test("plugin: asks for what the daemon's rules compare", async () => {
  const calls: [tool: string, args: Record<string, unknown>][] = [
    ["lookup_order", { id: "A-1" }],
    ["web_search", { query: "cats ||| dogs" }],
    ["web_search", { query: "" }],
    ["image_search", { query: "cats" }],
    ["scrape_webpage", { urls: "https://a.example, HTTPS://B.example/x\nc.example:8080/y" }],
    ["scrape_webpage", { urls: "a.example,b.example https://c.example" }],
    ["scrape_webpage", {}],
    ["memory", { command: "create", path: "/memories/notes.md" }],
    ["memory", { command: "rename", old_path: "./memory/a", new_path: "memory/sub/../b" }],
    ["memory", { command: "create", path: "/memories/../../x" }],
    ["memory", { command: "create", path: "memory/" }],
  ];
  await using fixture = new Fixture();
  const { tool } = await fixture.start();
  for (const [name, args] of calls) {
    await tool[name]!.execute(args, fixture.context());
    const { patterns } = fixture.asked.at(-1)!;
    // The daemon names what is outside of the checkout by its absolute path.
    const inside = permissionSubjects(name, args, { root: "/a/b" }).map((text) =>
      text === "/a/x" ? "../x" : text
    );
    assert.deepEqual(patterns, inside, `${name} ${JSON.stringify(args)}`);
  }
});

Deno.test("plugin: memory asks for a permission of its own when it only reads", async () => {
  await using fixture = new Fixture();
  const { tool } = await fixture.start();
  for (const command of ["view", "create", "delete"]) {
    await tool.memory!.execute({ command }, fixture.context());
  }
  assert.deepEqual(fixture.asked.map(({ permission }) => permission), ["memory.view", "memory", "memory"]);
});

Deno.test("plugin: the tool's own schema reaches the model, and nothing else changes", async () => {
  await using fixture = new Fixture();
  const hooks = await fixture.start();
  assert.deepEqual(hooks.tool.lookup_order!.args, SCHEMA.properties);
  const parameters = { of: "OpenCode" };
  const output: Record<string, unknown> = { parameters, jsonSchema: { other: true } };
  await hooks["tool.definition"]({ toolID: "lookup_order" }, output);
  assert.deepEqual(output.jsonSchema, SCHEMA);
  assert.equal(output.parameters, parameters);
  const other = { jsonSchema: 1 };
  await hooks["tool.definition"]({ toolID: "bash" }, other);
  assert.deepEqual(other, { jsonSchema: 1 });
  for (
    const [input, given] of [[undefined, undefined], [{}, {}], [
      { toolID: "lookup_order" },
      undefined,
    ]] as const
  ) {
    await hooks["tool.definition"](input, given as Record<string, unknown>);
  }
});

Deno.test("plugin: a daemon that does not answer, or not with a list, leaves OpenCode without tools", async () => {
  const answers: (Response | Error)[] = [
    new Error("ECONNREFUSED"),
    new Response("no", { status: 401 }),
    Response.json({ error: "x" }, { status: 401 }),
    Response.json({ tools: 3 }),
  ];
  for (const answer of answers) {
    await using fixture = new Fixture();
    fixture.answer = () => answer instanceof Error ? Promise.reject(answer) : answer;
    assert.deepEqual((await fixture.start()).tool, {});
    assert.ok(fixture.requests[0]!.init.signal instanceof AbortSignal, "the list has a deadline");
  }
});

Deno.test("plugin: leaves out what the project's own tools for OpenCode replace", async () => {
  await using fixture = new Fixture();
  const { tool } = await fixture.start({ hidden: ["memory"] });
  assert.deepEqual(Object.keys(tool), NAMES.filter((name) => name !== "memory"));
});

Deno.test("plugin: gives Beeuni's providers the key, and no other", async () => {
  await using fixture = new Fixture();
  const { config } = await fixture.start();
  const provider = {
    "beeuni-openai": { options: { baseURL: "u", apiKey: "none" } },
    other: { options: { apiKey: "x" } },
  };
  await config({ provider });
  assert.deepEqual(provider, {
    "beeuni-openai": { options: { baseURL: "u", apiKey: "t1" } },
    other: { options: { apiKey: "x" } },
  });
  await config({});
});

Deno.test("plugin: takes the password out of the environment in servers of our own only", async () => {
  const name = "OPENCODE_SERVER_PASSWORD";
  for (const keep of [false, true]) {
    await using fixture = new Fixture();
    Deno.env.set(name, "secret");
    try {
      await fixture.start(keep ? { keep } : {});
      assert.equal(Deno.env.get(name), keep ? "secret" : undefined);
      const left = await Deno.lstat(fixture.bridge).then(() => true, () => false);
      assert.equal(left, keep);
    } finally {
      Deno.env.delete(name);
    }
  }
});

Deno.test("plugin: an installed one brings its tools in its project alone", async () => {
  await using fixture = new Fixture();
  const root = await Deno.realPath(fixture.folder);
  const inside = join(root, "sub");
  await Deno.mkdir(inside);
  for (
    const [directory, count] of [[root, 5], [inside, 5], ["/", 0], [`${root}/gone`, 0], [
      undefined,
      0,
    ]] as const
  ) {
    const { tool } = await fixture.start({ keep: true, root }, { directory });
    assert.equal(Object.keys(tool).length, count, String(directory));
  }
});

Deno.test("plugin: an installed one finds a daemon that was started anew", async () => {
  await using fixture = new Fixture();
  const daemonFile = join(fixture.folder, "daemon.json");
  await Deno.writeTextFile(fixture.bridge, JSON.stringify({ token: "t", keep: true, daemonFile }));
  await Deno.writeTextFile(daemonFile, JSON.stringify({ url: "http://one" }));
  const { tool } = await fixture.init();
  await Deno.writeTextFile(daemonFile, JSON.stringify({ url: "http://two" }));
  await tool.lookup_order!.execute({}, fixture.context());
  assert.deepEqual(fixture.requests.map(({ url }) => url), [
    "http://one/beeuni/tools",
    "http://two/beeuni/tools/lookup_order",
  ]);
});
