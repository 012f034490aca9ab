import type { AnySchemaObject, ErrorObject } from "ajv";
import { isRecord } from "./is_record.ts";

/** Largest `parameters` as JSON, in bytes (specification 2.1). */
const MAX_BYTES = 64 * 1024;

/** Reason of 2.1, to which what is wrong is appended. */
const REASON = '`parameters` must be a JSON Schema object (`{ type: "object", properties: { … } }`)';

const DRAFTS = {
  "http://json-schema.org/draft-07/schema": "draft-07",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
} as const;

type Draft = typeof DRAFTS[keyof typeof DRAFTS];

/** The reason why `description` is not acceptable; undefined when it is (specification 2.1). */
export function checkDescription(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== ""
    ? undefined
    : "`description` must be a non-empty string";
}

/**
 * The reason why `parameters` is not acceptable; undefined when it is (specification 2.1).
 *
 * The runner has checked it in the sandbox; the daemon believes nothing a runner says and adds the meta-schema. Ajv
 * is imported here and now, because a start with nothing changed needs none.
 */
export async function checkParameters(value: unknown): Promise<string | undefined> {
  try {
    return await check(value);
  } catch (error) {
    // Neither JSON nor ajv gets to the bottom of some thousand levels.
    if (error instanceof RangeError) return `${REASON}: it is nested too deeply`;
    throw error;
  }
}

/**
 * Loads ajv and compiles the usual meta-schema ahead: while a runner starts, the daemon has nothing else to do. Saves a
 * start with one new tool 8 ms of 138.
 */
export async function prepareCheck(): Promise<void> {
  await checkParameters({ type: "object" });
}

async function check(value: unknown): Promise<string | undefined> {
  if (!isRecord(value)) return REASON;
  if (value.type !== "object") return `${REASON}: its \`type\` must be "object"`;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytes > MAX_BYTES) return `${REASON}: it has ${bytes} bytes, at most ${MAX_BYTES} are allowed`;
  const draft = draftOf(value.$schema);
  if (draft === undefined) {
    return `${REASON}: its \`$schema\` must name draft-07, 2019-09 or 2020-12, not ${
      JSON.stringify(value.$schema)
    }`;
  }
  const error = await metaSchemaError(value, draft);
  return error === undefined ? undefined : `${REASON}: ${error}`;
}

function draftOf(schema: unknown): Draft | undefined {
  if (schema === undefined) return "2020-12";
  if (typeof schema !== "string") return undefined;
  const id = schema.replace(/#$/, "");
  return Object.hasOwn(DRAFTS, id) ? DRAFTS[id as keyof typeof DRAFTS] : undefined;
}

/** What ajv says against the schema itself, as `properties.id.type must be …`. */
async function metaSchemaError(schema: AnySchemaObject, draft: Draft): Promise<string | undefined> {
  const ajv = await metaValidator(draft);
  // The draft is decided; the spelling of `$schema` (with or without a final #) is not ajv's concern.
  const { $schema: _, ...rest } = schema;
  // The meta-schemas are synchronous, and so must this be: ajv keeps the errors of the last check only, and another
  // tool's check would come between.
  const valid = ajv.validateSchema(rest);
  const error = ajv.errors?.[0];
  if (valid === true) return undefined;
  return error === undefined ? "it is not a valid schema" : sentence(error);
}

function sentence(error: ErrorObject): string {
  const place = error.instancePath.slice(1).split("/").map(unescapePointer).join(".");
  const allowed = (error.params as { allowedValues?: unknown }).allowedValues;
  const values = Array.isArray(allowed) ? ` (${allowed.join(", ")})` : "";
  return `${place === "" ? "it" : `\`${place}\``} ${error.message ?? "is not valid"}${values}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What is used of an ajv instance. */
interface MetaValidator {
  validateSchema(schema: AnySchemaObject): boolean | Promise<unknown>;
  errors?: ErrorObject[] | null;
}

const validators = new Map<Draft, Promise<MetaValidator>>();

function metaValidator(draft: Draft): Promise<MetaValidator> {
  let validator = validators.get(draft);
  if (validator === undefined) {
    validator = makeValidator(draft);
    validators.set(draft, validator);
  }
  return validator;
}

async function makeValidator(draft: Draft): Promise<MetaValidator> {
  const options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false } as const;
  switch (draft) {
    case "draft-07":
      return new (await import("../json_schema/draft_07.ts")).Ajv(options);
    case "2019-09":
      return new (await import("../json_schema/draft_2019_09.ts")).Ajv2019(options);
    case "2020-12":
      return new (await import("../json_schema/draft_2020_12.ts")).Ajv2020(options);
  }
}
