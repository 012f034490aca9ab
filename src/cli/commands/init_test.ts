import assert from "node:assert/strict";
import { readManifest } from "../../manifest/read.ts";
import { TempProject } from "../../manifest/testing/temp_project.ts";
import { init } from "./init.ts";

const WRITTEN = `\
tools:
  web_search: beeuni:web_search      # maintained by Beeuni, updated automatically
  image_search: beeuni:image_search
  scrape_webpage: beeuni:scrape_webpage
  memory: beeuni:memory
  show: beeuni:show
  # lookup_order: tools/lookup_order.ts   # your own tool: a module in your repo

agents:
  beeuni:
    tools: all
    secrets: all
`;

Deno.test("init writes the published block, and what it writes is valid", () => {
  using project = new TempProject({});
  assert.deepEqual(init({ project: project.root }), { stdout: "  wrote   beeuni.yaml\n", exitCode: 0 });
  assert.equal(Deno.readTextFileSync(project.path("beeuni.yaml")), WRITTEN);
  const manifest = readManifest({ project: project.root });
  assert.deepEqual([manifest.issues, manifest.tools.length, manifest.removed], [[], 5, []]);
  assert.deepEqual([...manifest.agents.keys()], ["beeuni"]);
});

Deno.test("init writes in the working directory, also below another project", () => {
  using project = new TempProject({ "beeuni.yaml": "tools: {}\n", "sub/x": "" });
  const { stdout } = init({ cwd: project.path("sub"), json: true });
  assert.deepEqual(JSON.parse(stdout), { wrote: project.path("sub/beeuni.yaml") });
  assert.equal(Deno.readTextFileSync(project.path("sub/beeuni.yaml")), WRITTEN);
});

Deno.test("init refuses when there is one, whatever it is, and leaves it", () => {
  using project = new TempProject({
    "beeuni.yaml": "tools: {}\n",
    "link/beeuni.yaml": { link: "nothing.yaml" },
    "folder/beeuni.yaml/x": "",
  });
  for (const folder of ["", "link", "folder"]) {
    const path = project.path(folder);
    assert.throws(() => init({ project: path }), {
      code: "file_exists",
      message: `beeuni.yaml exists in ${path}.`,
      exitCode: 1,
    });
  }
  assert.equal(Deno.readTextFileSync(project.path("beeuni.yaml")), "tools: {}\n");
  assert.throws(() => Deno.statSync(project.path("link/nothing.yaml")), Deno.errors.NotFound);
});

Deno.test("init says when there is no such folder", () => {
  using project = new TempProject({ file: "" });
  for (const folder of ["nowhere", "file"]) {
    assert.throws(() => init({ cwd: project.root, project: folder }), {
      code: "unwritable",
      message: `beeuni.yaml can't be written: ${project.path(folder)} is not a folder.`,
    });
  }
});
