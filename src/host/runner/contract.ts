import { MAX_PARAMETERS_BYTES, MAX_PARAMETERS_DEPTH } from "../protocol.ts";
import {
  append,
  arrayIsArray,
  encodeUtf8,
  join,
  jsonStringify,
  objectKeys,
  stringSlice,
  stringToWellFormed,
  stringTrim,
} from "./primordials.ts";
import { NotJsonError, toPlain } from "./plain_value.ts";
import { depthOf, isZodSchema, valueKind } from "./value_kind.ts";
import { sentenceOf } from "./sentence.ts";

/** A module that keeps the contract (specification 2.1), its fields read once. */
export interface ToolModule {
  description: string;
  /** `parameters` as JSON. */
  parameters: string;
  execute: (...args: unknown[]) => unknown;
  /** The exported object: `this` of `execute`. */
  self: object;
}

/** A module that does not keep it, and why. */
export interface BrokenModule {
  reason: string;
}

/** Why a module that was written for a harness can't be taken as it is. */
export const HARNESS_TOOL_REASON =
  "this is a tool of the standard harness: move it out of harnesses/opencode/tools/, " +
  "export a plain object whose `parameters` is JSON Schema, read secrets from context.env and declare it under `tools:`";

const NO_DEFAULT = "the module has no default export object";
const BAD_DESCRIPTION = "`description` must be a non-empty string";
const BAD_PARAMETERS = '`parameters` must be a JSON Schema object (`{ type: "object", properties: { … } }`)';
const BAD_EXECUTE = "`execute(args, context)` must be a function";

/** Longest description in UTF-16 units: what one frame carries, far above what a model is told. */
const MAX_DESCRIPTION = 64_000;

/**
 * Reads what a module exports: each field once, so a getter or a proxy can't show two faces, with whatever its
 * getters throw turned into a reason. What JSON Schema says of `parameters` is checked by the daemon.
 *
 * @param module The namespace that `import()` gave.
 */
export function readToolModule(module: object): ToolModule | BrokenModule {
  const exported = readExport(module);
  if ("reason" in exported) return exported;
  const { self, description, parameters, execute } = exported;
  if (parameters === undefined && isObject(read(self, "args"))) return { reason: HARNESS_TOOL_REASON };
  const badDescription = descriptionReason(description);
  if (badDescription !== undefined) return { reason: badDescription };
  const schema = schemaJson(parameters);
  if (typeof schema !== "string") return schema;
  if (Failure.is(execute)) return { reason: `${BAD_EXECUTE}: ${execute.message}` };
  if (typeof execute !== "function") {
    return { reason: execute === undefined ? BAD_EXECUTE : `${BAD_EXECUTE}: it is ${valueKind(execute)}` };
  }
  return {
    description: stringToWellFormed(description as string),
    parameters: schema,
    execute: execute as ToolModule["execute"],
    self,
  };
}

/** The exported object with its fields as they were read. */
interface Export {
  self: object;
  description: unknown;
  parameters: unknown;
  execute: unknown;
}

/** The default export, or what it holds when TypeScript compiled `export default` to CommonJS (`exports.default`). */
function readExport(module: object): Export | BrokenModule {
  const value = read(module, "default");
  if (!isObject(value)) return { reason: noObjectReason(module, value) };
  const fields = readFields(value);
  if (fields.description !== undefined || fields.parameters !== undefined || fields.execute !== undefined) {
    return fields;
  }
  const nested = read(value, "default");
  if (isObject(nested)) return readFields(nested);
  if (nested !== undefined) return { reason: noObjectReason(module, nested) };
  if (typeof read(value, "then") === "function") {
    return { reason: `${NO_DEFAULT}: the default export is a Promise; write \`export default await …\`` };
  }
  return fields;
}

function readFields(self: object): Export {
  return {
    self,
    description: read(self, "description"),
    parameters: read(self, "parameters"),
    execute: read(self, "execute"),
  };
}

/** What is there in place of a default export object, and what to write. */
function noObjectReason(module: object, value: unknown): string {
  if (Failure.is(value)) return `${NO_DEFAULT}: ${value.message}`;
  if (value === undefined) return `${NO_DEFAULT}${namedExports(module)}`;
  const kind = valueKind(value);
  const cure = kind === "a class"
    ? "export an instance of it: `export default new …()`"
    : kind === "a function"
    ? "export the object itself: `export default { description, parameters, execute }`"
    : "export an object: `export default { description, parameters, execute }`";
  return `${NO_DEFAULT}: the default export is ${kind}; ${cure}`;
}

function namedExports(module: object): string {
  const names: string[] = [];
  const keys = objectKeys(module);
  for (let index = 0; index < keys.length && names.length < 5; index++) {
    if (keys[index] !== "default" && keys[index] !== "module.exports") append(names, "`" + keys[index] + "`");
  }
  if (names.length === 0) return ": write `export default { description, parameters, execute }`";
  const what = names.length === 1 ? `the named export ${names[0]}` : `the named exports ${join(names, ", ")}`;
  return `, only ${what}: write \`export default { description, parameters, execute }\``;
}

function descriptionReason(description: unknown): string | undefined {
  if (Failure.is(description)) return `${BAD_DESCRIPTION}: ${description.message}`;
  if (typeof description !== "string" || stringTrim(description) === "") return BAD_DESCRIPTION;
  if (description.length > MAX_DESCRIPTION) {
    return `${BAD_DESCRIPTION} of at most ${MAX_DESCRIPTION} characters: it has ${description.length}`;
  }
  return undefined;
}

/** `parameters` as JSON, or what is wrong with it. */
function schemaJson(parameters: unknown): string | BrokenModule {
  const broken = (what: string): BrokenModule => ({ reason: `${BAD_PARAMETERS}: ${what}` });
  if (Failure.is(parameters)) return broken(parameters.message);
  if (parameters === undefined) return broken("it is missing");
  if (!isObject(parameters)) return broken(`it is ${valueKind(parameters)}`);
  let plain: unknown;
  try {
    plain = toPlain(parameters, {
      root: "parameters",
      refuse: (value) =>
        isZodSchema(value) ? "is a zod schema, wrap it: `parameters: z.toJSONSchema(…)`" : undefined,
    });
  } catch (error) {
    return broken(error instanceof NotJsonError ? error.message : sentenceOf(error, "reading it"));
  }
  if (!isObject(plain) || arrayIsArray(plain)) return broken(`it is ${valueKind(plain)}`);
  const type: unknown = (plain as { type?: unknown }).type;
  if (type !== "object") {
    const json = jsonStringify(type) as string | undefined;
    return broken(json === undefined ? "`type` is missing" : `\`type\` is ${stringSlice(json, 0, 100)}`);
  }
  if (depthOf(plain, MAX_PARAMETERS_DEPTH) > MAX_PARAMETERS_DEPTH) {
    return broken(`it is nested more than ${MAX_PARAMETERS_DEPTH} levels deep`);
  }
  const json = jsonStringify(plain);
  const bytes = encodeUtf8(json).length;
  if (bytes > MAX_PARAMETERS_BYTES) {
    return broken(`it takes ${bytes} bytes as JSON, and may take ${MAX_PARAMETERS_BYTES}`);
  }
  return json;
}

/** What reading a field threw. A private name tells it apart without running a trap of what the module exports. */
class Failure {
  readonly #isFailure = true;

  constructor(readonly message: string) {}

  static is(value: unknown): value is Failure {
    return typeof value === "object" && value !== null && #isFailure in value && value.#isFailure;
  }
}

/** A member of an exported object; what its getter or a trap throws comes as a {@link Failure}. */
function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (error) {
    return new Failure(`reading it threw: ${stringSlice(sentenceOf(error, "it"), 0, 1_000)}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Failure.is(value);
}
