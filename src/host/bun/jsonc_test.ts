import assert from "node:assert/strict";
import { parseJsonc } from "./jsonc.ts";

Deno.test("parseJsonc reads comments and trailing commas", () => {
  const cases: [string, unknown][] = [
    ["1", 1],
    ['{"a": 1, // one\n "b": /* two */ 2,}', { a: 1, b: 2 }],
    ["[1, 2, /* last */ ]", [1, 2]],
    ['{"a": [1, {"b": 2,},],}', { a: [1, { b: 2 }] }],
    ['// head\r\n{"url": "http://x/*y*/", "c": "a,]"}', { url: "http://x/*y*/", c: "a,]" }],
    ['{"q": "\\"//,}\\\\"}', { q: '"//,}\\' }],
    ["[1]// end without a newline", [1]],
    ["[]", []],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
  ];
  for (const [text, value] of cases) assert.deepEqual(parseJsonc(text), value, text);
});

Deno.test("parseJsonc refuses what is not JSON with comments", () => {
  for (
    const text of ["", "[,]", "{,}", "[1,,]", "{a: 1}", "[1 2]", "/* open", '"open', "[1,/*x*/,]", '{"a":,}']
  ) {
    assert.throws(() => parseJsonc(text), SyntaxError, text);
  }
});

Deno.test("parseJsonc reads a long string", () => {
  const long = "x".repeat(3_000_000);
  assert.equal(parseJsonc(`["${long}",]`.replaceAll("x\\", "")) instanceof Array, true);
});
