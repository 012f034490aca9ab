import assert from "node:assert/strict";
import { lintParameters } from "./lint_parameters.ts";
import { BEEUNI_TOOLS } from "../beeuni_tools/registry.ts";

const paths = (schema: Record<string, unknown>) => lintParameters(schema).map(({ jsonPath }) => jsonPath);

Deno.test("lintParameters: what some providers refuse, with its place", () => {
  const string = { type: "string" };
  const cases: [schema: Record<string, unknown>, expected: string[]][] = [
    [{ type: "object", properties: {} }, []],
    [{ type: "object", properties: { a: string }, required: ["a"] }, []],
    [{ type: "object" }, ["$"]],
    [{ type: "object", required: ["a"] }, ["$", "$.required"]],
    [{ type: "object", properties: { a: string }, anyOf: [{ required: ["a"] }] }, [
      "$.anyOf",
      "$.anyOf[0].required",
    ]],
    [{ type: "object", properties: {}, oneOf: [], allOf: [] }, ["$.oneOf", "$.allOf"]],
    [{ type: "object", properties: { a: { description: "x" }, b: { enum: [1] }, c: true } }, [
      "$.properties.a",
      "$.properties.b",
      "$.properties.c",
    ]],
    [{
      type: "object",
      properties: { a: { anyOf: [string] }, b: { $ref: "#/$defs/b" } },
      $defs: { b: string },
    }, [
      "$.properties.b.$ref",
    ]],
    [{
      type: "object",
      properties: { list: { type: "array", items: { type: "object", properties: { x: {} } } } },
    }, [
      "$.properties.list.items.properties.x",
    ]],
    [{ type: "object", properties: { "a b": {}, "c-d": string }, required: ["a b", "e"] }, [
      '$.properties["a b"]',
      "$.required",
    ]],
    [
      {
        type: "object",
        properties: JSON.parse('{"__proto__": {"type": "string"}}'),
        required: ["__proto__"],
      },
      [],
    ],
    [{ type: "object", properties: {}, required: ["constructor"] }, ["$.required"]],
  ];
  for (const [schema, expected] of cases) {
    const before = JSON.stringify(schema);
    assert.deepEqual(paths(schema), expected, before);
    assert.equal(JSON.stringify(schema), before, "the schema is not changed");
  }
});

Deno.test("lintParameters: nested as deep as 64 KiB allow", () => {
  let schema: Record<string, unknown> = { $ref: "#" };
  for (let level = 0; level < 8_000; level++) schema = { not: schema };
  assert.equal(paths({ type: "object", properties: {}, ...schema }).length, 1);
});

Deno.test("lintParameters: the tools of ours are clean", async () => {
  for (const name of BEEUNI_TOOLS) {
    const tool = (await import(`../beeuni_tools/${name}.ts`)).default;
    assert.deepEqual(lintParameters(tool.parameters), [], name);
  }
});
