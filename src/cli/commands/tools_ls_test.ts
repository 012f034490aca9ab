import assert from "node:assert/strict";
import { moduleHash, RELEASED, type ReleasedModule } from "../../beeuni_tools/released.ts";
import { BeeuniError } from "../../errors/error.ts";
import { TempProject, type TempProjectFiles } from "../../manifest/testing/temp_project.ts";
import { toolsLs } from "./tools_ls.ts";

const PUBLISHED = new URL("../../../fixtures/manifests/published", import.meta.url).pathname;

/** Output and exit code for a manifest; modules named `x.ts` are there. */
async function ls(manifest: string, json = false, files: TempProjectFiles = {}) {
  using project = new TempProject({ "beeuni.yaml": manifest, "x.ts": "", ...files });
  const { stdout, exitCode } = await toolsLs({ project: project.root, json });
  return { stdout: stdout.replaceAll(project.root, "<root>"), exitCode };
}

Deno.test("tools ls: the published table", async () => {
  assert.deepEqual(await toolsLs({ project: PUBLISHED }), {
    stdout: [
      "NAME            KIND                 SOURCE",
      "web_search      beeuni (overridden)  tools/web_search.ts",
      "scrape_webpage  beeuni               beeuni:scrape_webpage",
      "memory          beeuni               beeuni:memory",
      "show            beeuni               beeuni:show",
      "lookup_order    project              tools/lookup_order.ts",
      "",
      "Removed Beeuni tools: image_search",
      "Add `<name>: beeuni:<name>` under `tools:` to get one back.",
      "",
    ].join("\n"),
    exitCode: 0,
  });
});

Deno.test("tools ls: without a tools key", async () => {
  assert.deepEqual(await ls("agents: {a: {}}\n"), {
    stdout: [
      "NAME            KIND    SOURCE",
      "web_search      beeuni  beeuni:web_search",
      "image_search    beeuni  beeuni:image_search",
      "scrape_webpage  beeuni  beeuni:scrape_webpage",
      "memory          beeuni  beeuni:memory",
      "show            beeuni  beeuni:show",
      "",
      "beeuni.yaml has no `tools:` key, so sessions get every Beeuni tool. List them under `tools:` to choose.",
      "",
    ].join("\n"),
    exitCode: 0,
  });
});

Deno.test("tools ls: no tool at all, nothing removed, a longer name than any", async () => {
  assert.deepEqual(await ls("tools: {}\n"), {
    stdout: [
      "(no tools)",
      "",
      "Removed Beeuni tools: web_search, image_search, scrape_webpage, memory, show",
      "Add `<name>: beeuni:<name>` under `tools:` to get one back.",
      "",
    ].join("\n"),
    exitCode: 0,
  });
  const five = ["web_search", "image_search", "scrape_webpage", "memory", "show"];
  const { stdout } = await ls(
    `tools:\n  look_up_an_order: x.ts\n${five.map((name) => `  ${name}: x.ts\n`).join("")}`,
  );
  assert.equal(
    stdout,
    [
      "NAME              KIND                 SOURCE",
      ...five.map((name) => `${name.padEnd(16)}  beeuni (overridden)  x.ts`),
      "look_up_an_order  project              x.ts",
      "",
    ].join("\n"),
  );
});

Deno.test("tools ls: broken entries are named, and the exit code is 1", async () => {
  const manifest = "tools:\n  web_search: beeuni:image_search\n  gone: tools/gone.ts\n  x: x.ts\n";
  assert.deepEqual(await ls(manifest), {
    stdout: [
      "NAME  KIND     SOURCE",
      "x     project  x.ts",
      "",
      "Removed Beeuni tools: image_search, scrape_webpage, memory, show",
      "Add `<name>: beeuni:<name>` under `tools:` to get one back.",
      "",
      "Not loaded:",
      "web_search: must be `beeuni:web_search` (the Beeuni tool) or a repo-relative path to a .ts or .js module (e.g. " +
      "`tools/web_search.ts`) that replaces it.",
      'gone: "tools/gone.ts" does not exist in the project files.',
      "",
    ].join("\n"),
    exitCode: 1,
  });
  assert.deepEqual(JSON.parse((await ls(manifest, true)).stdout).broken, [
    {
      name: "web_search",
      error:
        "must be `beeuni:web_search` (the Beeuni tool) or a repo-relative path to a .ts or .js module (e.g. " +
        "`tools/web_search.ts`) that replaces it.",
    },
    { name: "gone", error: '"tools/gone.ts" does not exist in the project files.' },
  ]);
  assert.equal((await ls(manifest, true)).exitCode, 1);
});

Deno.test("tools ls --json", async () => {
  const { stdout, exitCode } = await ls("tools: {show: beeuni:show, memory: x.ts, own: x.ts}\n", true);
  assert.equal(
    stdout,
    JSON.stringify(
      {
        manifest: "<root>/beeuni.yaml",
        tools_key: true,
        tools: [
          { name: "memory", kind: "beeuni (overridden)", source: "x.ts" },
          { name: "show", kind: "beeuni", source: "beeuni:show" },
          { name: "own", kind: "project", source: "x.ts" },
        ],
        removed: ["web_search", "image_search", "scrape_webpage"],
      },
      null,
      2,
    ) + "\n",
  );
  assert.equal(exitCode, 0);
  assert.deepEqual(JSON.parse((await ls("", true)).stdout).tools_key, false);
  assert.deepEqual(JSON.parse((await ls("", true)).stdout).removed, []);
});

Deno.test("tools ls refuses a manifest of which part is unknown", async () => {
  for (const json of [false, true]) {
    await assert.rejects(() => ls("imports: [a.yaml, b.yaml]\n", json), (error) => {
      assert.ok(error instanceof BeeuniError);
      assert.equal(error.code, "manifest_invalid");
      assert.equal(
        error.message,
        `beeuni.yaml can't be used: beeuni.yaml:1:11: "a.yaml" does not exist in the project files.`,
      );
      assert.equal(error.hint, "Run `beeuni validate` for all 2 errors.");
      return true;
    });
  }
});

Deno.test("tools ls: no cell ends in a space, and a name can't move the cursor", async () => {
  for (const manifest of ["", "tools: {show: beeuni:show, own: x.ts}", 'tools: {"a\\e[2Jb": x.ts}']) {
    const { stdout } = await ls(manifest);
    assert.doesNotMatch(stdout, / $/m);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f]/);
  }
});

Deno.test("tools ls --json: an ejected copy is outdated, current, or changed", async () => {
  const source = (name: string) =>
    Deno.readTextFileSync(new URL(`../../beeuni_tools/${name}.ts`, import.meta.url));
  const old = "// an older release\n";
  const rows = RELEASED.show as ReleasedModule[];
  rows.unshift({ version: "0.0.9", sha256: moduleHash(new TextEncoder().encode(old)) });
  try {
    const { stdout } = await ls(
      "\ufeffimports: [parts]\ntools:\n  memory: m.ts  # ejected from beeuni:memory\n",
      true,
      {
        "m.ts": source("memory"),
        "parts/a.yaml": "tools: {show: s.ts}  # ejected from beeuni:show\n",
        "s.ts": old,
        "parts/b.yaml":
          "tools:\n  web_search: w.ts  # ejected from beeuni:web_search\n  own: m.ts # ejected from beeuni:memory\n",
        "w.ts": `${source("web_search")}\n`,
        "parts/c.yaml":
          "tools:\n  image_search: x.ts\n  scrape_webpage: beeuni:scrape_webpage  # ejected from beeuni:scrape_webpage\n",
      },
    );
    const { tools } = JSON.parse(stdout);
    const overridden = (name: string, source: string) => ({ name, kind: "beeuni (overridden)", source });
    assert.deepEqual(tools, [
      { ...overridden("web_search", "w.ts"), ejected_from: "beeuni:web_search", outdated: null },
      overridden("image_search", "x.ts"),
      { name: "scrape_webpage", kind: "beeuni", source: "beeuni:scrape_webpage" },
      { ...overridden("memory", "m.ts"), ejected_from: "beeuni:memory", outdated: false },
      { ...overridden("show", "s.ts"), ejected_from: "beeuni:show", outdated: true },
      { name: "own", kind: "project", source: "m.ts", ejected_from: "beeuni:memory", outdated: false },
    ]);
  } finally {
    rows.shift();
  }
});
