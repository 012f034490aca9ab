import assert from "node:assert/strict";
import { readManifest } from "../read.ts";
import { TempProject, type TempProjectFiles } from "../testing/temp_project.ts";
import { editTool } from "./edit_tool.ts";
import type { NewEntry } from "./insert_entry.ts";

/** The file that is edited and its text afterwards. */
function edit(files: TempProjectFiles, entry: NewEntry) {
  using project = new TempProject(files);
  const edit = editTool(readManifest({ project: project.root }), entry);
  assert.equal(edit.path, project.path(edit.file));
  assert.deepEqual(edit.before, Deno.readFileSync(edit.path), "nothing is written yet");
  return {
    file: edit.file,
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(edit.after),
    listed: edit.listed,
  };
}

const MEMORY: NewEntry = { name: "memory", value: "tools/memory.ts" };

Deno.test("editTool edits the file that declares the tool", () => {
  assert.deepEqual(
    edit({
      "beeuni.yaml": "imports: [parts]\ntools:\n",
      "parts/a.yaml": "agents: {}\n",
      "parts/b.yaml": "\ufefftools:\r\n  memory: beeuni:memory # m\r\n",
    }, MEMORY),
    { file: "parts/b.yaml", text: "\ufefftools:\r\n  memory: tools/memory.ts # m\r\n", listed: [] },
  );
});

Deno.test("editTool adds to the root file when it has the key, else to the first imported file that has one", () => {
  const parts = {
    "a.yaml": "agents: {}\n",
    "b.yaml": "tools: {}\n",
    "c.yaml": "tools: {show: beeuni:show}\n",
  };
  assert.deepEqual(edit({ "beeuni.yaml": "imports: [a.yaml, b.yaml, c.yaml]\ntools:\n", ...parts }, MEMORY), {
    file: "beeuni.yaml",
    text: "imports: [a.yaml, b.yaml, c.yaml]\ntools:\n  memory: tools/memory.ts\n",
    listed: [],
  });
  assert.deepEqual(edit({ "beeuni.yaml": "imports: [a.yaml, b.yaml, c.yaml]\n", ...parts }, MEMORY), {
    file: "b.yaml",
    text: "tools: {memory: tools/memory.ts}\n",
    listed: [],
  });
});

Deno.test("editTool lists the other Beeuni tools when no file has the key", () => {
  const { file, text, listed } = edit(
    { "beeuni.yaml": "imports: [a.yaml]\n", "a.yaml": "agents: {}\n" },
    MEMORY,
  );
  assert.equal(file, "beeuni.yaml");
  assert.deepEqual(listed, ["web_search", "image_search", "scrape_webpage", "show"]);
  assert.equal(
    text,
    "imports: [a.yaml]\n\ntools:\n  web_search: beeuni:web_search\n  image_search: beeuni:image_search\n" +
      "  scrape_webpage: beeuni:scrape_webpage\n  memory: tools/memory.ts\n  show: beeuni:show\n",
  );
  assert.deepEqual(edit({ "beeuni.yaml": "" }, { name: "own", value: "tools/own.ts" }).listed.length, 5);
});

Deno.test("editTool leaves other mistakes in the file alone, and mends the entry's own", () => {
  assert.equal(
    edit({ "beeuni.yaml": "tools:\n  bash: x\n  memory: 5\nagents: {a: {tools: 5}}\n" }, MEMORY).text,
    "tools:\n  bash: x\n  memory: tools/memory.ts\nagents: {a: {tools: 5}}\n",
  );
});

Deno.test("editTool refuses a name that stands twice, and a file behind a link out of the project", () => {
  assert.throws(() => edit({ "beeuni.yaml": "tools:\n  memory: beeuni:memory\n  memory: x.ts\n" }, MEMORY), {
    code: "edit_refused",
    message: "beeuni.yaml:3: `memory` stands twice and can't be edited safely.",
  });
  const twice = {
    "beeuni.yaml": "imports: [a.yaml]\ntools: {memory: beeuni:memory}\n",
    "a.yaml": "tools:\n  memory: x.ts\n",
  };
  assert.throws(() => edit(twice, MEMORY), {
    message: "a.yaml:2: `memory` stands twice and can't be edited safely.",
  });
  assert.throws(
    () => edit({ "beeuni.yaml": { link: "../real.yaml" }, "../real.yaml": "tools: {}\n" }, MEMORY),
    {
      message: "beeuni.yaml:1: a file behind a symlink that leaves the repository can't be edited safely.",
    },
  );
  assert.throws(() => edit({ "beeuni.yaml": "tools: [\n" }, MEMORY), { code: "manifest_invalid" });
});

Deno.test("editTool edits what a link inside the project leads to", () => {
  using project = new TempProject({
    "beeuni.yaml": { link: "config/real.yaml" },
    "config/real.yaml": "tools: {}\n",
  });
  const { file, path } = editTool(readManifest({ project: project.root }), MEMORY);
  assert.deepEqual([file, path], ["beeuni.yaml", project.path("config/real.yaml")]);
});
