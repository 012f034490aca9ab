import assert from "node:assert/strict";
import { inspect, type InspectOptions } from "./inspect.ts";

class Foo {
  a = 1;
  get g() {
    return 1;
  }
  m() {}
}
class Bar extends Foo {
  b = "x";
}
const CIRCULAR: Record<string, unknown> = { n: 1 };
CIRCULAR.self = CIRCULAR;

/** Value, text of Bun 1.4, options. */
// deno-fmt-ignore
const CASES: [unknown, string, InspectOptions?][] = [
  ["a\"b'c\n", "\"a\\\"b'c\\n\""],
  [1.5, "1.5"],
  [-0, "-0"],
  [10n, "10n"],
  [null, "null"],
  [undefined, "undefined"],
  [Symbol("x"), "Symbol(x)"],
  [Symbol(), "Symbol()"],
  [function foo() {}, "[Function: foo]"],
  [() => {}, "[Function]"],
  [async function af() {}, "[AsyncFunction: af]"],
  [function* g() {}, "[GeneratorFunction: g]"],
  [Foo, "[class Foo]"],
  [Bar, "[class Bar extends Foo]"],
  [class {}, "[class (anonymous)]"],
  [{ foo: "bar" }, "{\n  foo: \"bar\",\n}"],
  [{ a: 1, b: { c: [1, 2] } }, "{\n  a: 1,\n  b: {\n    c: [ 1, 2 ],\n  },\n}"],
  [{}, "{}"],
  [[], "[]"],
  [[1, 2, 3], "[ 1, 2, 3 ]"],
  [["a", "b"], "[ \"a\", \"b\" ]"],
  [[{ a: 1 }, { b: 2 }], "[\n  {\n    a: 1,\n  }, {\n    b: 2,\n  }\n]"],
  [[[1], [2]], "[\n  [ 1 ], [ 2 ]\n]"],
  [[[{ a: 1 }]], "[\n  [\n    {\n      a: 1,\n    }\n  ]\n]"],
  [[1, { a: 1 }, "x"], "[ 1, {\n    a: 1,\n  }, \"x\" ]"],
  [[{}, {}], "[\n  {}, {}\n]"],
  [[() => {}, Foo], "[\n  [Function], [class Foo]\n]"],
  [[1, [3, 4], 5], "[ 1, [ 3, 4 ], 5 ]"],
  [Array.from({ length: 10 }, () => 1), "[ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 ]"],
  [Array.from({ length: 11 }, () => 1), "[\n  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1\n]"],
  [Array.from({ length: 120 }, (_, i) => i), "[\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,\n  23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42,\n  43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,\n  63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82,\n  83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99,\n  ... 20 more items\n]"],
  [["a".repeat(50), "b".repeat(50), "c"], "[ \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\",\n  \"c\"\n]"],
  [{ a: { b: Array.from({ length: 40 }, (_, i) => i) } }, "{\n  a: {\n    b: [\n      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,\n      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39\n    ],\n  },\n}"],
  [[1, , 3], "[ 1, empty item, 3 ]"],
  [[, , ,], "[ 3 x empty items ]"],
  [Object.assign([1], { x: 2 }), "[ 1, x: 2 ]"],
  [new Map<unknown, unknown>([["a", 1], [{ x: 1 }, [2]]]), "Map(2) {\n  \"a\": 1,\n  {\n    x: 1,\n  }: [ 2 ],\n}"],
  [new Map(), "Map {}"],
  [new Set<unknown>([1, "a", { b: 1 }]), "Set(3) {\n  1,\n  \"a\",\n  {\n    b: 1,\n  },\n}"],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  [new Date(NaN), "Invalid Date"],
  [/a\/b/gi, "/a\\/b/gi"],
  [new Uint8Array([1, 2, 3]), "Uint8Array(3) [ 1, 2, 3 ]"],
  [new Uint8Array(), "Uint8Array(0) []"],
  [new BigInt64Array([1n]), "BigInt64Array(1) [ 1n ]"],
  [new ArrayBuffer(3), "ArrayBuffer(3) [ 0, 0, 0 ]"],
  [new DataView(new ArrayBuffer(2)), "DataView(2) [ 0, 0 ]"],
  [new Foo(), "Foo {\n  a: 1,\n  g: [Getter],\n  m: [Function: m],\n}"],
  [new Bar(), "Bar {\n  a: 1,\n  b: \"x\",\n  g: [Getter],\n  m: [Function: m],\n}"],
  [Object.assign(Object.create(null), { a: 1 }), "[Object: null prototype] {\n  a: 1,\n}"],
  [{ get a() { return 1; }, set a(_v: number) { void _v; }, get b() { return 1; }, set c(_v: number) { void _v; } }, "{\n  a: [Getter/Setter],\n  b: [Getter],\n  c: [Setter],\n}"],
  [{ [Symbol("k")]: 1, [Symbol.iterator]: 2 }, "{\n  [Symbol(k)]: 1,\n  [Symbol(Symbol.iterator)]: 2,\n}"],
  [{ "a-b": 1, "1": 2, "ü": 4, "": 5, class: 6, $x: 7 }, "{\n  \"1\": 2,\n  \"a-b\": 1,\n  \"ü\": 4,\n  \"\": 5,\n  class: 6,\n  $x: 7,\n}"],
  [{ a: { b: { c: { d: { e: { f: { g: { h: { i: { j: 1 } } } } } } } } } }, "{\n  a: {\n    b: {\n      c: {\n        d: {\n          e: {\n            f: {\n              g: {\n                h: {\n                  i: [Object ...],\n                },\n              },\n            },\n          },\n        },\n      },\n    },\n  },\n}"],
  [CIRCULAR, "{\n  n: 1,\n  self: [Circular],\n}"],
  [{ [Symbol.toStringTag]: "Tag", a: 1 }, "Tag {\n  a: 1,\n}"],
  [{ x: { [Symbol.for("nodejs.util.inspect.custom")]: () => "CUSTOM" } }, "{\n  x: CUSTOM,\n}"],
  [{ [Symbol.for("nodejs.util.inspect.custom")]: () => ({ z: 1 }) }, "{\n  z: 1,\n}"],
  [[new Map([[1, 2]]), new Set([1]), new Date(0), /x/, null], "[\n  Map(1) {\n    1: 2,\n  }, Set(1) {\n    1,\n  }, 1970-01-01T00:00:00.000Z, /x/, null\n]"],
  ["é🌍\u0007", "\"é🌍\\u0007\""],
  [{ a: { b: { c: 1 } }, x: [1] }, "{\n  a: [Object ...],\n  x: [Array ...],\n}", { depth: 0 }],
  [{ a: { b: { c: 1 } }, x: [[1]] }, "{\n  a: {\n    b: [Object ...],\n  },\n  x: [\n    [Array ...]\n  ],\n}", { depth: 1 }],
  [{ b: 1, a: 2, C: 3 }, "{\n  C: 3,\n  a: 2,\n  b: 1,\n}", { sorted: true }],
  [{ b: 1, a: [{ x: 1 }] }, "{ b: 1, a: [ { x: 1 } ] }", { compact: true }],
];

Deno.test("Bun.inspect prints as Bun does", () => {
  for (const [value, text, options] of CASES) assert.equal(inspect(value, options), text);
});

Deno.test("Bun.inspect leaves errors and web objects to this runtime", () => {
  assert.match(inspect(new TypeError("boom")), /^TypeError: boom\n {4}at /);
  assert.equal(inspect(new Headers({ a: "b" })), 'Headers { a: "b" }');
  assert.equal(inspect(Promise.resolve(1)), "Promise { 1 }");
});

Deno.test("Bun.inspect.custom is Node's symbol", () => {
  assert.equal(inspect.custom, Symbol.for("nodejs.util.inspect.custom"));
});

Deno.test("Bun.inspect.table draws the documented tables", () => {
  const rows = [{ a: 1, b: 2, c: 3 }, { a: 4, b: 5, c: 6 }];
  assert.equal(
    inspect.table(rows),
    `┌───┬───┬───┬───┐
│   │ a │ b │ c │
├───┼───┼───┼───┤
│ 0 │ 1 │ 2 │ 3 │
│ 1 │ 4 │ 5 │ 6 │
└───┴───┴───┴───┘
`,
  );
  assert.equal(
    inspect.table(rows, ["a", "c"]),
    `┌───┬───┬───┐
│   │ a │ c │
├───┼───┼───┤
│ 0 │ 1 │ 3 │
│ 1 │ 4 │ 6 │
└───┴───┴───┘
`,
  );
  assert.equal(
    inspect.table({ x: { a: [1] }, y: "é🌍" }),
    `┌───┬───────┬────────┐
│   │ a     │ Values │
├───┼───────┼────────┤
│ x │ [ 1 ] │        │
│ y │       │ é🌍    │
└───┴───────┴────────┘
`,
  );
  assert.equal(inspect.table([]), "┌───┐\n│   │\n├───┤\n└───┘\n");
  assert.equal(inspect.table(1), "");
});
