import assert from "node:assert/strict";
import { ToolArguments } from "./tool_arguments.ts";

Deno.test("ToolArguments: what is there and what is not", () => {
  const args = new ToolArguments("read", {
    a: "x",
    n: 3,
    s: "12",
    yes: true,
    no: "false",
    none: null,
    list: [1],
  });
  assert.equal(args.text("a"), "x");
  assert.equal(args.optionalText("none"), undefined);
  assert.equal(args.optionalText("toString"), undefined);
  assert.equal(args.optionalInteger("n", 0), 3);
  assert.equal(args.optionalInteger("s", 0), 12);
  assert.equal(args.optionalInteger("none", 0), undefined);
  assert.equal(args.flag("yes"), true);
  assert.equal(args.flag("no"), false);
  assert.equal(args.flag("none"), false);
  assert.deepEqual(args.list("list"), [1]);
});

Deno.test("ToolArguments: a wrong one is told in a sentence", () => {
  const cases: [unknown, (args: ToolArguments) => unknown, string][] = [
    [undefined, (args) => args.text("a"), 'The argument "a" of read is missing: it must be a string.'],
    [null, (args) => args.text("a"), 'The argument "a" of read is missing: it must be a string.'],
    [7, (args) => args.text("a"), 'The argument "a" of read must be a string, not 7.'],
    [{ b: 1 }, (args) => args.text("a"), 'The argument "a" of read must be a string, not {"b":1}.'],
    [" ", (args) => args.someText("a"), 'The argument "a" of read must not be empty, not " ".'],
    ["x", (args) => args.optionalInteger("a", 0), "must be a whole number of at least 0"],
    [-1, (args) => args.optionalInteger("a", 0), "at least 0, not -1."],
    [1.5, (args) => args.optionalInteger("a", 0), "not 1.5."],
    [1e300, (args) => args.optionalInteger("a", 0), "whole number"],
    ["maybe", (args) => args.flag("a"), "must be true or false"],
    ["x", (args) => args.list("a"), "must be a list"],
  ];
  for (const [value, read, message] of cases) {
    assert.throws(() => read(new ToolArguments("read", { a: value })), (error: Error) => {
      assert.ok(error.message.includes(message), error.message);
      return true;
    });
  }
});
