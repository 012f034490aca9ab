import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { BEEUNI_TOOLS } from "../../beeuni_tools/registry.ts";
import { BeeuniError } from "../../errors/error.ts";
import { parseSource } from "../source_file.ts";
import type { NewEntry } from "./insert_entry.ts";
import { planToolEdit } from "./plan_tool_edit.ts";
import { fuzz } from "../../../tests/support/fuzz.ts";

const EJECT: NewEntry = {
  name: "web_search",
  value: "tools/web_search.ts",
  comment: "# ejected from beeuni:web_search",
};

function edit(text: string, entry: NewEntry = EJECT): string {
  return planToolEdit(parseSource(new TextEncoder().encode(text), "beeuni.yaml"), entry);
}

const LINE = "web_search: tools/web_search.ts  # ejected from beeuni:web_search";
const OTHERS = ["image_search", "scrape_webpage", "memory", "show"].map((name) =>
  `  ${name}: beeuni:${name}\n`
).join("");

Deno.test("M1: setting an entry touches its line only", () => {
  const cases: [what: string, before: string, after: string][] = [
    [
      "the published block",
      "tools:\n  web_search: beeuni:web_search      # maintained by Beeuni, updated automatically\n  show: beeuni:show\n",
      `tools:\n  ${LINE}\n  show: beeuni:show\n`,
    ],
    [
      "aligned comments, blank lines, 4 spaces",
      "# top\n\n\ntools:\n    memory: beeuni:memory          # m\n    web_search: beeuni:web_search  # w\n\n\n    # tail\nagents: {}   \n",
      `# top\n\n\ntools:\n    memory: beeuni:memory          # m\n    ${LINE}\n\n\n    # tail\nagents: {}   \n`,
    ],
    [
      "CRLF",
      "tools:\r\n  web_search: beeuni:web_search # w\r\n  show: beeuni:show\r\n",
      `tools:\r\n  ${LINE}\r\n  show: beeuni:show\r\n`,
    ],
    ["no final newline", "tools:\n  web_search: beeuni:web_search", `tools:\n  ${LINE}`],
    ["trailing spaces", "tools:\n  web_search: beeuni:web_search  \t\n", `tools:\n  ${LINE}\n`],
    [
      "double quotes",
      'tools:\n  "web_search" :   "beeuni:web_search"\n',
      'tools:\n  "web_search" :   "tools/web_search.ts"  # ejected from beeuni:web_search\n',
    ],
    [
      "single quotes",
      "tools:\n  'web_search': 'beeuni:web_search' # it's\n",
      "tools:\n  'web_search': 'tools/web_search.ts'  # ejected from beeuni:web_search\n",
    ],
    [
      "a flow map",
      "tools: {web_search: beeuni:web_search, memory: beeuni:memory}\nagents: {}\n",
      "tools: {web_search: tools/web_search.ts, memory: beeuni:memory}  # ejected from beeuni:web_search\nagents: {}\n",
    ],
    [
      "a flow map with a comment and quotes",
      "tools: { memory: beeuni:memory, web_search: 'beeuni:web_search' } # both\n",
      "tools: { memory: beeuni:memory, web_search: 'tools/web_search.ts' }  # ejected from beeuni:web_search\n",
    ],
    [
      "a flow map over lines",
      "tools: {\n  web_search: beeuni:web_search, # w\n  memory: beeuni:memory\n}\n",
      "tools: {\n  web_search: tools/web_search.ts,  # ejected from beeuni:web_search\n  memory: beeuni:memory\n}\n",
    ],
    [
      "document marks",
      "%YAML 1.2\n---\ntools:\n  web_search: beeuni:web_search\n...\n# end\n",
      `%YAML 1.2\n---\ntools:\n  ${LINE}\n...\n# end\n`,
    ],
    [
      "the value on a line of its own",
      "tools:\n  web_search:\n    beeuni:web_search # w\n  show: beeuni:show\n",
      "tools:\n  web_search:\n    tools/web_search.ts  # ejected from beeuni:web_search\n  show: beeuni:show\n",
    ],
    [
      "an explicit key",
      "tools:\n  ? web_search\n  : beeuni:web_search\n",
      "tools:\n  ? web_search\n  : tools/web_search.ts  # ejected from beeuni:web_search\n",
    ],
    [
      "no value",
      "tools:\n  web_search: # w\n  # c\n  show: beeuni:show\n",
      `tools:\n  ${LINE}\n  # c\n  show: beeuni:show\n`,
    ],
    ["a number", "tools:\n  web_search: 5\n", `tools:\n  ${LINE}\n`],
    [
      "an anchor nobody uses",
      "tools:\n  web_search: &w beeuni:web_search\n",
      "tools:\n  web_search: &w tools/web_search.ts  # ejected from beeuni:web_search\n",
    ],
    [
      "a # in the text of the line",
      "tools: {a: 'x #.ts', web_search: x}\n",
      "tools: {a: 'x #.ts', web_search: tools/web_search.ts}  # ejected from beeuni:web_search\n",
    ],
  ];
  for (const [what, before, after] of cases) assert.equal(edit(before), after, what);
});

Deno.test("setting an entry without a comment leaves the line's own", () => {
  const entry = { name: "web_search", value: "beeuni:web_search" };
  assert.equal(
    edit("tools:\n  web_search: tools/web_search.ts  # ejected\n", entry),
    "tools:\n  web_search: beeuni:web_search  # ejected\n",
  );
  assert.equal(
    edit("tools: {web_search: 'tools/it''s.ts'} # x\n", entry),
    "tools: {web_search: 'beeuni:web_search'} # x\n",
  );
});

Deno.test("M2: adding a removed tool adds one line, directly after the last entry", () => {
  const cases: [what: string, before: string, after: string][] = [
    [
      "comments after the last entry stay after it",
      "tools:\n  show: beeuni:show # s\n  # tail\n\n# end\nagents: {}\n",
      `tools:\n  show: beeuni:show # s\n  ${LINE}\n  # tail\n\n# end\nagents: {}\n`,
    ],
    [
      "indented as its siblings",
      "tools:\n      show: beeuni:show\n",
      `tools:\n      show: beeuni:show\n      ${LINE}\n`,
    ],
    ["no final newline", "tools:\n  show: beeuni:show", `tools:\n  show: beeuni:show\n  ${LINE}`],
    ["CRLF", "tools:\r\n  show: beeuni:show\r\n", `tools:\r\n  show: beeuni:show\r\n  ${LINE}\r\n`],
    [
      "a last entry without a value",
      "tools:\n  show: beeuni:show\n  x: # x\n",
      `tools:\n  show: beeuni:show\n  x: # x\n  ${LINE}\n`,
    ],
    [
      "a last entry in block style",
      "tools:\n  show: beeuni:show\n  x: |\n    a\n\n\nagents: {}\n",
      `tools:\n  show: beeuni:show\n  x: |\n    a\n  ${LINE}\n\n\nagents: {}\n`,
    ],
    [
      "an anchor nobody uses",
      "tools: &t\n  show: beeuni:show\n",
      `tools: &t\n  show: beeuni:show\n  ${LINE}\n`,
    ],
    ["an empty section at the end", "tools:\n", `tools:\n  ${LINE}\n`],
    ["an empty section without a newline", "tools:", `tools:\n  ${LINE}`],
    [
      "an empty section before another",
      "tools: # none\nagents: {}\n",
      `tools: # none\n  ${LINE}\nagents: {}\n`,
    ],
    ["null", "tools: null # none\nagents: {}\n", `tools: # none\n  ${LINE}\nagents: {}\n`],
    ["~", "agents: {}\ntools: ~", `agents: {}\ntools:\n  ${LINE}`],
    [
      "only comments",
      "tools:\n  # show: beeuni:show\n\n  # memory: beeuni:memory\n\nagents: {}\n",
      `tools:\n  # show: beeuni:show\n\n  # memory: beeuni:memory\n  ${LINE}\n\nagents: {}\n`,
    ],
    [
      "only comments, deeper",
      "tools:\n    # show: beeuni:show\n",
      `tools:\n    # show: beeuni:show\n    ${LINE}\n`,
    ],
    [
      "a comment at the margin",
      "tools:\n# show: beeuni:show\n\nagents: {}\n",
      `tools:\n# show: beeuni:show\n  ${LINE}\n\nagents: {}\n`,
    ],
    ["a comment about the next key", "tools:\n# who\nagents: {}\n", `tools:\n  ${LINE}\n# who\nagents: {}\n`],
    [
      "a comment about the next key, apart",
      "tools:\n\n# who\nagents: {}\n",
      `tools:\n  ${LINE}\n\n# who\nagents: {}\n`,
    ],
    ["the file's own indent", "agents:\n    a: {}\ntools:\n", `agents:\n    a: {}\ntools:\n    ${LINE}\n`],
    [
      "an empty flow map",
      "tools: {}\n",
      "tools: {web_search: tools/web_search.ts}  # ejected from beeuni:web_search\n",
    ],
    [
      "an empty flow map with a space",
      "tools: { } # none\n",
      "tools: { web_search: tools/web_search.ts }  # ejected from beeuni:web_search\n",
    ],
    [
      "a flow map",
      "tools: {show: beeuni:show}\n",
      "tools: {show: beeuni:show, web_search: tools/web_search.ts}  # ejected from beeuni:web_search\n",
    ],
    [
      "a flow map with a last comma",
      "tools: { show: beeuni:show, }\n",
      "tools: { show: beeuni:show, web_search: tools/web_search.ts }  # ejected from beeuni:web_search\n",
    ],
    [
      "a flow map with a bare key",
      "tools: {show}\n",
      "tools: {show, web_search: tools/web_search.ts}  # ejected from beeuni:web_search\n",
    ],
    [
      "a flow map over lines",
      "tools: {\n  memory: beeuni:memory, # m, n\n  show: beeuni:show # s, t\n}\n",
      "tools: {\n  memory: beeuni:memory, # m, n\n  show: beeuni:show, # s, t\n  web_search: tools/web_search.ts  # ejected from beeuni:web_search\n}\n",
    ],
    [
      "a flow map over lines with a last comma",
      "tools: {\r\n  show: beeuni:show, # s\r\n}\r\n",
      "tools: {\r\n  show: beeuni:show, # s\r\n  web_search: tools/web_search.ts,  # ejected from beeuni:web_search\r\n}\r\n",
    ],
  ];
  for (const [what, before, after] of cases) assert.equal(edit(before), after, what);
});

Deno.test("without a tools key: one empty line, then a block with all five", () => {
  const block = `tools:\n  ${LINE}\n${OTHERS}`;
  const cases: [what: string, before: string, after: string][] = [
    ["another section", "agents: {}\n", `agents: {}\n\n${block}`],
    ["no final newline", "agents: {}", `agents: {}\n\n${block}`],
    ["an empty line at the end", "agents: {}\n\n", `agents: {}\n\n${block}`],
    ["an empty file", "", block],
    ["a comment", "# nothing yet\n", `# nothing yet\n\n${block}`],
    ["CRLF", "agents: {}\r\n", `agents: {}\n\n${block}`.replaceAll("\n", "\r\n")],
    [
      "CRLF without a final one",
      "x: y\r\nagents: {}",
      `x: y\nagents: {}\n\n${block}`.replaceAll("\n", "\r\n"),
    ],
    ["a document end mark", "agents: {}\n...\n# end\n", `agents: {}\n\n${block}...\n# end\n`],
    ["an indented file", "  agents: {}\n", `  agents: {}\n\n${block.replaceAll(/^/gm, "  ").trimEnd()}\n`],
    ["a document start mark", "---\n", `---\n\n${block}`],
  ];
  for (const [what, before, after] of cases) assert.equal(edit(before), after, what);
  assert.equal(
    edit("agents: {}\n", { name: "lookup", value: "tools/lookup.ts" }),
    `agents: {}\n\ntools:\n  web_search: beeuni:web_search\n${OTHERS}  lookup: tools/lookup.ts\n`,
  );
});

Deno.test("what can't be edited safely is refused: the line, and what to type", () => {
  const cases: [before: string, message: string][] = [
    [
      "x: &t {show: beeuni:show}\ntools: *t\n",
      "beeuni.yaml:2: `tools` is an alias and can't be edited safely.",
    ],
    [
      "x: &t {show: beeuni:show}\ntools:\n  memory: beeuni:memory\n  <<: *t\n",
      "beeuni.yaml:4: the merge key `<<` can't be edited safely.",
    ],
    [
      "x: &w beeuni:web_search\n\ntools:\n  web_search: *w\n",
      "beeuni.yaml:4: the value of `web_search` is an alias and can't be edited safely.",
    ],
    [
      "tools:\n  web_search: &w beeuni:web_search\nx: *w\n",
      "beeuni.yaml:2: what stands here, with its anchors and brackets, can't be edited safely.",
    ],
    [
      "tools: &t\n  show: beeuni:show\nx: *t\n",
      "beeuni.yaml:2: what stands here, with its anchors and brackets, can't be edited safely.",
    ],
    ["tools:\n  web_search: [x]\n", "beeuni.yaml:2: the value of `web_search` can't be edited safely."],
    ["tools:\n  web_search:\n    a: b\n", "beeuni.yaml:3: the value of `web_search` can't be edited safely."],
    ["tools:\n  web_search: |\n    x\n", "beeuni.yaml:2: the value of `web_search` can't be edited safely."],
    [
      "tools:\n  web_search: 'beeuni:\n    web_search'\n",
      "beeuni.yaml:2: the value of `web_search` can't be edited safely.",
    ],
    ["? tools\n", "beeuni.yaml:1: `tools` without a colon can't be edited safely."],
    [
      "{tools: }\n",
      "beeuni.yaml:1: what stands here, with its anchors and brackets, can't be edited safely.",
    ],
  ];
  for (const [before, message] of cases) {
    assert.throws(() => edit(before), (error) => {
      assert.ok(error instanceof BeeuniError, before);
      assert.deepEqual([error.code, error.exitCode, error.message], ["edit_refused", 1, message]);
      assert.equal(error.hint, `Write \`${LINE}\` under \`tools:\` by hand.`);
      return true;
    });
  }
  assert.throws(() => edit("{agents: {}}\n"), {
    message: "beeuni.yaml:1: a file that is one map in braces can't be edited safely.",
  });
  // an empty line would become part of the text above
  assert.throws(() => edit("a: |+\n  x\n"), { code: "edit_refused" });
});

Deno.test("values that need quotes get them", () => {
  const value = (path: string) =>
    edit("tools:\n", { name: "x", value: path }).slice("tools:\n  x: ".length, -1);
  assert.equal(value("tools/x.ts"), "tools/x.ts");
  assert.equal(value("a b/ü.ts"), '"a b/ü.ts"');
  assert.equal(value("a #b.ts"), '"a #b.ts"');
  assert.equal(value('a"b.ts'), '"a\\"b.ts"');
  assert.equal(value("- x.ts"), '"- x.ts"');
  assert.equal(value("{a}.ts"), '"{a}.ts"');
});

/** A manifest in any style, as lines; `web_search` is declared, removed, or there is no tools key. */
const styled = fc.record({
  newline: fc.constantFrom("\n", "\r\n"),
  finalNewline: fc.boolean(),
  head: fc.constantFrom("", "# top\n", "---\n", "# top\n\n\n", "default_agent: a   # d\n"),
  tail: fc.constantFrom(
    "",
    "agents:\n  a:\n    tools: all # t\n",
    "# end\n",
    "x: &x [1, 'a # b']\ny: *x\n",
    "\n\n",
  ),
  indent: fc.integer({ min: 1, max: 8 }),
  flow: fc.constantFrom("no", "line", "lines", "none"),
  quote: fc.constantFrom("", "'", '"'),
  keyQuote: fc.constantFrom("", "'", '"'),
  gap: fc.constantFrom(" ", "   "),
  comment: fc.constantFrom("", " # c", '     # it\'s "c": {x} #', "\t# t"),
  between: fc.constantFrom("", "\n", "# b\n", "    # deep\n\n"),
  tools: fc.uniqueArray(fc.constantFrom(...BEEUNI_TOOLS, "own_a", "own_b"), { maxLength: 5 }),
});

type Style = typeof styled extends fc.Arbitrary<infer T> ? T : never;

function textOf(style: Style): string {
  const { indent, flow, quote, keyQuote, gap, comment, between, tools } = style;
  const pad = " ".repeat(indent);
  const pair = (name: string) => `${keyQuote}${name}${keyQuote}:${gap}${quote}beeuni:${name}${quote}`;
  let body = "";
  if (flow === "no") {
    body = `tools:${comment}\n` + tools.map((name) => `${pad}${pair(name)}${comment}\n`).join(between);
  } else if (flow === "line") {
    body = `tools:${gap}{${tools.map(pair).join(`,${gap}`)}}${comment}\n`;
  } else if (flow === "lines") {
    body = `tools: {\n${tools.map((name) => `${pad}${pair(name)},${comment}\n`).join("")}${pad}}\n`;
  }
  const text = (style.head + body + style.tail).replaceAll("\n", style.newline);
  return style.finalNewline ? text : text.replace(/(?:\r?\n)+$/, "");
}

Deno.test("any style: the edit says what it means, and no line but its own changes", () => {
  let edited = 0;
  fc.assert(
    fc.property(styled, fc.constantFrom("web_search", "own_c"), fc.boolean(), (style, name, commented) => {
      const before = textOf(style);
      const entry: NewEntry = { name, value: `tools/${name}.ts`, ...(commented && { comment: "# new" }) };
      const after = edit(before, entry);
      edited++;

      const old = parse(before) ?? {};
      const listed = style.flow === "none"
        ? Object.fromEntries(BEEUNI_TOOLS.map((tool) => [tool, `beeuni:${tool}`]))
        : {};
      const expected = { ...old, tools: { ...(old.tools ?? listed), [name]: entry.value } };
      assert.deepEqual(parse(after), expected);
      assert.deepEqual(Object.keys(parse(after).tools), Object.keys(expected.tools));

      const oldLines = before.split(/(?<=\n)/);
      const newLines = after.split(/(?<=\n)/);
      const same = commonEnds(oldLines, newLines);
      if (style.flow === "none") {
        // the block comes last, whole
        assert.ok(after.startsWith(before), "the old text stays as it is");
        assert.ok(after.endsWith(before.includes("\r\n") ? "\r\n" : "\n"));
      } else if (style.tools.includes(name as typeof style.tools[number])) {
        assert.equal(newLines.length, oldLines.length);
        assert.equal(same, oldLines.length - 1);
      } else {
        // one more line; a flow map's last line may get a comma, the last line of a file a line break
        assert.ok(newLines.length - oldLines.length <= 1);
        assert.ok(same >= oldLines.length - 1, `${same} of ${oldLines.length}`);
      }
      assert.equal(after.replaceAll("\r\n", "").includes("\r"), false);
      if (before.includes("\r\n")) assert.doesNotMatch(after, /[^\r]\n/);
    }),
    fuzz(3000),
  );
  assert.ok(edited > 0);
});

/** How many lines the two have in common at the start and the end together. */
function commonEnds(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return start + end;
}
