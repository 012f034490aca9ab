import { arrayIsArray, functionSource, objectKeys, stringOf, stringStartsWith } from "./primordials.ts";

/** What a value is, as a noun with its article, for a message. */
export function valueKind(value: unknown): string {
  if (value === null || value === undefined) return stringOf(value);
  if (typeof value === "function") {
    return stringStartsWith(functionSource(value), "class") ? "a class" : "a function";
  }
  if (arrayIsArray(value)) return "an array";
  switch (typeof value) {
    case "object":
      return "an object";
    case "bigint":
      return "a BigInt";
    default:
      return `a ${typeof value}`;
  }
}

/** Whether an object is a schema of zod (3 or 4), which is no JSON Schema. May run getters of it. */
export function isZodSchema(value: object): boolean {
  const { _zod, _def, safeParse } = value as { _zod?: unknown; _def?: unknown; safeParse?: unknown };
  return typeof _zod === "object" || (typeof _def === "object" && typeof safeParse === "function");
}

/** How deeply objects and arrays are nested in plain data; counting ends just above `limit`. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null || limit < 0) return 0;
  let deepest = 0;
  const keys = objectKeys(value);
  for (let index = 0; index < keys.length; index++) {
    const depth = depthOf((value as Record<string, unknown>)[keys[index]!], limit - 1);
    if (depth > deepest) deepest = depth;
  }
  return deepest + 1;
}
