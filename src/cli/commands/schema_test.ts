import Ajv from "ajv";
import assert from "node:assert/strict";
import { printSchema } from "./schema.ts";

Deno.test("schema prints a draft-07 schema that ajv compiles as it is", () => {
  const { stdout, exitCode } = printSchema();
  assert.equal(exitCode, 0);
  const schema = JSON.parse(stdout);
  assert.equal(schema.$schema, "http://json-schema.org/draft-07/schema#");
  const accepts = new Ajv.default({ allowUnionTypes: true, strictTypes: false }).compile(schema);
  assert.equal(accepts({ tools: { web_search: "beeuni:web_search", lookup: "tools/lookup.ts" } }), true);
  assert.equal(accepts({ tools: { web_search: "beeuni:image_search" } }), false);
  assert.equal(accepts({ tool_settings: { web_search: { timeout: 30 } } }), false);
});
