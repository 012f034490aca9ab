import assert from "node:assert/strict";
import { FakeProvider, recorded } from "../fixtures/providers/fake_provider.ts";
import { runScenario, type Scenario } from "./support/scenario.ts";
import { lastToolResult } from "./support/scripted_model.ts";
import { SessionBench } from "./support/sessions.ts";

// What a tool gives is the same on both harnesses, and what the specification says (4, 2.5, 3).

const ORDER = `{
  "id": "A-1042",
  "status": "shipped",
  "items": [
    "tea",
    "Brötchen"
  ]
}`;
const PACKED = '{\n  "id": "A-1043",\n  "status": "packed",\n  "items": []\n}';
const NO_ORDER = "There is no order A-9: ask the customer for the number on the invoice.";
const MEMORY = "memory/notes/tea.md";
const NOTE =
  /^\[Output truncated: (\d+) bytes, (\d+) lines\. The whole output is in (\S+); read it in parts or search it\.\]$/m;

const lookUp = (id: string) => ({ tool: "lookup_order", args: { id } });

const SCENARIOS: Scenario[] = [
  {
    name: "a project tool, and the answer that the model makes of it",
    steps: [lookUp("A-1042"), { echo: true }],
    calls: [{ tool: "lookup_order", status: "completed", output: ORDER }],
    check: ({ messages }) => assert.equal(messages.at(-1)?.text, ORDER),
  },
  {
    name: "a tool's error is what it threw, and the turn goes on",
    steps: [lookUp("A-9"), lookUp("A-1043"), { text: "sorry" }],
    calls: [
      { tool: "lookup_order", status: "error", error: NO_ORDER },
      { tool: "lookup_order", status: "completed", output: PACKED },
    ],
    check: ({ messages }, { model }) => {
      assert.equal(messages.at(-1)?.text, "sorry");
      const request = model.turns(messages[0]!.text).at(-2)!;
      assert.match(lastToolResult(request.body), new RegExp(NO_ORDER));
    },
  },
  {
    name: "several calls in one message",
    steps: [{ tools: [lookUp("A-1042"), lookUp("A-9"), lookUp("A-1043")], text: "All three." }, {
      text: "done",
    }],
    calls: [
      { tool: "lookup_order", status: "completed", output: ORDER },
      { tool: "lookup_order", status: "error", error: NO_ORDER },
      { tool: "lookup_order", status: "completed", output: PACKED },
    ],
    check: ({ messages }) => assert.equal(messages[1]?.text, "All three."),
  },
  {
    name: "arguments come as the model wrote them, whatever the schema says",
    steps: [
      { tool: "given", args: { count: "7", flag: 1, text: null, more: { deep: [1, "ä"] } } },
      { tool: "given", args: {} },
    ],
    calls: [
      {
        tool: "given",
        status: "completed",
        output: JSON.stringify({ count: "7", flag: 1, text: null, more: { deep: [1, "ä"] } }, null, 2),
      },
      { tool: "given", status: "completed", output: "{}" },
    ],
  },
  {
    name: "arguments that are no JSON: the model is told, and the turn goes on",
    steps: [{ tool: "given", raw: '{"text": "half' }, { tool: "given", args: { text: "whole" } }],
    calls: () => [
      { tool: "given", status: "error", error: /./ },
      { tool: "given", status: "completed", output: '{\n  "text": "whole"\n}' },
    ],
  },
  {
    name: "the context of a call",
    steps: [{ tool: "given", args: { context: true } }],
    calls: [{ tool: "given", status: "completed" }],
    check: ({ calls, session }, { project }) =>
      assert.deepEqual(JSON.parse(calls[0]!.output!), {
        agent: "beeuni",
        directory: project.root,
        sessionId: session.id,
        signal: true,
      }),
  },
  {
    name: "web_search",
    steps: [{ tool: "web_search", args: { query: "Who is Leo Messi?", num_results: 3 } }],
    calls: [{ tool: "web_search", status: "completed", output: /"answer": "Lionel Messi, born in 1987/ }],
  },
  {
    name: "image_search",
    steps: [{ tool: "image_search", args: { query: "lions" } }],
    calls: [{
      tool: "image_search",
      status: "completed",
      output: /^\{\n {2}"query": "lions",\n {2}"total": \d+,/,
    }],
  },
  {
    name: "scrape_webpage",
    steps: [{ tool: "scrape_webpage", args: { urls: "https://page.example.com" } }],
    calls: [{ tool: "scrape_webpage", status: "completed", output: /"success": true/ }],
  },
  {
    name: "memory",
    alone: ({ project }) => Deno.removeSync(project.path("memory"), { recursive: true }),
    steps: [
      { tool: "memory", args: { command: "create", path: MEMORY, file_text: "green\n" } },
      { tool: "memory", args: { command: "create", path: MEMORY, file_text: "black\n" } },
      { tool: "memory", args: { command: "view", path: MEMORY } },
      { tool: "memory", args: { command: "view", path: "../secrets" } },
    ],
    calls: [
      { tool: "memory", status: "completed", output: `File created successfully at: ${MEMORY}` },
      { tool: "memory", status: "completed", output: `Error: File ${MEMORY} already exists` },
      {
        tool: "memory",
        status: "completed",
        output: `Here's the content of ${MEMORY} with line numbers:\n     1\tgreen`,
      },
      { tool: "memory", status: "completed", output: "Error: Path must start with memory, got: ../secrets" },
    ],
    check: (_, { project }) => assert.equal(project.read(MEMORY), "green\n"),
  },
  {
    name: "show",
    steps: [
      { tool: "show", args: { action: "show", type: "markdown", content: "# Tea", title: "Tea" } },
      { tool: "show", args: { action: "show", type: "pdf" } },
    ],
    calls: [
      {
        tool: "show",
        status: "completed",
        output: /"type": "markdown",\n {4}"variant": "detail",\n {4}"title": "Tea"/,
      },
      { tool: "show", status: "error", error: "'path' is required when type is 'pdf'." },
    ],
  },
  {
    name: "a skill of the project",
    steps: [{ tool: "skill", args: { name: "house" } }],
    calls: () => [{ tool: "skill", status: "completed", output: /Answer in whole sentences\./ }],
  },
  ...[[2_000, 0, false], [5_000, 0, true], [1, 60_000, true], [300, 400, true]].map(
    ([lines, width, cut]): Scenario => ({
      name: `a long output is cut once: ${lines} lines with ${width} more characters`,
      steps: [
        { tool: "long_output", args: { lines, width } },
        (request) => {
          const file = NOTE.exec(lastToolResult(request))?.[3];
          return file === undefined
            ? { text: "It was whole." }
            : { tool: "read", args: { filePath: file, offset: Math.max(1, Number(lines) - 1), limit: 2 } };
        },
      ],
      calls: () => [
        { tool: "long_output", status: "completed" },
        ...(cut ? [{ tool: "read", status: "completed" as const, output: new RegExp(`row ${lines}`) }] : []),
      ],
      check: ({ calls, messages, session }, { model }) => {
        const [{ output = "", file }] = calls as [typeof calls[0]];
        const given = lastToolResult(model.turns(messages[0]!.text)[1]!.body);
        assert.equal(given, output, "the model got what is stored");
        if (!cut) {
          assert.equal(output.split("\n").length, lines);
          assert.ok(!("file" in calls[0]!));
          return;
        }
        const notes = output.match(/truncated/gi) ?? [];
        assert.equal(notes.length, 1, `it was cut ${notes.length} times: ${output.slice(-400)}`);
        const [, bytes, count, path] = NOTE.exec(output)!;
        assert.equal(path, file);
        assert.ok(path!.includes(`/beeuni-tool-output/${session.id}/long_output-`), String(path));
        const whole = Deno.readTextFileSync(path!);
        assert.deepEqual([whole.length, whole.split("\n").length], [Number(bytes), Number(count)]);
        assert.equal(whole.split("\n").length, lines);
        assert.ok(whole.startsWith(output.slice(0, output.indexOf("\n\n[Output truncated"))));
        assert.ok(new TextEncoder().encode(output).length <= 51_200);
        assert.ok(output.split("\n").length <= 2_000);
      },
    }),
  ),
  {
    name: "a long error is cut as an output is",
    steps: [{ tool: "long_output", args: { lines: 5_000, fail: true } }],
    calls: [{ tool: "long_output", status: "error", error: /^row 1\nrow 2\n/ }],
    check: ({ calls }) => assert.equal(calls[0]!.error!.match(/truncated/gi)?.length, 1),
  },
];

let bench: SessionBench;
let provider: FakeProvider;

Deno.test.beforeAll(async () => {
  provider = await FakeProvider.start(({ path }) => {
    if (path === "/images") return { json: { ...JSON.parse(recorded("serper/images.json")) } };
    return { text: recorded(path === "/search" ? "tavily/search.json" : "firecrawl/scrape.json") };
  });
  const env = Object.fromEntries(
    ["TAVILY", "SERPER", "FIRECRAWL"].flatMap((name) => [
      [`${name}_BASE_URL`, provider.url],
      [`${name}_API_KEY`, "own-key-456"],
    ]),
  );
  const files = { "memory/.keep": "" };
  bench = await SessionBench.start({ fixture: "sessions/main", files, daemon: { env } });
});

Deno.test.afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

for (const scenario of SCENARIOS) {
  Deno.test({
    name: `sessions, both harnesses: ${scenario.name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => runScenario(bench, scenario),
  });
}
