import { isRecord } from "./is_record.ts";

/** One thing about a schema that some model providers refuse. */
export interface ParameterLint {
  /** Where in the schema, such as `$.properties.id`. */
  jsonPath: string;
  message: string;
}

const COMBINATORS = ["anyOf", "oneOf", "allOf"];

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const MANY = [...COMBINATORS, "prefixItems"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/**
 * Warnings about a tool's `parameters` (specification 2.2): some providers refuse a whole request for one of these.
 * The schema itself is never changed.
 */
export function lintParameters(schema: Record<string, unknown>): ParameterLint[] {
  const lints: ParameterLint[] = [];
  for (const keyword of COMBINATORS.filter((keyword) => Object.hasOwn(schema, keyword))) {
    lints.push({
      jsonPath: `$.${keyword}`,
      message:
        `has \`${keyword}\` at the top level, which some model providers refuse: describe one object instead`,
    });
  }
  if (!isRecord(schema.properties)) {
    lints.push({
      jsonPath: "$",
      message: "has no `properties`, which some model providers refuse: add them, or `properties: {}`",
    });
  }
  // A list in place of recursion: 64 KiB of JSON nest deeper than the stack goes.
  const open: [path: string, schema: Record<string, unknown>][] = [["$", schema]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, inner] = next;
    lintOne(inner, path, lints);
    open.push(
      ...[...children(inner)].map(([step, child]): [string, typeof child] => [path + step, child]).reverse(),
    );
  }
  return lints;
}

function lintOne(schema: Record<string, unknown>, path: string, lints: ParameterLint[]): void {
  if (Object.hasOwn(schema, "$ref")) {
    lints.push({
      jsonPath: `${path}.$ref`,
      message: "is a `$ref`, which some model providers refuse: write the schema out where it is used",
    });
  }
  const properties = isRecord(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!hasType(property)) {
      lints.push({
        jsonPath: `${path}.properties${member(name)}`,
        message: "has no `type`, which some model providers refuse: say what it is",
      });
    }
  }
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (typeof name === "string" && Object.hasOwn(properties, name)) continue;
    lints.push({
      jsonPath: `${path}.required`,
      message: `names ${
        JSON.stringify(name)
      }, which \`properties\` does not have: add it there or remove it here`,
    });
  }
}

/** A combination or a reference says the type elsewhere. */
function hasType(property: unknown): boolean {
  return isRecord(property) &&
    ["type", "$ref", ...COMBINATORS].some((keyword) => Object.hasOwn(property, keyword));
}

function* children(
  schema: Record<string, unknown>,
): Generator<[step: string, child: Record<string, unknown>]> {
  for (const keyword of ONE) {
    const child = schema[keyword];
    if (isRecord(child)) yield [`.${keyword}`, child];
  }
  for (const keyword of MANY) {
    const list = schema[keyword];
    for (const [index, child] of (Array.isArray(list) ? list : []).entries()) {
      if (isRecord(child)) yield [`.${keyword}[${index}]`, child];
    }
  }
  for (const keyword of NAMED) {
    const map = schema[keyword];
    for (const [name, child] of Object.entries(isRecord(map) ? map : {})) {
      if (isRecord(child)) yield [`.${keyword}${member(name)}`, child];
    }
  }
}

/** `.name`, or `["a b"]` for what is not a plain word. */
function member(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
