import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { BEEUNI_TOOLS, type BeeuniToolName } from "../../beeuni_tools/registry.ts";
import { BeeuniError } from "../../errors/error.ts";
import { editTool } from "../../manifest/edit/edit_tool.ts";
import { ejectComment } from "../../manifest/edit/eject_comment.ts";
import { readManifest } from "../../manifest/read.ts";
import { TempProject, type TempProjectFiles } from "../../manifest/testing/temp_project.ts";
import { toolsEject, type ToolsEjectOptions } from "./tools_eject.ts";
import { fuzz } from "../../../tests/support/fuzz.ts";

const SOURCES = new URL("../../beeuni_tools/", import.meta.url);
const BLOCK =
  "tools:\n  web_search: beeuni:web_search  # w\n  memory: beeuni:memory\n  show: beeuni:show\nagents: {}\n";

function eject(project: TempProject, name: string, options: Partial<ToolsEjectOptions> = {}) {
  return toolsEject({ name, project: project.root, ...options });
}

/** Every file of the project as bytes, and where links lead. */
function contents(project: TempProject, folder = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(project.path(folder))) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) Object.assign(found, { [`${path}/`]: "" }, contents(project, path));
    else if (isSymlink) found[path] = `-> ${Deno.readLinkSync(project.path(path))}`;
    else found[path] = new TextDecoder("latin1").decode(Deno.readFileSync(project.path(path)));
  }
  return found;
}

/** The manifest's text with its BOM. */
function manifestText(project: TempProject, file = "beeuni.yaml"): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Deno.readFileSync(project.path(file)));
}

Deno.test("eject prints what the product page prints, for every tool", async () => {
  for (const name of BEEUNI_TOOLS) {
    using project = new TempProject({ "beeuni.yaml": `tools:\n  ${name}: beeuni:${name}\n` });
    assert.deepEqual(await eject(project, name), {
      stdout: `  ✓  Ejected ${name}
  wrote   tools/${name}.ts (the Beeuni source, now the project's to change)
  set     beeuni.yaml: tools.${name}: tools/${name}.ts

Next:
  1. Edit tools/${name}.ts. Keep the default export: { description, parameters, execute(args, context) }.
  2. beeuni validate
  3. git add tools/${name}.ts beeuni.yaml && git commit -m "Own the ${name} tool"
  4. Open a change request: git push origin HEAD && beeuni cr open --title "Own the ${name} tool"
Sessions load the copy after the change request merges.
`,
      exitCode: 0,
    });
    assert.deepEqual(
      Deno.readFileSync(project.path(`tools/${name}.ts`)),
      Deno.readFileSync(new URL(`${name}.ts`, SOURCES)),
    );
    assert.equal(
      manifestText(project),
      `tools:\n  ${name}: tools/${name}.ts  # ejected from beeuni:${name}\n`,
    );
    assert.deepEqual(Object.keys(contents(project)), ["beeuni.yaml", "tools/", `tools/${name}.ts`].sort());
  }
});

Deno.test("eject without a tools key lists the other four and says so", async () => {
  using project = new TempProject({ "beeuni.yaml": "agents: {}\n" });
  const { stdout } = await eject(project, "web_search");
  assert.equal(
    stdout.split("\n").slice(2, 6).join("\n"),
    `  set     beeuni.yaml: tools.web_search: tools/web_search.ts
  listed  image_search: beeuni:image_search, scrape_webpage: beeuni:scrape_webpage, memory: beeuni:memory, show: beeuni:show (so the other Beeuni tools stay)

Next:`,
  );
  assert.equal(
    manifestText(project),
    `agents: {}

tools:
  web_search: tools/web_search.ts  # ejected from beeuni:web_search
  image_search: beeuni:image_search
  scrape_webpage: beeuni:scrape_webpage
  memory: beeuni:memory
  show: beeuni:show
`,
  );
});

Deno.test("eject names the imported file that it edits, in step 3 as a shell takes it", async () => {
  const cases: [file: string, word: string][] = [
    ["parts/b.yaml", "parts/b.yaml"],
    ["my parts/it's.yaml", `'my parts/it'\\''s.yaml'`],
  ];
  for (const [file, word] of cases) {
    using project = new TempProject({
      "beeuni.yaml": `imports: [${JSON.stringify(file)}]\ntools:\n  show: beeuni:show\n`,
      [file]: "tools:\n  memory: beeuni:memory\n",
    });
    const lines = (await eject(project, "memory")).stdout.split("\n");
    assert.equal(lines[2], `  set     ${file}: tools.memory: tools/memory.ts`);
    assert.equal(
      lines.find((line) => line.startsWith("  3.")),
      `  3. git add tools/memory.ts ${word} && git commit -m "Own the memory tool"`,
    );
  }
});

Deno.test("eject --json", async () => {
  const cases: [files: TempProjectFiles, set: string, listed: BeeuniToolName[]][] = [
    [{ "beeuni.yaml": BLOCK }, "beeuni.yaml", []],
    [{ "beeuni.yaml": "" }, "beeuni.yaml", ["web_search", "image_search", "scrape_webpage", "show"]],
    [{ "beeuni.yaml": "imports: [a.yaml]\n", "a.yaml": "tools: {}\n" }, "a.yaml", []],
  ];
  for (const [files, set, listed] of cases) {
    using project = new TempProject(files);
    const { stdout, exitCode } = await eject(project, "memory", { json: true });
    const document = { name: "memory", wrote: "tools/memory.ts", set, listed };
    assert.deepEqual([stdout, exitCode], [`${JSON.stringify(document, null, 2)}\n`, 0]);
  }
});

interface Refusal {
  what: string;
  files: TempProjectFiles;
  name?: string;
  code: string;
  message: string;
  exit: number;
  /** Whether `--force` gets past it. */
  force: boolean;
}

const NOT_OURS =
  "is not a Beeuni tool. Eject one of: web_search, image_search, scrape_webpage, memory, show.";
const LEAVES = "is reached through a symlink that leaves the repository.";
const WEB = "web_search is already the project's own module:";

const REFUSALS: Refusal[] = [
  ...["web_serch", "lookup", "", "beeuni:web_search", "../x", "__proto__", "constructor"].map((name) => ({
    what: `"${name}"`,
    files: { "beeuni.yaml": BLOCK },
    name,
    code: "usage",
    message: `"${name}" ${NOT_OURS}`,
    exit: 2,
    force: false,
  })),
  {
    what: "the file exists",
    files: { "beeuni.yaml": BLOCK, "tools/web_search.ts": "mine" },
    code: "file_exists",
    message: "tools/web_search.ts exists. Use --force to overwrite it.",
    exit: 1,
    force: true,
  },
  {
    what: "ejected before",
    files: { "beeuni.yaml": "tools: {web_search: tools/web_search.ts}\n", "tools/web_search.ts": "mine" },
    code: "file_exists",
    message: "tools/web_search.ts exists. Use --force to overwrite it.",
    exit: 1,
    force: true,
  },
  {
    what: "another module",
    files: { "beeuni.yaml": "tools:\n  web_search: own/search.ts\n", "own/search.ts": "mine" },
    code: "file_exists",
    message: `${WEB} own/search.ts. Use --force to replace it.`,
    exit: 1,
    force: true,
  },
  {
    what: "another module that is missing",
    files: { "beeuni.yaml": "tools:\n  web_search: own/search.ts\n" },
    code: "file_exists",
    message: `${WEB} own/search.ts. Use --force to replace it.`,
    exit: 1,
    force: true,
  },
  {
    what: "a file that is a link within the project",
    files: { "beeuni.yaml": BLOCK, "own.ts": "mine", "tools/web_search.ts": { link: "../own.ts" } },
    code: "file_exists",
    message: "tools/web_search.ts exists. Use --force to overwrite it.",
    exit: 1,
    force: true,
  },
  {
    what: "a file that is a link to the manifest",
    files: { "beeuni.yaml": BLOCK, "tools/web_search.ts": { link: "../beeuni.yaml" } },
    code: "file_exists",
    message: "tools/web_search.ts exists. Use --force to overwrite it.",
    exit: 1,
    force: true,
  },
  {
    what: "a folder of that name",
    files: { "beeuni.yaml": BLOCK, "tools/web_search.ts/x": "" },
    code: "file_exists",
    message: "tools/web_search.ts exists. Use --force to overwrite it.",
    exit: 1,
    force: false,
  },
  {
    what: "a folder that leads outside",
    files: { "beeuni.yaml": BLOCK, "tools": { link: ".." } },
    code: "unwritable",
    message: `"tools" ${LEAVES}`,
    exit: 1,
    force: false,
  },
  {
    what: "a folder that leads nowhere",
    files: { "beeuni.yaml": BLOCK, "tools": { link: "../nothing" } },
    code: "unwritable",
    message: `"tools" ${LEAVES}`,
    exit: 1,
    force: false,
  },
  {
    what: "a file that leads outside",
    files: { "beeuni.yaml": BLOCK, "../out.ts": "safe", "tools/web_search.ts": { link: "../../out.ts" } },
    code: "unwritable",
    message: `"tools/web_search.ts" ${LEAVES}`,
    exit: 1,
    force: false,
  },
  {
    what: "a file that leads nowhere",
    files: { "beeuni.yaml": BLOCK, "tools/web_search.ts": { link: "../../out.ts" } },
    code: "unwritable",
    message: `"tools/web_search.ts" ${LEAVES}`,
    exit: 1,
    force: false,
  },
  {
    what: "tools is a file",
    files: { "beeuni.yaml": BLOCK, "tools": "mine" },
    code: "unwritable",
    message: "tools/web_search.ts can't be written: nothing was changed.",
    exit: 1,
    force: false,
  },
  {
    what: "a manifest behind a link",
    files: { "beeuni.yaml": { link: "../real.yaml" }, "../real.yaml": BLOCK },
    code: "edit_refused",
    message: "beeuni.yaml:1: a file behind a symlink that leaves the repository can't be edited safely.",
    exit: 1,
    force: false,
  },
  {
    what: "an alias (M2)",
    files: { "beeuni.yaml": "x: &t {show: beeuni:show}\ntools: *t\n" },
    code: "edit_refused",
    message: "beeuni.yaml:2: `tools` is an alias and can't be edited safely.",
    exit: 1,
    force: false,
  },
  {
    what: "a duplicate key (M2)",
    files: { "beeuni.yaml": "tools:\n  web_search: beeuni:web_search\n  web_search: x.ts\n", "x.ts": "" },
    code: "edit_refused",
    message: "beeuni.yaml:3: `web_search` stands twice and can't be edited safely.",
    exit: 1,
    force: false,
  },
];

Deno.test("what eject refuses, and that it changes nothing then", async (t) => {
  for (const { what, files, name = "web_search", code, message, exit, force } of REFUSALS) {
    await t.step(what, async () => {
      using project = new TempProject(files);
      const before = contents(project);
      for (const options of force ? [{}] : [{}, { force: true }]) {
        const failed = await eject(project, name, options).catch((error) => error);
        assert.ok(failed instanceof BeeuniError);
        if (!("force" in options)) {
          assert.deepEqual([failed.code, failed.message, failed.exitCode], [code, message, exit]);
        }
        assert.deepEqual(contents(project), before);
      }
      if (!force) return;
      await eject(project, name, { force: true });
      const after = contents(project);
      assert.deepEqual(
        Deno.readFileSync(project.path(`tools/${name}.ts`)),
        Deno.readFileSync(new URL(`${name}.ts`, SOURCES)),
      );
      assert.equal(parse(after["beeuni.yaml"] ?? "").tools[name], `tools/${name}.ts`);
      for (const path of ["own.ts", "own/search.ts"]) assert.equal(after[path], before[path]);
    });
  }
});

Deno.test("what can't be read as a manifest is not edited (M2, M4)", async () => {
  const manifests: [what: string, text: string | Uint8Array][] = [
    ["two documents", `${BLOCK}---\n${BLOCK}`],
    ["a tab indent", "tools:\n\tweb_search: beeuni:web_search\n"],
    ["a merge key", "x: &x {show: beeuni:show}\ntools:\n  <<: *x\n"],
    ["an alias bomb", `a: &a [x,x]\n${bomb()}tools: {}\n`],
    ["10,000 levels", `x: ${"[".repeat(10_000)}${"]".repeat(10_000)}\ntools: {}\n`],
    ["20 MB", `# ${"x".repeat(20_000_000)}\n${BLOCK}`],
    ["not UTF-8", new Uint8Array([...new TextEncoder().encode(BLOCK), 0x23, 0xff, 0xfe])],
    ["a NUL", `${BLOCK}# \0\n`],
    ["a list", "- tools\n"],
  ];
  for (const [what, text] of manifests) {
    using project = new TempProject({ "beeuni.yaml": text });
    const before = contents(project);
    const failed = await eject(project, "web_search", { force: true }).catch((error) => error);
    assert.ok(failed instanceof BeeuniError, what);
    assert.ok(["manifest_invalid", "edit_refused"].includes(failed.code), `${what}: ${failed.code}`);
    assert.match(failed.message, /beeuni\.yaml(?: can't be used: beeuni\.yaml)?:\d+/, what);
    assert.deepEqual(contents(project), before, what);
  }
});

function bomb(): string {
  const names = [..."abcdefghijklmnop"];
  return names.slice(1).map((name, index) => `${name}: &${name} [${`*${names[index]},`.repeat(9)}]\n`).join(
    "",
  );
}

Deno.test("names as written under tools stay as written (M3)", async () => {
  const odd = ["1", "null", "0x10", "no", "on", "true", "__proto__", "constructor", "'a: b'", '"\\x41"'];
  const text = `tools:\n${odd.map((key) => `  ${key}: x.ts\n`).join("")}  show: beeuni:show # s\n`;
  using project = new TempProject({ "beeuni.yaml": text, "x.ts": "" });
  await eject(project, "show");
  assert.equal(
    manifestText(project),
    text.replace("beeuni:show # s", "tools/show.ts  # ejected from beeuni:show"),
  );
  await eject(project, "memory");
  assert.ok(
    manifestText(project).endsWith("\n  memory: tools/memory.ts  # ejected from beeuni:memory\n"),
  );
});

Deno.test("what an entry has that is wrong and no module is mended", async () => {
  for (const value of ["beeuni:image_search", "5", "", "~", "''", "tools/memory.ts", "./tools//memory.ts"]) {
    using project = new TempProject({ "beeuni.yaml": `tools:\n  memory: ${value}\n` });
    await eject(project, "memory");
    assert.equal(parse(manifestText(project)).tools.memory, "tools/memory.ts");
  }
});

Deno.test("going back: the line set to beeuni:<name>, the file deleted, is the project as it was", async () => {
  using project = new TempProject({ "beeuni.yaml": "tools:\n  memory: beeuni:memory\n" });
  const before = contents(project);
  await eject(project, "memory");
  project.write(
    "beeuni.yaml",
    manifestText(project).replace("tools/memory.ts  # ejected from beeuni:memory", "beeuni:memory"),
  );
  Deno.removeSync(project.path("tools"), { recursive: true });
  assert.deepEqual(contents(project), before);
  await eject(project, "memory");
});

Deno.test("eject --diff: the same, changed, removed, and nothing to compare", async () => {
  using project = new TempProject({ "beeuni.yaml": BLOCK });
  const before = contents(project);
  await assert.rejects(() => eject(project, "memory", { diff: true }), {
    code: "tool_not_found",
    message: "memory has no copy to compare: the project runs beeuni:memory.",
    hint: "Run `beeuni tools eject memory` to get one.",
  });
  await assert.rejects(() => eject(project, "image_search", { diff: true }), {
    message: "image_search has no copy to compare: the project removed it.",
  });
  await assert.rejects(() => eject(project, "memory", { diff: true, force: true }), { code: "usage" });
  assert.deepEqual(contents(project), before);

  await eject(project, "memory");
  assert.deepEqual(await eject(project, "memory", { diff: true }), {
    stdout: "tools/memory.ts is the same as beeuni:memory.\n",
    exitCode: 0,
  });
  const source = Deno.readTextFileSync(project.path("tools/memory.ts"));
  project.write("tools/memory.ts", source.replace("const CONTEXT_LINES = 2\n", "const CONTEXT_LINES = 5\n"));
  const { stdout, exitCode } = await eject(project, "memory", { diff: true });
  assert.equal(exitCode, 0);
  assert.match(stdout, /^--- beeuni:memory\n\+\+\+ tools\/memory\.ts\n@@ -\d+,7 \+\d+,7 @@\n/);
  assert.deepEqual(stdout.split("\n").slice(2).filter((line) => /^[-+]/.test(line)), [
    "-const CONTEXT_LINES = 2",
    "+const CONTEXT_LINES = 5",
  ]);
  assert.deepEqual(JSON.parse((await eject(project, "memory", { diff: true, json: true })).stdout), {
    name: "memory",
    path: "tools/memory.ts",
    identical: false,
    diff: stdout,
  });

  Deno.removeSync(project.path("tools/memory.ts"));
  await assert.rejects(() => eject(project, "memory", { diff: true }), {
    message: `memory can't be compared: "tools/memory.ts" does not exist in the project files.`,
  });
});

Deno.test("eject --diff: a patch makes the copy of the built-in, however different it is", async () => {
  const source = Deno.readTextFileSync(new URL("show.ts", SOURCES));
  const copies = [
    source.replaceAll("\n", "\r\n"),
    source.trimEnd(),
    source.replace("Context", "Kontext"),
    "",
    "one line",
    Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`).join(""),
    Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join("\n"),
  ];
  for (const copy of copies) {
    using project = new TempProject({
      "beeuni.yaml": "tools: {show: own/show.ts}\n",
      "own/show.ts": copy,
      "../work/show.ts": source,
    });
    const { stdout } = await eject(project, "show", { diff: true });
    project.write("../work/copy.patch", stdout);
    const args = ["--binary", "-s", "--no-backup-if-mismatch", "show.ts", "copy.patch"];
    const { success } = await new Deno.Command("patch", { args, cwd: project.path("../work") }).output();
    assert.ok(success);
    assert.ok(Deno.readTextFileSync(project.path("../work/show.ts")) === copy);
  }
});

/** A manifest in any style. `tool` is declared in one of its lines, removed, or there is no tools key. */
const styles = fc.record({
  bom: fc.boolean(),
  newline: fc.constantFrom("\n", "\r\n"),
  finalNewline: fc.boolean(),
  tool: fc.constantFrom(...BEEUNI_TOOLS),
  where: fc.constantFrom("declared", "removed", "no key"),
  shape: fc.constantFrom("block", "flow", "flow lines"),
  imported: fc.boolean(),
  head: fc.constantFrom(
    "",
    "# top\n\n\n",
    "%YAML 1.2\n---\n",
    "default_agent: a   # d\n",
    "x: &x [1, 'a # b', \"c\\t\"]\n",
  ),
  tail: fc.constantFrom(
    "",
    "# end\n",
    "\n\nagents:\n  a:\n    tools: all # t\n",
    "y: &y {k: v}\nz: *y\n",
    "text: |+\n  # not a comment\n\n   more\n",
    "text: >-\n  folded: x\n",
    "...\n# after\n",
  ),
  indent: fc.integer({ min: 1, max: 8 }),
  keyQuote: fc.constantFrom("", "'", '"'),
  quote: fc.constantFrom("", "'", '"'),
  anchor: fc.constantFrom("", "&a ", "!!str "),
  gap: fc.constantFrom(" ", "    "),
  comment: fc.constantFrom(
    "",
    " # c",
    '      # it\'s "c": {x} #',
    "\t# t",
    "  # ejected from beeuni:show",
    "   ",
  ),
  between: fc.constantFrom("", "\n", "# b\n", "      # deep\n\n"),
  others: fc.uniqueArray(fc.constantFrom("own_a", "own_b", "__proto__", "constructor"), { maxLength: 4 }),
  at: fc.nat(4),
});

type Style = typeof styles extends fc.Arbitrary<infer T> ? T : never;

/**
 * The bytes of the file that declares (or gets) the tool, before and after: written out twice by one rule, so that
 * every byte of the second is known without the code under test. `undefined`: this style can't be.
 */
function beforeAndAfter(style: Style): [before: string, after: string] | undefined {
  const { tool, where, shape, head, tail, indent, keyQuote, quote, anchor, gap, comment, between } = style;
  const pad = " ".repeat(indent);
  const mark = `  # ejected from beeuni:${tool}`;
  const pair = (name: string, value: string) =>
    `${keyQuote}${name}${keyQuote}:${gap}${anchor}${quote}${value}${quote}`;
  const own = (name: string) => pair(name, "own/x.ts");
  const added = `${tool}: tools/${tool}.ts`;
  const names: string[] = [...style.others];
  if (where === "declared") names.splice(style.at % (names.length + 1), 0, tool);
  if (where !== "no key" && names.length === 0) return undefined;
  if (anchor === "&a " && names.length > 1) return undefined; // an anchor defined twice

  let before = "";
  let after = "";
  if (where === "no key") {
    // What the text ends with decides where a block can go; the shapes that matter have cases of their own.
    if (/^text|^\.\.\./.test(tail)) return undefined;
    if (head === "%YAML 1.2\n---\n" && tail === "") return undefined;
  } else if (shape === "block") {
    const lines = names.map((name) => {
      const line = pad + (name === tool ? pair(name, `beeuni:${tool}`) : own(name));
      return [line + comment, name === tool ? pad + pair(name, `tools/${tool}.ts`) + mark : line + comment];
    });
    before = `tools:${comment}\n` + lines.map(([line]) => `${line}\n`).join(between);
    after = `tools:${comment}\n` + lines.map(([, line]) => `${line}\n`).join(between);
    if (where === "removed") after += `${pad}${added}${mark}\n`;
  } else {
    const items = names.map((name) => [
      name === tool ? pair(name, `beeuni:${tool}`) : own(name),
      name === tool ? pair(name, `tools/${tool}.ts`) : own(name),
    ]);
    if (shape === "flow") {
      before = `tools:${gap}{${items.map(([item]) => item).join(`,${gap}`)}}${comment}\n`;
      const inside = items.map(([, item]) => item).join(`,${gap}`) +
        (where === "removed" ? `, ${added}` : "");
      after = `tools:${gap}{${inside}}${mark}\n`;
    } else {
      const line = (item: string | undefined, end: string) => `${pad}${item},${end}\n`;
      const ownEnd = (index: number) => names[index] === tool ? mark : comment;
      before = `tools: {\n${items.map(([item]) => line(item, comment)).join("")}${pad}}\n`;
      const inside = items.map(([, item], index) => line(item, ownEnd(index))).join("");
      after = `tools: {\n${inside}${where === "removed" ? line(added, mark) : ""}${pad}}\n`;
    }
  }

  before = head + before + tail;
  after = head + after + tail;
  const cut = (text: string) => style.finalNewline ? text : text.replace(/\n+$/, "");
  if (!style.finalNewline && /^text: \|/.test(tail)) return undefined; // its final newlines are content
  if (where === "no key") {
    before = cut(before);
    const five = BEEUNI_TOOLS.map((name) =>
      `  ${name}: ${name === tool ? `tools/${tool}.ts${mark}` : `beeuni:${name}`}\n`
    );
    const lead = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    after = `${before}${lead}tools:\n${five.join("")}`;
  } else {
    before = cut(before);
    after = cut(after);
  }
  // A file without any line break has LF for a new one.
  const newline = before.includes("\n") ? style.newline : "\n";
  const bom = style.bom ? "\ufeff" : "";
  const written = (text: string) => bom + text.replaceAll("\n", newline);
  return [written(before), written(after)];
}

/** The project of a style, and its manifest files before and after; `undefined`: this style can't be. */
function styledProject(style: Style) {
  const texts = beforeAndAfter(style);
  if (texts === undefined || (style.imported && style.where === "no key")) return undefined;
  if (style.imported && style.head.startsWith("default_agent")) return undefined; // not a key of an imported file
  const [before, after] = texts;
  const file = style.imported ? "parts/tools.yaml" : "beeuni.yaml";
  const root = style.imported ? { "beeuni.yaml": "imports: [parts]\r\n# root" } : {};
  return { file, root, before, after, files: { ...root, [file]: before, "own/x.ts": "" } };
}

Deno.test("any style: every byte but the one line stays, and the result is read as meant", () => {
  let tried = 0;
  fc.assert(
    fc.property(styles, (style) => {
      const styled = styledProject(style);
      if (styled === undefined) return;
      tried++;
      const { file, before, after, files } = styled;
      const { tool } = style;
      using project = new TempProject(files);
      const entry = { name: tool, value: `tools/${tool}.ts`, comment: ejectComment(tool) };
      const edit = editTool(readManifest({ project: project.root }), entry);
      assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(edit.after), after);
      assert.equal(edit.file, file);

      const old = parse(before.replace("\ufeff", "")) ?? {};
      const tools = old.tools ?? Object.fromEntries(BEEUNI_TOOLS.map((name) => [name, `beeuni:${name}`]));
      const meant = { ...old, tools: { ...tools, [tool]: `tools/${tool}.ts` } };
      assert.deepEqual(parse(after.replace("\ufeff", "")), meant);
    }),
    fuzz(2500),
  );
  assert.ok(tried > 800, `${tried} styles were tried`);
});

Deno.test("any style: what is written is that, and no other file changes", async () => {
  await fc.assert(
    fc.asyncProperty(styles, async (style) => {
      const styled = styledProject(style);
      if (styled === undefined) return;
      const { tool } = style;
      using project = new TempProject(styled.files);
      const before = contents(project);
      await eject(project, tool);
      assert.equal(manifestText(project, styled.file), styled.after);
      const { "tools/": folder, [`tools/${tool}.ts`]: module, [styled.file]: _edited, ...rest } = contents(
        project,
      );
      const { [styled.file]: _old, ...untouched } = before;
      assert.deepEqual(rest, untouched);
      assert.deepEqual([folder, module !== undefined], ["", true]);
    }),
    fuzz(150),
  );
});
