import assert from "node:assert/strict";
import { compileGlob } from "./glob_pattern.ts";

// What fits is what `git check-ignore` and `rg --glob` said of the same patterns.
Deno.test("compileGlob: which paths a pattern fits", () => {
  const cases: [pattern: string, fits: string[], not: string[]][] = [
    ["*.ts", ["a.ts", "d/a.ts", ".ts", "d/e/.ts"], ["a.tsx", "ts"]],
    ["a?", ["ab", "d/ax"], ["a", "a/b", "abc"]],
    ["/a", ["a"], ["d/a"]],
    ["d/a", ["d/a"], ["e/d/a", "d/a/b"]],
    ["d/*", ["d/a", "d/.h"], ["d/e/a", "d"]],
    ["**/a", ["a", "d/a", "d/e/a"], ["ab", "d/ba"]],
    ["d/**", ["d/a", "d/e/a"], ["d", "e/d/a"]],
    ["d/**/a", ["d/a", "d/e/a", "d/e/f/a"], ["d/ea"]],
    ["a**b", ["ab", "axb", "d/axb"], ["a/b"]],
    ["**", ["a", "d/a"], []],
    ["[ab].x", ["a.x", "d/b.x"], ["c.x"]],
    ["[!ab].x", ["c.x"], ["a.x", "/.x"]],
    ["[^ab].x", ["c.x"], ["a.x"]],
    ["[a-c]", ["b"], ["d"]],
    ["[]x]", ["]", "x"], ["["]],
    ["[z-a]", [], ["z", "a", "[z-a]"]],
    ["[[:alpha:]]1", ["a1", "Z1"], ["11", ":1"]],
    ["[a", [], ["[a", "a"]],
    ["\\*", ["*"], ["a"]],
    ["a.b+c(d)", ["a.b+c(d)"], ["axb+c(d)"]],
    ["{a,b}.{ts,js}", ["a.ts", "b.js", "d/a.js"], ["c.ts", "a.t"]],
    ["{a,{b,c}}", ["a", "b", "c"], ["d"]],
    ["{a", ["{a"], ["a"]],
    ["a,b", ["a,b"], ["a", "b"]],
    ["😀*", ["😀", "😀x"], ["x"]],
  ];
  for (const [pattern, fits, not] of cases) {
    const regex = compileGlob(pattern, { braces: true });
    for (const path of fits) assert.ok(regex.test(path), `${pattern} should fit ${path}`);
    for (const path of not) assert.ok(!regex.test(path), `${pattern} should not fit ${path}`);
  }
  assert.ok(compileGlob("{a,b}", { braces: false }).test("{a,b}"));
});
