import assert from "node:assert/strict";
import { deepEquals } from "./deep_equals.ts";

/** Name, answer of Bun 1.4 not strict and strict, the two values. */
const CASES: [string, boolean, boolean, () => [unknown, unknown]][] = [
  ["1 1", true, true, () => [1, 1]],
  ["0 -0", false, false, () => [0, -0]],
  ["nan", true, true, () => [NaN, NaN]],
  ["1 '1'", false, false, () => [1, "1"]],
  ["null undef", false, false, () => [null, undefined]],
  ["str", true, true, () => ["a", "a"]],
  ["sym", false, false, () => [Symbol("a"), Symbol("a")]],
  ["big", true, true, () => [1n, 1n]],
  ["big num", false, false, () => [1n, 1]],
  ["extra undef", true, false, () => [{ a: 1 }, { a: 1, b: undefined }]],
  ["arr undef", true, false, () => [["a"], ["a", undefined]]],
  ["sparse", true, false, () => [[, 1], [undefined, 1]]],
  ["sparse2", true, true, () => [[, 1], [, 1]]],
  ["arr len", false, false, () => [[1], [1, 2]]],
  ["arr vs obj", false, false, () => [[1], { 0: 1 }]],
  ["arr vs arrlike", false, false, () => [[1], { 0: 1, length: 1 }]],
  ["key order", true, true, () => [{ a: 1, b: 2 }, { b: 2, a: 1 }]],
  ["class vs obj", true, false, () => [
    new (class Foo {
      a = 1;
    })(),
    { a: 1 },
  ]],
  ["class vs class", true, false, () => [
    new (class Foo {
      a = 1;
    })(),
    new (class Bar {
      a = 1;
    })(),
  ]],
  ["nullproto", true, true, () => [Object.assign(Object.create(null), { a: 1 }), { a: 1 }]],
  ["date", true, true, () => [new Date(1), new Date(1)]],
  ["date ne", false, false, () => [new Date(1), new Date(2)]],
  ["date nan", false, false, () => [new Date(NaN), new Date(NaN)]],
  ["date obj", false, false, () => [new Date(1), {}]],
  ["re", true, true, () => [/a/g, /a/g]],
  ["re flag", false, false, () => [/a/g, /a/i]],
  ["re lastIndex", true, true, () => {
    const r = /a/g;
    r.lastIndex = 3;
    return [r, /a/g];
  }],
  ["map", true, true, () => [new Map([["a", { b: 1 }]]), new Map([["a", { b: 1 }]])]],
  ["map ne", false, false, () => [new Map([["a", 1]]), new Map([["a", 2]])]],
  ["map order", true, true, () => [new Map([["a", 1], ["b", 2]]), new Map([["b", 2], ["a", 1]])]],
  ["map objkey", true, true, () => [new Map([[{ k: 1 }, 1]]), new Map([[{ k: 1 }, 1]])]],
  ["set", true, true, () => [new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])]],
  ["set ne", false, false, () => [new Set([1]), new Set([2])]],
  ["set size", false, false, () => [new Set([1]), new Set([1, 2])]],
  ["map vs set", false, false, () => [new Map(), new Set()]],
  ["map vs obj", false, false, () => [new Map(), {}]],
  ["map undef", false, false, () => [new Map([["a", undefined]]), new Map([["b", undefined]])]],
  ["u8", true, true, () => [new Uint8Array([1]), new Uint8Array([1])]],
  ["u8 ne", false, false, () => [new Uint8Array([1]), new Uint8Array([2])]],
  ["u8 vs i8", false, false, () => [new Uint8Array([1]), new Int8Array([1])]],
  ["u8 vs arr", false, false, () => [new Uint8Array([1]), [1]]],
  ["buf vs u8", true, true, () => [Buffer.from([1]), new Uint8Array([1])]],
  ["ab", true, true, () => [new Uint8Array([1]).buffer, new Uint8Array([1]).buffer]],
  ["ab ne", false, false, () => [new Uint8Array([1]).buffer, new Uint8Array([2]).buffer]],
  ["f64 0 -0", true, false, () => [new Float64Array([0]), new Float64Array([-0])]],
  ["f64 nan", false, true, () => [new Float64Array([NaN]), new Float64Array([NaN])]],
  ["dv", true, true, () => [new DataView(new ArrayBuffer(1)), new DataView(new ArrayBuffer(1))]],
  ["err", true, true, () => [new Error("a"), new Error("a")]],
  ["err ne", false, false, () => [new Error("a"), new Error("b")]],
  ["err type", false, false, () => [new Error("a"), new TypeError("a")]],
  ["err cause", false, false, () => [new Error("a", { cause: 1 }), new Error("a", { cause: 2 })]],
  ["err prop", false, false, () => [Object.assign(new Error("a"), { x: 1 }), new Error("a")]],
  ["boxed", true, true, () => [Object(1), Object(1)]],
  ["boxed ne", false, false, () => [Object(1), Object(2)]],
  ["boxed prim", false, false, () => [Object(1), 1]],
  ["boxed str", true, true, () => [Object("a"), Object("a")]],
  ["boxed str prim", false, false, () => [Object("a"), "a"]],
  ["bool box", false, false, () => [Object(true), Object(false)]],
  ["fn", false, false, () => [() => 1, () => 1]],
  ["fn same", true, true, () => {
    const f = () => 1;
    return [f, f];
  }],
  ["circ", true, true, () => {
    const a: Record<string, unknown> = {};
    a.a = a;
    const b: Record<string, unknown> = {};
    b.a = b;
    return [a, b];
  }],
  ["circ2", true, true, () => {
    const ring = () => {
      const inner: Record<string, unknown> = {};
      const outer = { x: inner };
      inner.y = outer;
      return outer;
    };
    return [ring(), ring()];
  }],
  ["circ ne", false, false, () => {
    const a: Record<string, unknown> = { v: 1 };
    a.a = a;
    const b: Record<string, unknown> = { v: 2 };
    b.a = b;
    return [a, b];
  }],
  ["symkeys eq", true, true, () => [{ [Symbol.for("k")]: 1 }, { [Symbol.for("k")]: 1 }]],
  ["symkey missing", false, false, () => [{ [Symbol.for("k")]: 1 }, {}]],
  ["symkey undef", true, false, () => [{ [Symbol.for("k")]: undefined }, {}]],
  ["getter", true, true, () => [{
    get a() {
      return 1;
    },
  }, { a: 1 }]],
  ["nonenum", true, true, () => [Object.defineProperty({}, "a", { value: 1 }), {}]],
  ["url", true, true, () => [new URL("http://a"), new URL("http://a")]],
  ["url ne", false, false, () => [new URL("http://a"), new URL("http://b")]],
  ["promise", true, true, () => [Promise.resolve(1), Promise.resolve(1)]],
  ["weak", true, true, () => [new WeakMap(), new WeakMap()]],
  ["empty arr obj", false, false, () => [[], {}]],
  ["{} null", false, false, () => [{}, null]],
  ["arr props", true, true, () => [Object.assign([1], { x: 1 }), [1]]],
  ["arr props eq", true, true, () => [Object.assign([1], { x: 1 }), Object.assign([1], { x: 1 })]],
  [
    "nested",
    true,
    true,
    () => [{ a: [{ b: new Map([[1, new Set([1])]]) }] }, { a: [{ b: new Map([[1, new Set([1])]]) }] }],
  ],
  ["undef vs missing rev", true, false, () => [{ a: undefined }, {}]],
  ["undef diff key", true, false, () => [{ a: undefined }, { b: undefined }]],
  ["proto", true, true, () => [Object.create({ a: 1 }), {}]],
  ["args", false, false, () => {
    const collect = function (..._values: number[]) {
      return arguments;
    };
    return [collect(1), [1]];
  }],
  ["headers", true, true, () => [new Headers({ a: "1" }), new Headers({ a: "1" })]],
  ["headers ne", false, false, () => [new Headers({ a: "1" }), new Headers({ a: "2" })]],
  ["usp", false, false, () => [new URLSearchParams("a=1"), new URLSearchParams("a=2")]],
  ["subclass arr", true, true, () => [new (class A extends Array {})(), []]],
  ["map subclass", true, true, () => [new (class M extends Map {})(), new Map()]],
  ["arr hole undef len", true, false, () => [[1, undefined], [1]]],
  ["date props", true, true, () => [Object.assign(new Date(1), { x: 1 }), new Date(1)]],
  ["fnprops", false, false, () => [Object.assign(() => 1, { a: 1 }), Object.assign(() => 1, { a: 1 })]],
  ["aggregate", true, true, () => [new AggregateError([1], "x"), new AggregateError([2], "x")]],
  ["err name", false, false, () => {
    const e = new Error("a");
    e.name = "X";
    return [e, new Error("a")];
  }],
];

Deno.test("deepEquals answers as Bun does", () => {
  for (const [name, loose, strict, values] of CASES) {
    const [a, b] = values();
    assert.equal(deepEquals(a, b), loose, name);
    assert.equal(deepEquals(b, a), loose, `${name}, turned round`);
    assert.equal(deepEquals(a, b, true), strict, `${name}, strict`);
  }
});

Deno.test("deepEquals pairs each member of a set once", () => {
  assert.equal(deepEquals(new Set([{ a: 1 }, { a: 1 }]), new Set([{ a: 1 }, { a: 2 }])), false);
  assert.equal(deepEquals(new Set([{ a: 1 }, { a: 2 }]), new Set([{ a: 2 }, { a: 1 }])), true);
  assert.equal(
    deepEquals(new Map([[{ k: 1 }, 1], [{ k: 2 }, 2]]), new Map([[{ k: 2 }, 2], [{ k: 1 }, 1]])),
    true,
  );
});
