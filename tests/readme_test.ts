import assert from "node:assert/strict";
import config from "../deno.json" with { type: "json" };
import { type CodeBlock, readMarkdown } from "./support/markdown.ts";
import { ReadmeWalk, type WalkRules } from "./support/readme_walk.ts";
import type { ScriptedModel } from "./support/scripted_model.ts";
import { HARNESSES } from "./support/sessions.ts";

// A newcomer's path: the README and the page it sends to, every block from top to bottom, in one shell with an empty
// HOME. What has to be elsewhere in a test (a host, a port) is put into the text; what can't be run at all is in a list
// that has to fit exactly, so that nothing is left out in silence.

const PAGES = ["README.md", "docs/harnesses.md"];

const RULES: WalkRules = {
  notRun: Object.fromEntries(
    ["demo", "build", "test", "ok", "bench"].map((name) => [
      `npx -y deno@2.9.6 task ${name}`,
      () => assert.ok(name in config.tasks, `deno.json has no task ${name}`),
    ]),
  ),
  serves: ["beeuni daemon --env-file .env.tools", "beeuni daemon"],
  before: {
    "beeuni sessions answer ID once": async (walk) => {
      await walk.succeed('beeuni sessions new --agent careful --model any/model --prompt "Run a program."');
      await walk.state("asks");
    },
    "beeuni sessions stop ID": async (walk) => {
      await walk.state("completed");
      await walk.succeed('beeuni sessions prompt ID --prompt "Take your time."');
    },
  },
};

/** What the model does with the prompts of the pages and of {@link RULES}. */
function teach(model: ScriptedModel): void {
  const greet = (text: string) => [{ tool: "greet", args: { text } }, { echo: true }] as const;
  model.on("Call the greet tool once with text hello and print its output.", greet("hello"));
  model.on("Once more, with text goodbye.", greet("goodbye"));
  model.on("Run a program.", [
    { tool: "bash", args: { command: "echo run", description: "Runs a program" } },
    { echo: true },
  ]);
  model.on("Take your time.", [{ text: "Too late.", sleep: 60_000 }]);
  model.on("Summarize README.md", [{ text: "It is about tools." }]);
  model.on("And the tests?", [{ text: "They pass." }]);
}

for (const harness of HARNESSES) {
  Deno.test({
    name: `the README is true from top to bottom, with ${
      harness === "standard" ? "OpenCode" : "no OpenCode"
    } on the PATH`,
    async fn() {
      await using walk = await ReadmeWalk.start({ ...RULES, harness, api: orders });
      teach(walk.model);
      for (const page of PAGES) {
        for (const block of pageBlocks(page)) await walk.block(page, block);
      }
      // Nothing is left in a list that is in no page any more.
      assert.deepEqual([...walk.notRun].sort(), Object.keys(RULES.notRun).sort());
      assert.deepEqual([...walk.prepared].sort(), Object.keys(RULES.before).sort());
      assert.deepEqual([...walk.served].sort(), [...RULES.serves].sort());
    },
  });
}

function pageBlocks(page: string): CodeBlock[] {
  return readMarkdown(Deno.readTextFileSync(new URL(`../${page}`, import.meta.url))).blocks;
}

/** The API of the README's tool. */
function orders(request: Request): Response {
  const id = /^\/v1\/orders\/([^/]+)$/.exec(new URL(request.url).pathname)?.[1];
  if (request.headers.get("authorization") !== "Bearer the-key") return new Response(null, { status: 401 });
  return id === undefined ? new Response(null, { status: 404 }) : Response.json({ id, status: "shipped" });
}
