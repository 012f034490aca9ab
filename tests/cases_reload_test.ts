import assert from "node:assert/strict";
import { join } from "node:path";
import { startDaemon } from "./support/daemon.ts";
import { eventually, sleep } from "./support/eventually.ts";
import { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { beeuni } from "./support/run.ts";
import { output, refusal } from "./support/told.ts";

// Edits, reloads, links and the catalogue's cache (specification 2.2, cases L7 to L9).

const tool = (answer: string, description = "A tool.", imports = "") =>
  `${imports}export default {
  description: ${JSON.stringify(description)},
  parameters: { type: "object", properties: {} },
  execute: () => ${answer},
}
`;

const FILES = {
  "beeuni.yaml": "tools:\n  entry: tools/entry.ts\n  still: tools/still.ts\n",
  "tools/entry.ts": tool(
    "word + data.n",
    "A tool.",
    [
      'import { word } from "./lib/word.ts";',
      'import data from "./lib/data.json" with { type: "json" };\n',
    ].join("\n"),
  ),
  "tools/lib/word.ts": 'export const word = "old ";\n',
  "tools/lib/data.json": '{ "n": 1 }\n',
  "tools/still.ts": `let calls = 0\n${tool("++calls")}`,
};

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

/** Replaces a file's content with one of the same size and puts its times back. */
function editUnseen(project: Project, path: string, from: string, to: string): void {
  assert.equal(from.length, to.length);
  const { atime, mtime } = Deno.statSync(project.path(path));
  project.write(path, project.read(path).replace(from, to));
  Deno.utimeSync(project.path(path), atime ?? 0, mtime ?? 0);
}

const EDITS: { name: string; path: string; from: string; to: string; then: string }[] = [
  { name: "a helper", path: "tools/lib/word.ts", from: "old", to: "new", then: "new 1" },
  { name: "a JSON helper", path: "tools/lib/data.json", from: "1", to: "2", then: "old 2" },
  { name: "the entry", path: "tools/entry.ts", from: "word + ", to: "'x ' + ", then: "x 1" },
];

for (const reload of [true, false]) {
  for (const { name, path, from, to, then } of EDITS) {
    Deno.test({
      name: `reload: an edit of ${name} with its time put back is seen ${
        reload ? "by a reload" : "by the next new worker"
      } (L7)`,
      ...LENIENT,
      async fn() {
        const fresh = reload ? "" : "tool_settings:\n  entry: { fresh: true }\n";
        using project = new Project({ files: { ...FILES, "beeuni.yaml": FILES["beeuni.yaml"] + fresh } });
        await using daemon = await startDaemon(project);
        output("old 1")(await daemon.call("entry"));
        output("1")(await daemon.call("still"));
        editUnseen(project, path, from, to);
        if (reload) {
          const { status, body } = await daemon.reload();
          assert.deepEqual([status, body.changed, body.failed], [200, ["entry"], []]);
        }
        output(then)(await daemon.call("entry"));
        // A tool that did not change keeps its worker, and with it its state.
        output("2")(await daemon.call("still"));
      },
    });
  }
}

Deno.test({
  name: "reload: never new code under an old description",
  ...LENIENT,
  async fn() {
    using project = new Project({
      files: { ...FILES, "beeuni.yaml": FILES["beeuni.yaml"] + "tool_settings:\n  entry: { fresh: true }\n" },
    });
    await using daemon = await startDaemon(project);
    const list = async () => (await daemon.request("/beeuni/tools")).body;
    const before = (await list()).generation;
    project.write("tools/entry.ts", tool("'second'", "The second description."));
    output("second")(await daemon.call("entry"));
    const after = await list();
    assert.ok(after.generation > before);
    assert.equal(after.tools[0].description, "The second description.");
    // It does not load any more: from then on it is failed, and its old code does not run either.
    project.write("tools/entry.ts", "throw new Error('broken by an edit')\n");
    refusal(404, "tool_not_found", "no tool named entry is loaded")(await daemon.call("entry"));
    assert.deepEqual((await list()).failed, [
      { name: "entry", source: "tools/entry.ts", error: "tools/entry.ts: broken by an edit" },
    ]);
    // A failed tool is tried again by a reload.
    project.write("tools/entry.ts", tool("'third'"));
    assert.deepEqual((await daemon.reload()).body.failed, []);
    output("third")(await daemon.call("entry"));
  },
});

Deno.test({
  name: "reload: a manifest with errors keeps the old set and answers 409 with the issues",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    await using daemon = await startDaemon(project);
    for (const broken of ["tools:\n  entry: [\n", "tools:\n  entry: tools/entry.ts\n  entry: x\n"]) {
      project.write("beeuni.yaml", broken);
      const { status, body } = await daemon.reload();
      assert.deepEqual([status, body.code], [409, "manifest_invalid"]);
      assertReadable(body.error);
      assert.equal(body.issues[0].file, "beeuni.yaml");
      assert.equal(body.issues[0].severity, "error");
      output("old 1")(await daemon.call("entry"));
    }
    project.write("beeuni.yaml", "tools:\n  still: tools/still.ts\n  third: tools/entry.ts\n");
    const { status, body } = await daemon.reload();
    assert.equal(status, 200);
    assert.deepEqual(body.changed.sort(), ["entry", "third"]);
    refusal(404, "tool_not_found", "no tool named entry is loaded")(await daemon.call("entry"));
    output("old 1")(await daemon.call("third"));
  },
});

Deno.test({
  name: "cache: a start with nothing changed imports nothing, and serves the same tools",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    project.write("tools/still.ts", `console.log("still was imported")\n${FILES["tools/still.ts"]}`);
    const start = async () => {
      await using daemon = await startDaemon(project);
      const { body } = await daemon.request("/beeuni/tools");
      await sleep(200);
      const imported = daemon.stderr.text.includes("still was imported");
      return { tools: body.tools, failed: body.failed, imported };
    };
    const first = await start();
    const second = await start();
    assert.deepEqual([first.imported, second.imported], [true, false]);
    assert.deepEqual([second.tools, second.failed], [first.tools, first.failed]);
    project.write("tools/lib/word.ts", 'export const word = "newer ";\n');
    await using daemon = await startDaemon(project);
    output("newer 1")(await daemon.call("entry"));
  },
});

for (const kind of ["file", "folder", "inside"] as const) {
  Deno.test({
    name: `links: a module behind a link (${kind}) ${
      kind === "inside" ? "that stays inside works" : "that leaves is refused"
    } (L8)`,
    ...LENIENT,
    async fn() {
      using project = new Project({ files: { "beeuni.yaml": "tools:\n  linked: linked/entry.ts\n" } });
      const outside = join(project.outside, "entry.ts");
      Deno.writeTextFileSync(outside, tool("'from outside'"));
      if (kind === "folder") {
        Deno.symlinkSync(project.outside, project.path("linked"));
      } else if (kind === "file") {
        Deno.mkdirSync(project.path("linked"));
        Deno.symlinkSync("../../outside/entry.ts", project.path("linked/entry.ts"));
      } else {
        project.write("real/entry.ts", tool("'from inside'"));
        Deno.symlinkSync("real", project.path("linked"));
      }
      const validated = await beeuni(project, ["validate", "--json"]);
      await using daemon = await startDaemon(project);
      const { body } = await daemon.request("/beeuni/tools");
      if (kind === "inside") {
        assert.ok(
          !JSON.parse(validated.stdout).issues.some(({ severity }: { severity: string }) => {
            return severity === "error";
          }),
        );
        output("from inside")(await daemon.call("linked"));
        return;
      }
      assert.equal(validated.code, 1);
      const issue = JSON.parse(validated.stdout).issues[0];
      assert.deepEqual([issue.severity, issue.path], ["error", "tools.linked"]);
      assert.deepEqual(body.failed.map(({ name }: { name: string }) => name), ["linked"]);
      assert.match(body.failed[0].error, /link|leaves/);
      refusal(404, "tool_not_found", "no tool named linked is loaded")(await daemon.call("linked"));
    },
  });
}

Deno.test({
  name: "links: eject does not write through a link that leaves the repository (L8)",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "beeuni.yaml": "tools:\n  web_search: beeuni:web_search\n" } });
    Deno.symlinkSync(project.outside, project.path("tools"));
    for (const force of [[], ["--force"]]) {
      const { code, stderr } = await beeuni(project, ["tools", "eject", "web_search", ...force]);
      assert.equal(code, 1);
      assertReadable(stderr);
    }
    assert.deepEqual([...Deno.readDirSync(project.outside)], []);
    assert.equal(project.read("beeuni.yaml"), "tools:\n  web_search: beeuni:web_search\n");
  },
});

Deno.test({
  name: "links: a project that is itself reached through a link works (L9)",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: FILES });
    project.write(
      "tools/still.ts",
      `import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
export default {
  description: "Reads and writes below the checkout.",
  parameters: { type: "object", properties: {} },
  execute(_args, { directory }) {
    writeFileSync(join(directory, "out.txt"), readFileSync(join(directory, "beeuni.yaml"), "utf8"));
    return Deno.realPathSync(directory) === Deno.realPathSync(Deno.cwd()) ? "same" : "other";
  },
}
`,
    );
    const link = join(project.base, "link");
    Deno.symlinkSync(project.root, link);
    await using daemon = await startDaemon(project, { args: ["--project", link] });
    output("old 1")(await daemon.call("entry"));
    output("same")(await daemon.call("still"));
    output("same")(await daemon.call("still", { directory: join(link, "tools", "..") }));
    assert.equal(project.read("out.txt"), FILES["beeuni.yaml"]);
    editUnseen(project, "tools/lib/word.ts", "old", "new");
    assert.deepEqual((await daemon.reload()).body.changed, ["entry"]);
    await eventually(async () => output("new 1")(await daemon.call("entry")));
    const listed = await beeuni(project, ["tools", "ls", "--json", "--project", link]);
    assert.equal(listed.code, 0, listed.stderr);
  },
});

const MOVES: { name: string; move: (project: Project) => void }[] = [
  {
    name: "a .ts put beside the .js that an import without extension meant",
    move: (project) => project.write("lib/word.ts", 'export const word = "new";\n'),
  },
  {
    name: "a helper that is renamed from .js to .ts",
    move: (project) => {
      project.write("lib/word.ts", 'export const word = "new";\n');
      Deno.removeSync(project.path("lib/word.js"));
    },
  },
  {
    name: "a helper that became a folder with an index",
    move: (project) => {
      Deno.removeSync(project.path("lib/word.js"));
      project.write("lib/word/index.ts", 'export const word = "new";\n');
    },
  },
];

for (const { name, move } of MOVES) {
  Deno.test({
    name: `reload: ${name} is seen, by what describes the tool and by what runs (L7)`,
    ...LENIENT,
    async fn() {
      using project = new Project({
        files: {
          "beeuni.yaml": "tools:\n  says: tools/says.ts\n  still: tools/still.ts\n",
          "tools/says.ts": [
            'import { word } from "../lib/word";',
            "export default { description: word, parameters: { type: 'object' }, execute: () => word };\n",
          ].join("\n"),
          "tools/still.ts": FILES["tools/still.ts"],
          "lib/word.js": 'export const word = "old";\n',
        },
      });
      await using daemon = await startDaemon(project);
      assert.equal((await daemon.call("says")).body.output, "old");
      assert.equal((await daemon.call("still")).body.output, "1");
      move(project);
      assert.deepEqual((await daemon.reload()).body.changed, ["says"]);
      assert.equal((await daemon.call("says")).body.output, "new");
      const { tools } = (await daemon.request("/beeuni/tools")).body;
      assert.equal(tools.find((tool: { name: string }) => tool.name === "says").description, "new");
      assert.equal((await daemon.call("still")).body.output, "2", "the others keep their workers");
    },
  });
}
