import assert from "node:assert/strict";
import { OutputTooLargeError, resultText } from "./result_text.ts";

const TEXTS: [value: unknown, text: string, json: boolean][] = [
  ["x", "x", false],
  ["", "", false],
  [undefined, "", false],
  ["a\ud800b", "a\ufffdb", false],
  ["\ufeffx", "\ufeffx", false],
  [42, "42", true],
  [true, "true", true],
  [null, "null", true],
  [[], "[]", true],
  [{}, "{}", true],
  [{ a: 1, b: undefined }, '{\n  "a": 1\n}', true],
  [[1, { b: [2] }], '[\n  1,\n  {\n    "b": [\n      2\n    ]\n  }\n]', true],
  [new Date(0), '"1970-01-01T00:00:00.000Z"', true],
  [new URL("http://a.example/b"), '"http://a.example/b"', true],
  [{ toJSON: () => undefined }, "", false],
  [{ toJSON: () => "x" }, '"x"', true],
  [{ s: "a\ud800" }, '{\n  "s": "a\\ud800"\n}', true],
];
for (const [value, text, json] of TEXTS) {
  Deno.test(`resultText: ${JSON.stringify(text)}`, () => assert.deepEqual(resultText(value), { text, json }));
}

Deno.test("resultText: what can't be a string is too large", () => {
  const half = "x".repeat(300_000_000);
  assert.throws(() => resultText([half, half]), OutputTooLargeError);
  // Before JSON is made of it: the copy would not fit into the heap of a worker.
  assert.throws(() => resultText({ a: half }), OutputTooLargeError);
});
