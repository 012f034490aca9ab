import assert from "node:assert/strict";
import fc from "fast-check";
import { LineIndex } from "./line_index.ts";
import { parseManifestText } from "./parse.ts";
import { fuzz } from "../../../tests/support/fuzz.ts";

/** `code line:column path: message` of each problem. */
function problemsOf(text: string): string[] {
  const lines = new LineIndex(text);
  return parseManifestText(text, lines).problems.map(({ code, offset, segments, message }) => {
    const { line, column } = lines.at(offset);
    return `${code} ${line}:${column} ${segments.join(".")}: ${message}`;
  });
}

function dataOf(text: string): unknown {
  const { root, problems } = parseManifestText(text, new LineIndex(text));
  assert.deepEqual(problems, [], text);
  return JSON.parse(JSON.stringify(root?.data));
}

Deno.test("parseManifestText reads maps, lists and scalars of YAML 1.2", () => {
  const cases: [text: string, data: unknown][] = [
    ["", {}],
    ["# only a comment\n", {}],
    ["---\n", {}],
    ["--- # nothing\n...\n", {}],
    ["---\na: b\n...\n# end\n", { a: "b" }],
    ["a: b\r\nc:\r\n  - d\r\n", { a: "b", c: ["d"] }],
    ["a: {b: [1, 'x', \"y\\n\"], c: ~}\n", { a: { b: [1, "x", "y\n"], c: null } }],
    ["a: |\n  x\n  y\nb: >-\n  x\n  y\n", { a: "x\ny\n", b: "x y" }],
    ["a: no\nb: 'true'\nc: true\nd: !!str true\ne: !!int '5'\n", {
      a: "no",
      b: "true",
      c: true,
      d: "true",
      e: 5,
    }],
    ["a: &x {b: 1}\nc: *x\nd: [*x]\n", { a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] }],
    ["a: &x 1\nb: &x 2\nc: *x\n", { a: 1, b: 2, c: 2 }],
    ["%YAML 1.1\n---\na: yes\n", { a: "yes" }],
    // M3: the source text of a key is its name
    [
      "1: a\nnull: b\n0x10: c\nno: d\non: e\ntrue: f\n1.0: g\n'quoted': h\n? i\n: j\n",
      {
        "1": "a",
        "null": "b",
        "0x10": "c",
        "no": "d",
        "on": "e",
        "true": "f",
        "1.0": "g",
        quoted: "h",
        i: "j",
      },
    ],
  ];
  for (const [text, data] of cases) assert.deepEqual(dataOf(text), data, text);
});

Deno.test("parseManifestText: names of Object.prototype are names as any other", () => {
  const text = "__proto__: {polluted: 1}\nconstructor: x\nhasOwnProperty: y\ntoString: z\n";
  const { root } = parseManifestText(text, new LineIndex(text));
  assert.deepEqual([...root?.entries.keys() ?? []], [
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
  ]);
  assert.deepEqual(Object.keys(root?.data ?? {}), ["__proto__", "constructor", "hasOwnProperty", "toString"]);
  assert.equal(Object.getPrototypeOf(root?.data), null);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

Deno.test("parseManifestText places every kind of error and words it itself", () => {
  const stands = "This can't stand here: check quotes, brackets and indentation above it.";
  const cases: [text: string, problem: string][] = [
    ["a:\n\tb: c\n", "syntax 2:1 : A tab can't indent a line: use spaces."],
    ["a: 'x\n", "syntax 1:6 : The quote is not closed."],
    ['a: "x\n', "syntax 1:6 : The quote is not closed."],
    [
      'a: "\\q"\n',
      "syntax 1:5 : The text in double quotes has an unknown escape: write `\\\\` for a backslash, or use single quotes.",
    ],
    ["a: {b: c\n", "syntax 1:9 : The `{` or `[` is not closed, or its lines are not indented enough."],
    ["a: [b\n", "syntax 1:6 : The `{` or `[` is not closed, or its lines are not indented enough."],
    ["a: [b c: d, e]\nf\n", "syntax 2:1 : A `:` with a space after it is missing behind this key."],
    [
      "a: b: c\n",
      "syntax 1:4 : A map or list can't start here: indent the lines below like their neighbours, put it on a line of its own, or put a value that holds `: ` in quotes.",
    ],
    [
      "a: b\n c: d\n",
      "syntax 1:4 : A map or list can't start here: indent the lines below like their neighbours, put it on a line of its own, or put a value that holds `: ` in quotes.",
    ],
    [
      "a:\n  b: c\n d: e\n",
      "syntax 3:1 : The indentation doesn't fit: entries of one block start in the same column.",
    ],
    ["a: @x\n", "syntax 1:4 : A value can't start with this character: put the value in quotes."],
    ["a: ]\n", `syntax 1:4 : ${stands}`],
    ["a: b\r\nc: ]\r\n", `syntax 2:4 : ${stands}`],
    ["a: !!int &x &y 1\n", "syntax 1:13 : A value can have one anchor only."],
    ["%YAML 1.2\n", "syntax 1:10 : A `---` line is missing after the `%` directive: remove the directive."],
    ["a: 'b'c\n", `syntax 1:7 : ${stands}`],
    [
      "a: b\n---\nc: d\n",
      "several_documents 2:1 : A second YAML document starts here: a manifest file holds one, so remove the `---` or `...`.",
    ],
    [
      "a: b\n...\nc: d\n",
      "several_documents 3:1 : A second YAML document starts here: a manifest file holds one, so remove the `---` or `...`.",
    ],
    ["- a\n", "not_a_map 1:1 : The top level must be a map of keys, such as `tools:`."],
    ["\n\nnull\n", "not_a_map 3:1 : The top level must be a map of keys, such as `tools:`."],
    ["beeuni\n", "not_a_map 1:1 : The top level must be a map of keys, such as `tools:`."],
    ["a: x\nb: y\na: z\n", 'duplicate_key 3:1 a: "a" stands twice, on line 1 and line 3: remove one.'],
    [
      "t:\r\n  a: x\r\n  'a': y\r\n",
      'duplicate_key 3:3 t.a: "a" stands twice, on line 2 and line 3: remove one.',
    ],
    ["{a: x, a: y}\n", 'duplicate_key 1:8 a: "a" stands twice, on line 1 and line 1: remove one.'],
    ["? [a]\n: b\n", "complex_key 1:3 : A key must be plain text, not a list, a map or an alias."],
    ["a: &x b\n*x : c\n", "complex_key 2:1 : A key must be plain text, not a list, a map or an alias."],
    ["a: *x\n", "alias_unknown 1:4 a: `*x` names no anchor above it."],
    ["a: *x\nb: &x 1\n", "alias_unknown 1:4 a: `*x` names no anchor above it."],
    ["a: &x [*x]\n", "alias_cycle 1:8 a.0: `*x` stands inside the value of its own anchor."],
    ["a: &x {b: {c: *x}}\n", "alias_cycle 1:15 a.b.c: `*x` stands inside the value of its own anchor."],
    ["a: !secret x\n", "unknown_tag 1:12 a: The tag `!secret` means nothing in a manifest: remove it."],
    ["a: !!set {x}\n", "unknown_tag 1:10 a: The tag `!!set` means nothing in a manifest: remove it."],
  ];
  for (const [text, problem] of cases) assert.deepEqual(problemsOf(text), [problem], text);
});

Deno.test("parseManifestText: 1 and 0x1 are two names, a and 'a' one", () => {
  assert.deepEqual(problemsOf("1: a\n0x1: b\n'01': c\n"), []);
  assert.equal(problemsOf('a: 1\n"\\x61": 2\n').length, 1);
});

Deno.test("M4: bombs and depths are errors with a place, at once", () => {
  const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= 9; level++) {
    bomb.push(`a${level}: &a${level} [${Array(10).fill(`*a${level - 1}`).join(", ")}]`);
  }
  assert.deepEqual(problemsOf(bomb.join("\n")), [
    "alias_bomb 5:45 : The aliases up to here stand for too many values: write them out.",
  ]);
  const deep = "nested more than 100 levels deep.";
  assert.deepEqual(problemsOf("a: " + "[".repeat(10_000)), [`too_deep 1:103 : The file is ${deep}`]);
  assert.deepEqual(problemsOf("a: " + "{a: ".repeat(10_000)), [`too_deep 1:400 : The file is ${deep}`]);
  assert.deepEqual(problemsOf("- ".repeat(10_000) + "x"), [`too_deep 1:201 : The file is ${deep}`]);
  const block = Array.from({ length: 1000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  assert.deepEqual(problemsOf(block), [`too_deep 101:101 : The file is ${deep}`]);
  assert.deepEqual(problemsOf("a: " + "[".repeat(99) + "]".repeat(99)), []);
  assert.deepEqual(problemsOf("a: [" + ",".repeat(1_000_000)), [
    "file_too_large 1:199999 : The file has too many values up to here: split it with `imports`.",
  ]);
});

Deno.test("parseManifestText never throws, and places every problem inside the text", () => {
  const atom = fc.constantFrom(
    ..."a|b: |- |? |: |\n|\r\n|  |\t|\"|'|&x |*x|!!str |!foo |!<a> |{|}|[|]|,|#c|---|...|%YAML 1.2\n|<<: |\\u12|@|`|é|🌍|!!set "
      .split("|"),
    "|",
    "|2-\n",
    ">\n",
  );
  fc.assert(
    fc.property(fc.array(atom, { maxLength: 20 }), (atoms) => {
      const text = atoms.join("");
      const lines = new LineIndex(text);
      for (const { offset, message } of parseManifestText(text, lines).problems) {
        const { line, column } = lines.at(offset);
        const written = text.split("\n")[line - 1]?.replace(/\r$/, "");
        assert.ok(written !== undefined && column >= 1 && column <= written.length + 1, text);
        assert.match(message, /^[A-Z"`].*\.$/);
      }
    }),
    fuzz(3000),
  );
});
