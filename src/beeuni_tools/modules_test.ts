/** What the five modules have in common: they are ejected as single files (specification 2.1, 3). */
import assert from "node:assert/strict";
import Ajv2020 from "ajv/dist/2020.js";
import imageSearch from "./image_search.ts";
import memory from "./memory.ts";
import { BEEUNI_TOOLS, type BeeuniToolName } from "./registry.ts";
import scrapeWebpage from "./scrape_webpage.ts";
import show from "./show.ts";
import webSearch from "./web_search.ts";

const MODULES: Record<BeeuniToolName, { description: string; parameters: unknown; execute: unknown }> = {
  web_search: webSearch,
  image_search: imageSearch,
  scrape_webpage: scrapeWebpage,
  memory,
  show,
};

interface Schema {
  type?: unknown;
  description?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

function sourceOf(name: BeeuniToolName): string {
  return Deno.readTextFileSync(new URL(`${name}.ts`, import.meta.url));
}

Deno.test("the default export follows the contract", () => {
  for (const name of BEEUNI_TOOLS) {
    const tool = MODULES[name];
    assert.deepEqual(Object.keys(tool), ["description", "parameters", "execute"]);
    assert.equal(typeof tool.execute, "function");
    const text = JSON.stringify(tool.parameters);
    assert.deepEqual(JSON.parse(text), tool.parameters);
    assert(text.length < 64 * 1024);
    assert(new Ajv2020.default({ strict: false }).validateSchema(JSON.parse(text)), name);
  }
});

Deno.test("a model reads what each is for, with an example that its schema accepts", () => {
  for (const name of BEEUNI_TOOLS) {
    const { description, parameters } = MODULES[name];
    const [, example] = /Example: (\{.*\})$/.exec(description) ?? [];
    assert(example, `${name} has no example at the end of its description.`);
    const validate = new Ajv2020.default({ strict: false }).compile(parameters as Schema);
    assert(validate(JSON.parse(example)), `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

Deno.test("every property has a type and a description, and what is required is a property", () => {
  const check = (schema: Schema, path: string) => {
    assert.equal(schema.type, "object", path);
    for (const required of schema.required ?? []) {
      assert(schema.properties?.[required], `${path}.${required}`);
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      assert.equal(typeof property.type, "string", `${path}.${name}`);
      assert.equal(typeof property.description, "string", `${path}.${name}`);
      if (property.items?.properties) check(property.items, `${path}.${name}`);
    }
    for (const word of ["anyOf", "oneOf", "allOf", "$ref"]) {
      assert(!Object.hasOwn(schema, word), `${path}.${word}`);
    }
  };
  for (const name of BEEUNI_TOOLS) check(MODULES[name].parameters as Schema, name);
});

Deno.test("a module imports only node: modules and takes nothing from the process", () => {
  for (const name of BEEUNI_TOOLS) {
    const source = sourceOf(name);
    const imported = [...source.matchAll(/\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g)].map((match) =>
      match[1] ?? match[2]
    );
    assert(
      imported.length > 0 && imported.every((specifier) => specifier?.startsWith("node:")),
      `${name}: ${imported}`,
    );
    assert(!/\bprocess\b\.|Deno\.env|\brequire\(|console\./.test(source), name);
    assert(!source.includes("\r") && source.endsWith("\n"), name);
  }
});
