import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import { NotJsonError, toPlain } from "./plain_value.ts";

class Order {
  #secret = 1;
  constructor(readonly id: string) {}
  total() {
    return this.#secret;
  }
}
class Empty {
  get x() {
    return 1;
  }
}
class Money {
  toJSON() {
    return { cents: 5 };
  }
}
const self: Record<string, unknown> = { a: { b: {} } };
(self.a as { b: unknown }).b = self;
const list: unknown[] = [1];
list.push({ list });
const shared = { x: 1 };
const counting = (() => {
  let reads = 0;
  return {
    get n() {
      return ++reads === 1 ? 1 : { toJSON: () => "second face" };
    },
  };
})();

/** What JSON can say comes out as JSON would say it. */
const KEPT: [name: string, value: unknown][] = [
  ["null", null],
  ["a string", "x"],
  ["a number", -0],
  ["a boolean", false],
  ["nested data", { a: [1, { b: null, c: "" }], d: {} }],
  ["undefined members are left out", { a: undefined, b: [undefined] }],
  ["holes", [1, , 3]],
  ["a Date", { at: new Date(0) }],
  ["a URL", new URL("http://a.example/b?c")],
  ["a class instance", new Order("A-1")],
  ["toJSON", [new Money(), { toJSON: (key: string) => `key ${key}` }]],
  ["toJSON of undefined", { a: { toJSON: () => undefined }, b: 1 }],
  ["toJSON is asked once", {
    toJSON: () => Object.defineProperty({ a: 1 }, "toJSON", { value: () => "twice" }),
  }],
  ["boxed values", [new Number(1), new String("s"), new Boolean(false)]],
  ["the same object twice", { a: shared, b: [shared, shared] }],
  ["symbols as keys", { [Symbol("k")]: 1, a: 1 }],
  ["members that are not enumerable", Object.defineProperty({ a: 1 }, "hidden", { value: () => 1 })],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
  ["an object of another realm", runInNewContext("({ a: [1, {}] })")],
  ["__proto__ as a key", JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
  ["number-like keys", { b: 1, 2: 1, 1: 1 }],
  ["Temporal", { at: Temporal.Instant.fromEpochMilliseconds(0) }],
];
for (const [name, value] of KEPT) {
  Deno.test(`toPlain: ${name}`, () => {
    assert.equal(JSON.stringify(toPlain(value, { root: "result" })), JSON.stringify(value));
  });
}

/** What JSON would lose names the place and the cure. */
const LOST: [value: unknown, message: string][] = [
  [{ total: 10n }, "result.total is a BigInt: return String(value)"],
  [10n, "result is a BigInt: return String(value)"],
  [Object(10n), "result is a BigInt: return String(value)"],
  [NaN, "result is NaN: return null or a string"],
  [{ items: [{ price: Infinity }] }, "result.items[0].price is Infinity: return null or a string"],
  [[new Number(-Infinity)], "result[0] is -Infinity: return null or a string"],
  [{ at: new Date("x") }, "result.at is an invalid Date: return null or a string"],
  [self, "result.a.b refers back to result"],
  [list, "result[1].list refers back to result"],
  [{ q: self.a }, "result.q.b.a refers back to result.q"],
  [new Map([[1, 2]]), "result is a Map: return Object.fromEntries(value) or [...value]"],
  [{ a: new Set([1]) }, "result.a is a Set: return [...value]"],
  [new Error("x"), "result is an Error: throw it, or return its message"],
  [{ e: new TypeError("x") }, "result.e is a TypeError: throw it, or return its message"],
  [new Response("x"), "result is a Response: return await response.json() or text()"],
  [[new Headers()], "result[0] is a Headers: return Object.fromEntries(value)"],
  [
    new URLSearchParams("a=1"),
    "result is a URLSearchParams: return String(value) or Object.fromEntries(value)",
  ],
  [new Blob(["x"]), "result is a Blob: return await value.text()"],
  [/x/, "result is a RegExp: return String(value)"],
  [{ p: Promise.resolve(1) }, "result.p is a Promise: await it"],
  [{ p: { then() {} } }, "result.p is a Promise: await it"],
  [
    new Uint8Array(2),
    "result is a Uint8Array: return a string (new TextDecoder().decode(value), value.toBase64()) or Array.from(value)",
  ],
  [
    { b: new DataView(new ArrayBuffer(1)) },
    "result.b is a DataView: return a string (new TextDecoder().decode(value), value.toBase64()) or Array.from(value)",
  ],
  [
    new ArrayBuffer(2),
    "result is an ArrayBuffer: return a string (new TextDecoder().decode(value)) or Array.from(new Uint8Array(value))",
  ],
  [{ f: () => 1 }, "result.f is a function: return what it gives"],
  [Symbol("x"), "result is a symbol: return its description"],
  [[1, Symbol.iterator], "result[1] is a symbol: return its description"],
  [[1][Symbol.iterator](), "result is an Array Iterator: return [...value]"],
  [
    (function* () {
      yield 1;
    })(),
    "result is a Generator: return [...value]",
  ],
  [new WeakMap(), "result is a WeakMap: return a plain object"],
  [new Empty(), "result is an Empty, of which JSON keeps nothing: return a plain object"],
  [
    { s: new AbortController() },
    "result.s is an AbortController, of which JSON keeps nothing: return a plain object",
  ],
  [
    {
      x: {
        toJSON() {
          throw new Error("boom");
        },
      },
    },
    "result.x can't be turned into JSON, its toJSON() threw: boom",
  ],
  [
    {
      get x() {
        throw new Error("boom");
      },
    },
    "result.x can't be read: boom",
  ],
  [
    {
      get toJSON() {
        throw new Error("boom");
      },
    },
    "result can't be read: boom",
  ],
  [{ toJSON: () => new Map() }, "result is a Map: return Object.fromEntries(value) or [...value]"],
  [{ "odd key": { 'q"': NaN } }, 'result["odd key"]["q\\""] is NaN: return null or a string'],
  [
    new Proxy({}, {
      ownKeys() {
        throw new Error("trap");
      },
    }),
    "result can't be read: trap",
  ],
  [nest(501), "result is nested more than 500 levels deep: return a flatter value"],
  [nest(200_000), "result is nested more than 500 levels deep: return a flatter value"],
];
for (const [value, message] of LOST) {
  Deno.test(`toPlain: ${message.slice(0, 80)}`, () => {
    assert.throws(() => toPlain(value, { root: "result" }), new NotJsonError(message));
  });
}

Deno.test("toPlain: a Buffer is no list of numbers", () => {
  assert.throws(
    () => toPlain({ b: Buffer.from("x") }, { root: "result" }),
    new NotJsonError('result.b is a Buffer: return value.toString("utf8") or value.toString("base64")'),
  );
});

Deno.test("toPlain: a member is read once", () => {
  assert.equal(JSON.stringify(toPlain(counting, { root: "result" })), '{"n":1}');
});

Deno.test("toPlain: takes what stays below the depth, and BigInt with a toJSON of its own", () => {
  assert.doesNotThrow(() => toPlain(nest(500), { root: "result" }));
  const prototype = BigInt.prototype as { toJSON?: () => unknown };
  prototype.toJSON = function () {
    return String(this);
  };
  try {
    assert.equal(JSON.stringify(toPlain({ n: 10n }, { root: "result" })), '{"n":"10"}');
  } finally {
    delete prototype.toJSON;
  }
});

Deno.test("toPlain: a toJSON on a shared prototype is asked, but not once more by JSON.stringify", () => {
  const prototype = Array.prototype as { toJSON?: () => unknown };
  let asked = 0;
  prototype.toJSON = function (this: unknown[]) {
    asked++;
    return [...this];
  };
  try {
    assert.equal(JSON.stringify(toPlain([1, 2], { root: "result" })), "[1,2]");
    assert.equal(asked, 1);
  } finally {
    delete prototype.toJSON;
  }
});

Deno.test("toPlain: `refuse` sees every object", () => {
  const refuse = (value: object) => "_zod" in value ? "is a zod schema" : undefined;
  assert.throws(
    () => toPlain({ a: { _zod: {} } }, { root: "parameters", refuse }),
    new NotJsonError("parameters.a is a zod schema"),
  );
});

function nest(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
