import assert from "node:assert/strict";
import { checkDescription, checkParameters } from "./check_parameters.ts";
import { BEEUNI_TOOLS } from "../beeuni_tools/registry.ts";

const REASON = '`parameters` must be a JSON Schema object (`{ type: "object", properties: { … } }`)';

Deno.test("checkDescription", () => {
  for (const good of ["x", " x\n"]) assert.equal(checkDescription(good), undefined);
  for (const bad of ["", " \n\t", undefined, null, 5, {}, ["x"]]) {
    assert.equal(checkDescription(bad), "`description` must be a non-empty string");
  }
});

Deno.test("checkParameters: what is a schema of an object", async () => {
  const good: unknown[] = [
    { type: "object" },
    {
      type: "object",
      properties: { a: { type: "string", format: "made-up", "x-unknown": 1 } },
      required: ["a"],
    },
    { type: "object", anyOf: [{ required: ["a"] }], properties: { a: { description: "only that" } } },
    { type: "object", $defs: { x: { type: "string" } }, properties: { a: { $ref: "#/$defs/x" } } },
    { type: "object", $id: "twice", properties: {} },
    { type: "object", $id: "twice", properties: { b: {} } },
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { a: { items: [{}] } },
    },
    { $schema: "http://json-schema.org/draft-07/schema", type: "object" },
    { $schema: "https://json-schema.org/draft/2019-09/schema", type: "object", $recursiveAnchor: true },
    { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", prefixItems: [{}] },
  ];
  for (const schema of good) assert.equal(await checkParameters(schema), undefined, JSON.stringify(schema));
});

Deno.test("checkParameters: the reason and what is wrong", async () => {
  let deep: unknown = { type: "object" };
  for (let level = 0; level < 5_000; level++) deep = { not: deep };
  const bad: [schema: unknown, what: string][] = [
    [null, ""],
    [[], ""],
    ["object", ""],
    [{}, ': its `type` must be "object"'],
    [{ type: "array" }, ': its `type` must be "object"'],
    [
      { type: "object", properties: { a: { type: "strin" } } },
      ": `properties.a.type` must be equal to one of the allowed values " +
      "(array, boolean, integer, null, number, object, string)",
    ],
    [{ type: "object", required: "a" }, ": `required` must be array"],
    [{ type: "object", properties: { "a/b": 5 } }, ": `properties.a/b` must be object,boolean"],
    [
      { $schema: "http://json-schema.org/draft-07/schema#", type: "object", minProperties: -1 },
      ": `minProperties` must be >= 0",
    ],
    [
      { $schema: "https://json-schema.org/draft/2019-09/schema", type: "object", title: 1 },
      ": `title` must be string",
    ],
    [
      { $schema: "http://json-schema.org/draft-04/schema#", type: "object" },
      ': its `$schema` must name draft-07, 2019-09 or 2020-12, not "http://json-schema.org/draft-04/schema#"',
    ],
    [{ $schema: 5, type: "object" }, ": its `$schema` must name draft-07, 2019-09 or 2020-12, not 5"],
    [{ type: "object", description: "x".repeat(65_536) }, ": it has 65570 bytes, at most 65536 are allowed"],
    [{ type: "object", not: deep }, ": it is nested too deeply"],
  ];
  for (const [schema, what] of bad) assert.equal(await checkParameters(schema), REASON + what);
});

Deno.test("checkParameters: the tools of ours are not checked when they load, so they are here", async () => {
  for (const name of BEEUNI_TOOLS) {
    const tool = (await import(`../beeuni_tools/${name}.ts`)).default;
    assert.equal(checkDescription(tool.description), undefined, name);
    assert.equal(await checkParameters(tool.parameters), undefined, name);
    assert.equal(typeof tool.execute, "function");
  }
});
