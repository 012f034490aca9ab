import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ERROR_CODES } from "../errors/codes.ts";
import { openapiDocument } from "./openapi.ts";
import { requestChecks } from "./request_checks_source.ts";
import { type Route, ROUTES } from "./routes.ts";

// deno-lint-ignore no-explicit-any -- the document is walked as a reader of it would
const document = openapiDocument("1.2.3") as any;

Deno.test("the document has every route of the table, and no other", () => {
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "1.2.3");
  const found: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths)) {
    for (const method of Object.keys(methods)) found.push(`${method.toUpperCase()} ${path}`);
  }
  const expected = Object.values<Route>(ROUTES).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(found.sort(), expected.sort());
});

Deno.test("only health is open; the others name 401", () => {
  for (
    const methods of Object.values<
      Record<string, { operationId: string; security?: unknown; responses: object }>
    >(document.paths)
  ) {
    for (const { operationId, security, responses } of Object.values(methods)) {
      assert.deepEqual(security, operationId === "health" ? [] : undefined);
      assert.equal("401" in responses, operationId !== "health");
    }
  }
});

Deno.test("a call names every status of the specification", () => {
  const { responses } = document.paths["/beeuni/tools/{name}"].post;
  assert.deepEqual(
    Object.keys(responses).map(Number),
    [200, 400, 401, 403, 404, 408, 409, 413, 422, 499, 500, 502, 503, 504],
  );
  assert.equal(responses["403"].description, "`agent_forbidden`, `forbidden_origin`");
});

Deno.test("every parameter in a path is declared, and every schema is one", () => {
  const ajv = new Ajv2020({ strict: false });
  for (const route of Object.values<Route>(ROUTES)) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = (route.parameters ?? []).filter((parameter) => parameter.in === "path");
    assert.deepEqual(declared.map(({ name }) => name), names);
    for (const schema of [route.answer.schema, ...(route.body ? [route.body] : [])]) ajv.compile(schema);
    for (const code of route.errors) assert.ok(code in ERROR_CODES);
  }
  ajv.compile(document.components.schemas.Error);
});

Deno.test("the compiled checks are those of the table", async () => {
  const written = await Deno.readTextFile(new URL("./request_checks.js", import.meta.url));
  assert.equal(written, requestChecks(), "run `deno run -A scripts/generate_request_checks.ts`");
});
