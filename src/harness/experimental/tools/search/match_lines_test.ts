import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileRegex } from "./compile_regex.ts";
import { matchLines } from "./match_lines.ts";

/** Lines of a text that fit. */
function matches(text: string | Uint8Array, pattern: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "beeuni-match-"));
  try {
    const path = join(folder, "f");
    writeFileSync(path, text);
    return [...matchLines(path, compileRegex(pattern))].map(({ line, text }) => `${line}:${text}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("matchLines: lines and their numbers", () => {
  const cases: [text: string | Uint8Array, pattern: string, found: string[]][] = [
    ["one\ntwo\nthree\n", "t", ["2:two", "3:three"]],
    ["one\ntwo", "two$", ["2:two"]],
    ["one\r\ntwo\r\n", "e$|^two$", ["1:one", "2:two"]],
    ["\n\nx\n", "^$", ["1:", "2:"]],
    ["", "x*", []],
    ["Straße\nSTRASSE\n", "(?i)strasse", ["2:STRASSE"]],
    ["a.b\naxb\n", "a\\.b", ["1:a.b"]],
    ["é\n", "\\p{L}", ["1:é"]],
    ["😀\n", "^\\u{1F600}$", ["1:😀"]],
    ['"x"\n', '\\"x\\"', ['1:"x"']],
    [new Uint8Array([0x61, 0, 0x0a, 0x61, 0x0a]), "a", []],
    [new Uint8Array([0x61, 0xff, 0x0a]), "a", ["1:a\uFFFD"]],
  ];
  for (const [text, pattern, found] of cases) assert.deepEqual(matches(text, pattern), found, pattern);
});

Deno.test("matchLines: long files, long lines and what lies across two pieces", () => {
  const rows = Array.from({ length: 300_000 }, (_, n) => `row ${n}`).join("\n");
  assert.deepEqual(matches(rows, "^row (?:1|150000|299999)$"), [
    "2:row 1",
    "150001:row 150000",
    "300000:row 299999",
  ]);
  const [first] = matches("x".repeat(1_999) + "🌍🌍", "x");
  assert.equal(first, `1:${"x".repeat(1_999)}…`);
  // Of a line over 1 MiB the beginning is searched, and the lines behind it keep their numbers.
  const long = `${"y".repeat(3 * 1024 * 1024)}end\nlast\n`;
  assert.deepEqual(matches(long, "end"), []);
  assert.deepEqual(matches(long, "^last$"), ["2:last"]);
  assert.equal(matches(long, "y").length, 1);
  const exact = `${"z".repeat(1024 * 1024)}\nlast\n`;
  assert.deepEqual(matches(exact, "last"), ["2:last"]);
});

Deno.test("compileRegex: what is none is said", () => {
  for (const pattern of ["(", "[", "a**", "(?<"]) {
    assert.throws(() => compileRegex(pattern), SyntaxError, pattern);
  }
});
