import assert from "node:assert/strict";
import { detailOf, sentenceOf } from "./sentence.ts";

class HttpError extends Error {
  constructor(readonly status: number) {
    super(`answered ${status}`);
  }
}
const hostile = (key: string) =>
  Object.defineProperty(new Error("x"), key, {
    get() {
      throw new Error("caught you");
    },
  });
const hostileProxy = new Proxy({}, {
  get() {
    throw new Error("no");
  },
  getPrototypeOf() {
    throw new Error("no");
  },
});

const THROWN: [name: string, thrown: unknown, sentence: string][] = [
  ["an Error", new Error("orders API answered 500"), "orders API answered 500"],
  ["a subclass", new HttpError(404), "answered 404"],
  ["null", null, "the tool threw null: throw an Error with a message"],
  ["undefined", undefined, "the tool threw undefined: throw an Error with a message"],
  ["a string", "x", "x"],
  ["an empty string", "", "the tool threw an empty string"],
  ["a blank string", " \n", "the tool threw an empty string"],
  ["a number", 42, "42"],
  ["a BigInt", 42n, "42"],
  ["a symbol", Symbol("s"), "Symbol(s)"],
  ["a function", () => 1, "the tool threw a function"],
  ["a class", class A {}, "the tool threw a class"],
  ["an object with a message", { message: "x" }, "x"],
  ["an object without one", { code: 7 }, 'the tool threw {"code":7}'],
  ["an empty object", {}, "the tool threw an object without a message"],
  ["an object with a string form", { toString: () => "readable" }, "readable"],
  ["an object whose message is no text", { message: 7 }, 'the tool threw {"message":7}'],
  ["an array", ["a", "b"], "a,b"],
  ["an Error without a message", new TypeError(), "the tool threw a TypeError without a message"],
  [
    "an Error without message and name",
    Object.assign(new Error(), { name: "" }),
    "the tool threw an error without a message",
  ],
  ["a message getter that throws", hostile("message"), "the tool threw an error whose message can't be read"],
  ["a name getter that throws", hostile("name"), "x"],
  ["a proxy that throws at everything", hostileProxy, "the tool threw an error whose message can't be read"],
  ["an object without a prototype", Object.create(null), "the tool threw an object without a message"],
  [
    "a DOMException",
    new DOMException("The signal has been aborted", "AbortError"),
    "The signal has been aborted",
  ],
  [
    "an AggregateError",
    new AggregateError([new Error("a"), "b", null], "All failed"),
    "All failed: a; b; the tool threw null: throw an Error with a message",
  ],
  ["an AggregateError without a message", new AggregateError([new Error("a")]), "several errors: a"],
  ["an AggregateError of nothing", new AggregateError([], "none"), "none"],
  [
    "nested AggregateErrors",
    new AggregateError([new AggregateError([new Error("a")], "in")], "out"),
    "out: in",
  ],
  [
    "an AggregateError of many",
    new AggregateError(Array.from({ length: 12 }, (_, index) => new Error(String(index))), "m"),
    "m: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; and 2 more",
  ],
  ["a lone surrogate", new Error("a\ud800b"), "a\ufffdb"],
  ["a long message", new Error("x".repeat(5_000_000)), "x".repeat(5_000_000)],
  [
    "a long object",
    { a: "x".repeat(1_000) },
    `the tool threw ${`{"a":"${"x".repeat(1_000)}`.slice(0, 500)}…`,
  ],
];
for (const [name, thrown, sentence] of THROWN) {
  Deno.test(`sentenceOf: ${name}`, () => assert.equal(sentenceOf(thrown), sentence));
}

Deno.test("sentenceOf: names who threw", () => {
  assert.equal(sentenceOf(null, "the module"), "the module threw null: throw an Error with a message");
});

Deno.test("detailOf: the stack and the causes, bounded", () => {
  const error = new Error("top", { cause: new Error("middle", { cause: "bottom" }) });
  const detail = detailOf(error, (stack) => stack);
  assert.match(
    detail ?? "",
    /^Error: top\n.*sentence_test[\s\S]*\nCaused by: Error: middle\n[\s\S]*\nCaused by: bottom$/,
  );
  assert.equal(detailOf(null), undefined);
  assert.equal(detailOf("x"), undefined);
  assert.equal(detailOf(hostile("stack")), "x");
  const circle: Error & { cause?: unknown } = new Error("circle");
  circle.cause = new Error("back", { cause: circle });
  assert.ok((detailOf(circle)?.length ?? 0) > 0);
  assert.equal(detailOf(new Error("x".repeat(100_000)))?.length, 16_384);
});
