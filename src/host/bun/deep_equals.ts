/** Pairs being compared above the current one, so that cycles end. */
type Pairs = Map<object, Set<object>>;

/**
 * `Bun.deepEquals`: whether two values have the same content.
 *
 * Not strict (the default, `expect().toEqual()` in Bun): `undefined` members, holes in arrays and the class of
 * objects do not count. Strict (`toStrictEqual()`): they do. `NaN` equals itself; `0` and `-0` differ.
 */
export function deepEquals(a: unknown, b: unknown, strict = false): boolean {
  return equal(a, b, strict === true, new Map());
}

function equal(a: unknown, b: unknown, strict: boolean, pairs: Pairs): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const seen = pairs.get(a) ?? new Set();
  if (seen.has(b)) return true;
  pairs.set(a, seen.add(b));
  try {
    return equalObjects(a, b, strict, pairs);
  } finally {
    seen.delete(b);
  }
}

/** Objects; functions are equal only to themselves. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function equalObjects(a: object, b: object, strict: boolean, pairs: Pairs): boolean {
  const tag = Object.prototype.toString.call(a);
  if (tag !== Object.prototype.toString.call(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return equalArrays(a, b, strict, pairs);
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof RegExp) return b instanceof RegExp && String(a) === String(b);
  if (a instanceof URL) return b instanceof URL && a.href === b.href;
  if (a instanceof URLSearchParams) return b instanceof URLSearchParams && a.toString() === b.toString();
  if (a instanceof Headers) return b instanceof Headers && equal([...a], [...b], strict, pairs);
  if (a instanceof Map) return b instanceof Map && equalMaps(a, b, strict, pairs);
  if (a instanceof Set) return b instanceof Set && equalSets(a, b, strict, pairs);
  if (a instanceof ArrayBuffer) {
    return b instanceof ArrayBuffer && equalBytes(new Uint8Array(a), new Uint8Array(b));
  }
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && equalViews(a, b, strict);
  if (a instanceof Error && b instanceof Error) {
    const parts = (error: Error) => [error.name, error.message, error.cause];
    return equal(parts(a), parts(b), strict, pairs) && equalMembers(a, b, strict, pairs);
  }
  if (isBoxed(a) && isBoxed(b)) return Object.is(a.valueOf(), b.valueOf());
  if (strict && classOf(a) !== classOf(b)) return false;
  return equalMembers(a, b, strict, pairs);
}

/** The class of an object; one without a prototype counts as a plain object. */
function classOf(value: object): unknown {
  return (Object.getPrototypeOf(value) ?? Object.prototype).constructor;
}

function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean ||
    value instanceof BigInt || value instanceof Symbol;
}

function equalArrays(a: unknown[], b: unknown[], strict: boolean, pairs: Pairs): boolean {
  if (strict && a.length !== b.length) return false;
  // not strict, a longer array is equal when the rest of it is undefined
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    if (strict && index in a !== index in b) return false;
    if (!equal(a[index], b[index], strict, pairs)) return false;
  }
  return true;
}

function equalMaps(
  a: Map<unknown, unknown>,
  b: Map<unknown, unknown>,
  strict: boolean,
  pairs: Pairs,
): boolean {
  if (a.size !== b.size) return false;
  const left = new Map(b);
  for (const [key, value] of a) {
    const candidates = left.has(key) ? [key] : [...left.keys()].filter(isObject);
    const at = candidates.findIndex((other) =>
      equal(key, other, strict, pairs) && equal(value, left.get(other), strict, pairs)
    );
    if (at < 0) return false;
    left.delete(candidates[at]);
  }
  return true;
}

function equalSets(a: Set<unknown>, b: Set<unknown>, strict: boolean, pairs: Pairs): boolean {
  if (a.size !== b.size) return false;
  const left = new Set(b);
  for (const value of a) {
    if (left.delete(value)) continue;
    const match = [...left].find((other) => isObject(other) && equal(value, other, strict, pairs));
    if (match === undefined) return false;
    left.delete(match);
  }
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function equalViews(a: ArrayBufferView, b: ArrayBufferView, strict: boolean): boolean {
  // floating point numbers compare as numbers (0 and -0 are equal when not strict), all else as bytes
  if (isFloats(a) && isFloats(b)) {
    return a.length === b.length &&
      a.every((value, index) => strict ? Object.is(value, b[index]) : value === b[index]);
  }
  const bytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return equalBytes(bytes(a), bytes(b));
}

function isFloats(view: ArrayBufferView): view is Float32Array | Float64Array {
  return view instanceof Float32Array || view instanceof Float64Array;
}

/** Own enumerable members, symbols too. */
function equalMembers(a: object, b: object, strict: boolean, pairs: Pairs): boolean {
  const keys = (value: object) =>
    Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  const members = new Set([...keys(a), ...keys(b)]);
  for (const key of members) {
    if (strict && Object.hasOwn(a, key) !== Object.hasOwn(b, key)) return false;
    if (!equal(Reflect.get(a, key), Reflect.get(b, key), strict, pairs)) return false;
  }
  return true;
}
