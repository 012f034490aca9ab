import assert from "node:assert/strict";
import { checkArguments } from "./check_arguments.ts";

const PARAMETERS = {
  type: "object",
  properties: {
    id: { type: "string" },
    limit: { type: "integer", minimum: 1 },
    sort: { enum: ["new", "old"] },
    items: {
      type: "array",
      items: { type: "object", required: ["a/b"], properties: { "a/b": { type: "number" } } },
    },
  },
  required: ["id"],
  additionalProperties: false,
};

Deno.test("arguments that fit pass, and are not changed", async () => {
  const args = { id: "A-1", limit: 3, sort: "new", items: [{ "a/b": 1 }] };
  const before = structuredClone(args);
  await checkArguments("lookup", {
    ...PARAMETERS,
    properties: { ...PARAMETERS.properties, id: { type: "string", default: "x" } },
  }, args);
  assert.deepEqual(args, before);
});

Deno.test("everything that does not fit is named", async () => {
  const cases: [Record<string, unknown>, string[]][] = [
    [{}, ["`id` is missing"]],
    [{ id: 7 }, ["`id` must be string"]],
    [{ id: "", limit: "3" }, ["`limit` must be integer"]],
    [{ id: "", limit: 0, sort: "up" }, [
      "`limit` must be >= 1",
      '`sort` must be equal to one of the allowed values: "new", "old"',
    ]],
    [{ id: "", more: 1 }, ["`more` is not known"]],
    [{ id: "", items: [{}, { "a/b": "1" }] }, ["`items.0.a/b` is missing", "`items.1.a/b` must be number"]],
  ];
  for (const [args, problems] of cases) {
    await assert.rejects(checkArguments("lookup", PARAMETERS, args), {
      code: "args_invalid",
      message: `the arguments do not fit lookup: ${problems.join("; ")}.`,
      details: { problems },
    });
  }
});

Deno.test("the dialect of the schema decides", async () => {
  // `items` as a list is a tuple up to 2019-09 and an error of the schema in 2020-12.
  const tuple = { type: "object", properties: { pair: { type: "array", items: [{ type: "string" }] } } };
  for (
    const $schema of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
    ]
  ) {
    await assert.rejects(checkArguments("t", { $schema, ...tuple }, { pair: [1] }), {
      message: "the arguments do not fit t: `pair.0` must be string.",
    });
  }
  const prefix = {
    type: "object",
    properties: { pair: { type: "array", prefixItems: [{ type: "string" }] } },
  };
  for (const $schema of [undefined, "https://json-schema.org/draft/2020-12/schema#"]) {
    const schema = $schema === undefined ? prefix : { $schema, ...prefix };
    await assert.rejects(checkArguments("t", schema, { pair: [1] }), {
      details: { problems: ["`pair.0` must be string"] },
    });
  }
});

Deno.test("a schema that can't be used says so", async () => {
  await assert.rejects(checkArguments("t", { type: "object", $ref: "https://example.com/x" }, {}), {
    code: "args_invalid",
    message: /^the parameters of t can't be used to check arguments: /,
  });
});
