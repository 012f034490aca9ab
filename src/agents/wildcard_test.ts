import assert from "node:assert/strict";
import fc from "fast-check";
import { fitsPattern, mayFitPattern, UNKNOWN } from "./wildcard.ts";

Deno.test("fitsPattern: * any text, ? one character, the rest itself", () => {
  const cases: [text: string, pattern: string, expected: boolean][] = [
    ["git status", "git *", true],
    ["git", "git *", true],
    ["gitk", "git *", false],
    ["git ", "git *", true],
    ["a/b/c", "a*c", true],
    ["", "*", true],
    ["", "", true],
    ["x", "", false],
    ["", "?", false],
    ["😀", "?", true],
    ["a\nb", "a*b", true],
    ["a\nb", "a?b", true],
    ["A", "a", false],
    ["abc", "a.c", false],
    ["a+(b)|[c]^$\\", "a+(b)|[c]^$\\", true],
    ["aXbXc", "*X*X*", true],
    ["aXb", "*X*X*", false],
    ["abab", "*ab", true],
    ["ab", "**a**b**", true],
    [`git ${UNKNOWN}`, "git *", true],
    [`git ${UNKNOWN}`, "git ?", false],
    [`git ${UNKNOWN}`, "git push*", false],
    [`git ${UNKNOWN} x`, "git * x", true],
  ];
  for (const [text, pattern, expected] of cases) {
    assert.equal(fitsPattern(text, pattern), expected, JSON.stringify([text, pattern]));
  }
});

Deno.test("mayFitPattern: for some value of what is unknown", () => {
  const cases: [text: string, pattern: string, expected: boolean][] = [
    [`git ${UNKNOWN}`, "git push*", true],
    [`git log ${UNKNOWN}`, "git push*", false],
    [UNKNOWN, "rm *", true],
    [`${UNKNOWN}x`, "rm *", true],
    [`echo ${UNKNOWN}`, "rm *", false],
    [`g${UNKNOWN}`, "git *", true],
    [`${UNKNOWN}b${UNKNOWN}`, "abc", true],
    [`${UNKNOWN}d${UNKNOWN}`, "abc", false],
    [UNKNOWN, "", true],
    ["abc", "a?c", true],
    ["abc", "a?d", false],
  ];
  for (const [text, pattern, expected] of cases) {
    assert.equal(mayFitPattern(text, pattern), expected, JSON.stringify([text, pattern]));
  }
});

const pieces = (...more: string[]) =>
  fc.array(fc.constantFrom("a", "b", " ", ".", "/", ...more), { maxLength: 9 }).map((parts) =>
    parts.join("")
  );

Deno.test("fitsPattern is what a regular expression says, and mayFitPattern agrees where all is known", () => {
  fc.assert(fc.property(pieces(), pieces("*", "*", "?"), (text, pattern) => {
    const source = pattern.replace(/[.]/g, "\\.").replaceAll("*", ".*").replaceAll("?", ".").replace(
      / \.\*$/,
      "( .*)?",
    );
    const expected = new RegExp(`^${source}$`, "su").test(text);
    assert.equal(fitsPattern(text, pattern), expected);
    assert.equal(mayFitPattern(text, pattern), expected);
  }));
});

Deno.test("mayFitPattern: whatever the unknown part turns out to be, it was foreseen; fitsPattern holds for each", () => {
  fc.assert(
    fc.property(pieces(), pieces(), pieces(), pieces("*", "*", "?"), (before, value, after, pattern) => {
      const unknown = before + UNKNOWN + after;
      const real = fitsPattern(before + value + after, pattern);
      if (real) assert.ok(mayFitPattern(unknown, pattern));
      if (fitsPattern(unknown, pattern)) assert.ok(real);
    }),
  );
});

Deno.test("fitsPattern: no pattern is slow", () => {
  const text = "a".repeat(20_000);
  assert.equal(fitsPattern(text, "*a".repeat(200) + "b"), false);
  assert.equal(mayFitPattern(text.slice(0, 2_000), "*a".repeat(200) + "b"), false);
});
