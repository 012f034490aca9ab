import {
  append,
  arrayIsArray,
  jsonStringify,
  numberIsFinite,
  objectCreate,
  objectGetPrototypeOf,
  objectKeys,
  objectSetPrototypeOf,
  objectTag,
  reflectApply,
  regExpExec,
  stringOf,
  stringSlice,
} from "./primordials.ts";
import { article, kindOf, lossOf, lossWhateverToJson } from "./lossy_kinds.ts";
import { sentenceOf } from "./sentence.ts";

/** A value that JSON can't say without a loss; the message names the place and the cure. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
}

/** How deep objects may be nested: enough for data, and far from the end of the stack. */
const MAX_DEPTH = 500;

/** Options of {@link toPlain}. */
export interface ToPlainOptions {
  /** What the value is called in messages. */
  root: string;
  /** Why this object can't be taken, beside the reasons JSON has; `undefined` to take it. */
  refuse?: (value: object) => string | undefined;
  /** Told the length of each text, in UTF-16 units; may throw when there is too much. */
  spend?: (units: number) => void;
}

/** Where the walk is: a chain of holders up to the root. */
interface Place {
  value: object;
  /** Written form of the step that leads here: `.name` or `[0]`; the root's name at the root. */
  step: string;
  parent: Place | undefined;
  depth: number;
}

/**
 * A copy of `value` of nothing but what JSON can say: null, booleans, finite numbers, strings, arrays and objects
 * without a prototype. As `JSON.stringify` does, it calls `toJSON` and leaves out properties that are undefined; an
 * undefined item of an array becomes null.
 *
 * Each property is read once, so a value that changes or counts its reads can't show two faces.
 *
 * @returns `undefined` when the value is undefined or its `toJSON` gives that.
 * @throws {NotJsonError} Something would be lost (specification 2.1): the kind, where, and what to return instead.
 */
export function toPlain(value: unknown, options: ToPlainOptions): unknown {
  return visit(value, options.root, "", undefined, options);
}

function visit(
  value: unknown,
  step: string,
  key: string,
  parent: Place | undefined,
  options: ToPlainOptions,
): unknown {
  switch (typeof value) {
    case "string":
      options.spend?.(value.length);
      return value;
    case "boolean":
    case "undefined":
      return value;
    case "number":
      if (numberIsFinite(value)) return value;
      throw lost(step, parent, `is ${value}: return null or a string`);
    case "function":
      throw lost(step, parent, "is a function: return what it gives");
    case "symbol":
      throw lost(step, parent, "is a symbol: return its description");
    case "bigint": {
      const json = callToJson(value, step, key, parent);
      if (json !== undefined && typeof json.value !== "bigint") {
        return visit(json.value, step, key, parent, options);
      }
      throw lost(step, parent, "is a BigInt: return String(value)");
    }
    default:
      return value === null ? null : visitObject(value as object, step, key, parent, options, true);
  }
}

function visitObject(
  value: object,
  step: string,
  key: string,
  parent: Place | undefined,
  options: ToPlainOptions,
  mayConvert: boolean,
): unknown {
  for (let place = parent; place !== undefined; place = place.parent) {
    if (place.value === value) throw lost(step, parent, `refers back to ${nameOf(place)}`);
  }
  if ((parent?.depth ?? 0) >= MAX_DEPTH) {
    const message = `${options.root} is nested more than ${MAX_DEPTH} levels deep: return a flatter value`;
    throw new NotJsonError(message);
  }
  const tag = guard(() => stringSlice(objectTag(value), 8, -1), step, parent);
  const before = guard(() => lossWhateverToJson(value, tag) ?? options.refuse?.(value), step, parent);
  if (before !== undefined) throw lost(step, parent, before);
  if (mayConvert) {
    const json = callToJson(value, step, key, parent);
    if (json !== undefined) {
      const given = json.value;
      // JSON asks once only: what `toJSON` gives is taken as it is, even when it has a `toJSON` of its own.
      if (typeof given !== "object" || given === null) return visit(given, step, key, parent, options);
      return visitObject(given, step, key, parent, options, false);
    }
  }
  const loss = guard(() => lossOf(value, tag), step, parent);
  if (loss !== undefined) throw lost(step, parent, loss);
  if (tag === "Number" || tag === "String" || tag === "Boolean" || tag === "BigInt") {
    const boxed: unknown = guard(() => unbox(value), step, parent);
    if (typeof boxed !== "object") return visit(boxed, step, key, parent, options);
  }
  const place: Place = { value, step, parent, depth: (parent?.depth ?? 0) + 1 };
  return arrayIsArray(value) ? copyArray(value, place, options) : copyObject(value, tag, place, options);
}

function copyArray(value: readonly unknown[], place: Place, options: ToPlainOptions): unknown[] {
  const copy: unknown[] = [];
  // A prototype could have a `toJSON` by now, which `JSON.stringify` would ask.
  if ("toJSON" in copy) objectSetPrototypeOf(copy, null);
  const length = guard(() => value.length, place.step, place.parent);
  for (let index = 0; index < length; index++) {
    const item = guard(() => value[index], `[${index}]`, place);
    append(copy, visit(item, `[${index}]`, stringOf(index), place, options) ?? null);
  }
  return copy;
}

function copyObject(
  value: object,
  tag: string,
  place: Place,
  options: ToPlainOptions,
): Record<string, unknown> {
  const keys = guard(() => objectKeys(value), place.step, place.parent);
  if (keys.length === 0 && !guard(() => isPlainPrototype(value), place.step, place.parent)) {
    const name = guard(() => kindOf(value, tag), place.step, place.parent);
    throw lost(
      place.step,
      place.parent,
      `is ${article(name)} ${name}, of which JSON keeps nothing: return a plain object`,
    );
  }
  const copy: Record<string, unknown> = objectCreate(null);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const step = stepTo(key);
    const member: unknown = guard(() => (value as Record<string, unknown>)[key], step, place);
    const plain = visit(member, step, key, place, options);
    if (plain !== undefined) copy[key] = plain;
  }
  return copy;
}

/** What `toJSON` gives, boxed; `undefined` when there is none. */
function callToJson(
  value: object | bigint,
  step: string,
  key: string,
  parent: Place | undefined,
): { value: unknown } | undefined {
  const toJson = guard(() => (value as { toJSON?: unknown }).toJSON, step, parent);
  if (typeof toJson !== "function") return undefined;
  try {
    return { value: reflectApply(toJson, value, [key]) };
  } catch (error) {
    throw lost(step, parent, `can't be turned into JSON, its toJSON() threw: ${sentenceOf(error)}`);
  }
}

/** Runs code of the value (a getter, a trap of a proxy); what it throws names the place. */
function guard<T>(read: () => T, step: string, parent: Place | undefined): T {
  try {
    return read();
  } catch (error) {
    throw lost(step, parent, `can't be read: ${sentenceOf(error)}`);
  }
}

function lost(step: string, parent: Place | undefined, what: string): NotJsonError {
  return new NotJsonError(`${parent === undefined ? step : nameOf(parent) + step} ${what}`);
}

function nameOf(place: Place): string {
  let name = "";
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) name = at.step + name;
  return name;
}

/** `.name` for an identifier, `["odd name"]` for any other key, cut when it is long. */
function stepTo(key: string): string {
  if (regExpExec(/^[A-Za-z_$][A-Za-z0-9_$]{0,99}$/, key) !== null) return `.${key}`;
  return `[${jsonStringify(key.length > 100 ? stringSlice(key, 0, 100) + "…" : key)}]`;
}

function unbox(value: object): unknown {
  return (value as { valueOf(): unknown }).valueOf();
}

/** Whether an object without members is just empty: `{}`, also of another realm, or without a prototype. */
function isPlainPrototype(value: object): boolean {
  const prototype: unknown = objectGetPrototypeOf(value);
  return prototype === null || objectGetPrototypeOf(prototype) === null;
}
