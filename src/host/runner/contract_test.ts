import assert from "node:assert/strict";
import { HARNESS_TOOL_REASON, readToolModule } from "./contract.ts";

const execute = () => "x";
const parameters = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const good = { description: "d", parameters, execute };
const BAD_PARAMETERS =
  '`parameters` must be a JSON Schema object (`{ type: "object", properties: { … } }`): ';

class Tool {
  description = "d";
  parameters = parameters;
  execute() {
    return this;
  }
}
const throwing = (key: string) =>
  Object.defineProperty({ ...good }, key, {
    get() {
      throw new Error("x");
    },
  });
const proxied = new Proxy({}, {
  get: (_, key) =>
    key === "description" ? "p" : key === "parameters" ? parameters : key === "execute" ? execute : 1,
});

const GOOD: [name: string, module: object, description: string][] = [
  ["a plain object", { default: good }, "d"],
  ["an object with more members", { default: { ...good, name: "x" }, other: 1 }, "d"],
  ["a class instance", { default: new Tool() }, "d"],
  ["module.exports of a .cjs file", { default: good, "module.exports": good, description: "d" }, "d"],
  [
    "exports.default of TypeScript's CommonJS",
    { default: { __esModule: true, default: good, other: 1 } },
    "d",
  ],
  ["a proxy", { default: proxied }, "p"],
  ["an object without a prototype", { default: Object.assign(Object.create(null), good) }, "d"],
  ["a frozen object", { default: Object.freeze({ ...good }) }, "d"],
  ["a description with a lone surrogate", { default: { ...good, description: "a\ud800" } }, "a\ufffd"],
  ["args beside parameters", { default: { ...good, args: {} } }, "d"],
];
for (const [name, module, description] of GOOD) {
  Deno.test(`readToolModule: ${name}`, () => {
    const tool = readToolModule(module);
    assert.ok("execute" in tool, JSON.stringify(tool));
    assert.equal(tool.description, description);
    assert.deepEqual(JSON.parse(tool.parameters), parameters);
  });
}

const cycle: Record<string, unknown> = { type: "object" };
cycle.properties = { a: cycle };
const zod = (version: 3 | 4) => version === 4 ? { _zod: { def: {} }, def: {} } : { _def: {}, safeParse() {} };

const BROKEN: [name: string, module: object, reason: string][] = [
  [
    "nothing",
    {},
    "the module has no default export object: write `export default { description, parameters, execute }`",
  ],
  [
    "a named export",
    { tool: good },
    "the module has no default export object, only the named export `tool`: " +
    "write `export default { description, parameters, execute }`",
  ],
  [
    "named exports",
    { a: 1, b: 2 },
    "the module has no default export object, only the named exports `a`, `b`: " +
    "write `export default { description, parameters, execute }`",
  ],
  [
    "a function",
    { default: () => good },
    "the module has no default export object: the default export is a function; " +
    "export the object itself: `export default { description, parameters, execute }`",
  ],
  [
    "a class",
    { default: Tool },
    "the module has no default export object: the default export is a class; " +
    "export an instance of it: `export default new …()`",
  ],
  [
    "null",
    { default: null },
    "the module has no default export object: the default export is null; " +
    "export an object: `export default { description, parameters, execute }`",
  ],
  [
    "a promise",
    { default: Promise.resolve(good) },
    "the module has no default export object: the default export is a Promise; write `export default await …`",
  ],
  [
    "a compiled function",
    { default: { __esModule: true, default: execute } },
    "the module has no default export object: the default export is a function; " +
    "export the object itself: `export default { description, parameters, execute }`",
  ],
  [
    "a default that can't be read yet",
    {
      get default() {
        throw new ReferenceError("Cannot access 'default' before initialization");
      },
    },
    "the module has no default export object: reading it threw: Cannot access 'default' before initialization",
  ],
  ["an empty object", { default: {} }, "`description` must be a non-empty string"],
  ["no description", { default: { parameters, execute } }, "`description` must be a non-empty string"],
  [
    "a blank description",
    { default: { ...good, description: " \n" } },
    "`description` must be a non-empty string",
  ],
  [
    "a description that is no string",
    { default: { ...good, description: 7 } },
    "`description` must be a non-empty string",
  ],
  [
    "a description getter that throws",
    { default: throwing("description") },
    "`description` must be a non-empty string: reading it threw: x",
  ],
  [
    "a proxy that throws",
    {
      default: new Proxy({}, {
        get() {
          throw new Error("trap");
        },
      }),
    },
    "`description` must be a non-empty string: reading it threw: trap",
  ],
  ["no parameters", { default: { description: "d", execute } }, `${BAD_PARAMETERS}it is missing`],
  ["parameters that are null", { default: { ...good, parameters: null } }, `${BAD_PARAMETERS}it is null`],
  [
    "parameters that are an array",
    { default: { ...good, parameters: [] } },
    `${BAD_PARAMETERS}it is an array`,
  ],
  ["parameters that are text", { default: { ...good, parameters: "{}" } }, `${BAD_PARAMETERS}it is a string`],
  [
    "parameters that are a function",
    { default: { ...good, parameters: execute } },
    `${BAD_PARAMETERS}it is a function`,
  ],
  [
    "a parameters getter that throws",
    { default: throwing("parameters") },
    `${BAD_PARAMETERS}reading it threw: x`,
  ],
  [
    "no type",
    { default: { ...good, parameters: { properties: {} } } },
    `${BAD_PARAMETERS}\`type\` is missing`,
  ],
  [
    "another type",
    { default: { ...good, parameters: { type: "array" } } },
    `${BAD_PARAMETERS}\`type\` is "array"`,
  ],
  [
    "several types",
    { default: { ...good, parameters: { type: ["object"] } } },
    `${BAD_PARAMETERS}\`type\` is ["object"]`,
  ],
  [
    "a zod 4 schema",
    { default: { ...good, parameters: zod(4) } },
    `${BAD_PARAMETERS}parameters is a zod schema, wrap it: \`parameters: z.toJSONSchema(…)\``,
  ],
  [
    "a zod 3 schema",
    { default: { ...good, parameters: zod(3) } },
    `${BAD_PARAMETERS}parameters is a zod schema, wrap it: \`parameters: z.toJSONSchema(…)\``,
  ],
  [
    "a zod schema inside",
    { default: { ...good, parameters: { type: "object", properties: { id: zod(4) } } } },
    `${BAD_PARAMETERS}parameters.properties.id is a zod schema, wrap it: \`parameters: z.toJSONSchema(…)\``,
  ],
  [
    "a function in parameters",
    { default: { ...good, parameters: { type: "object", properties: { id: String } } } },
    `${BAD_PARAMETERS}parameters.properties.id is a function: return what it gives`,
  ],
  [
    "a symbol in parameters",
    { default: { ...good, parameters: { type: "object", default: Symbol("x") } } },
    `${BAD_PARAMETERS}parameters.default is a symbol: return its description`,
  ],
  [
    "a BigInt in parameters",
    { default: { ...good, parameters: { type: "object", properties: { n: { minimum: 1n } } } } },
    `${BAD_PARAMETERS}parameters.properties.n.minimum is a BigInt: return String(value)`,
  ],
  [
    "a cycle in parameters",
    { default: { ...good, parameters: cycle } },
    `${BAD_PARAMETERS}parameters.properties.a refers back to parameters`,
  ],
  [
    "5 MB of enum",
    { default: { ...good, parameters: { type: "object", enum: ["x".repeat(5_000_000)] } } },
    `${BAD_PARAMETERS}it takes 5000029 bytes as JSON, and may take 65536`,
  ],
  [
    "deep parameters",
    { default: { ...good, parameters: { type: "object", not: nest(200) } } },
    `${BAD_PARAMETERS}it is nested more than 200 levels deep`,
  ],
  [
    "no execute",
    { default: { description: "d", parameters } },
    "`execute(args, context)` must be a function",
  ],
  [
    "execute that is no function",
    { default: { ...good, execute: "x" } },
    "`execute(args, context)` must be a function: it is a string",
  ],
  [
    "an execute getter that throws",
    { default: throwing("execute") },
    "`execute(args, context)` must be a function: reading it threw: x",
  ],
  ["a tool of a harness", { default: { description: "d", args: {}, execute } }, HARNESS_TOOL_REASON],
];
for (const [name, module, reason] of BROKEN) {
  Deno.test(`readToolModule: ${name} is refused`, () => assert.deepEqual(readToolModule(module), { reason }));
}

Deno.test("readToolModule: parameters of exactly 64 KiB are taken", () => {
  const around = JSON.stringify({ type: "object", title: "" }).length;
  const title = (bytes: number) => ({
    ...good,
    parameters: { type: "object", title: "x".repeat(bytes - around) },
  });
  assert.ok("execute" in readToolModule({ default: title(65_536) }));
  assert.ok("reason" in readToolModule({ default: title(65_537) }));
});

Deno.test("readToolModule: every field is read once", () => {
  const reads: string[] = [];
  const counted = new Proxy({ ...good }, {
    get(target, key, receiver) {
      reads.push(String(key));
      return Reflect.get(target, key, receiver);
    },
  });
  assert.ok("execute" in readToolModule({ default: counted }));
  assert.deepEqual(reads, ["description", "parameters", "execute"]);
});

Deno.test("readToolModule: what changes later does not change what was read", () => {
  const changing = { ...good, parameters: { type: "object", properties: {} } };
  const tool = readToolModule({ default: changing });
  changing.parameters.properties = { late: {} };
  assert.ok("execute" in tool);
  assert.equal(tool.parameters, '{"type":"object","properties":{}}');
  assert.equal(tool.self, changing);
});

function nest(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level++) value = { not: value };
  return value;
}
