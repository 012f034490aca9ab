/**
 * The built-in functions as they are before tool code runs.
 *
 * A tool may replace `JSON.parse` or `Array.prototype.push` (some packages do, to instrument them), and a hostile one
 * does so to see or bend what the bootstrap says in its name. Whatever runs in a tool's worker after its module was
 * imported uses these instead of methods, and no syntax that calls patchable ones (`for…of`, array spread and
 * destructuring, `RegExp` methods). An object literal, an object spread and `await` of a native promise are safe.
 */
const { call, bind } = Function.prototype;

/** `method` as a function that takes its `this` first, by way of nothing that can be replaced later. */
export function uncurryThis<T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
): (self: T, ...args: A) => R {
  return Reflect.apply(bind, call, [method]);
}

/** The getter of an accessor property, as a function of the object. */
export function uncurryGetter<T extends object, K extends keyof T>(prototype: T, key: K): (self: T) => T[K] {
  const getter = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (getter === undefined) throw new TypeError(`${String(key)} is no accessor`);
  return uncurryThis<T, [], T[K]>(getter);
}

export const { apply: reflectApply } = Reflect;
export const { parse: jsonParse, stringify: jsonStringify } = JSON;
export const {
  create: objectCreate,
  defineProperty: objectDefineProperty,
  getPrototypeOf: objectGetPrototypeOf,
  setPrototypeOf: objectSetPrototypeOf,
  hasOwn: objectHasOwn,
  keys: objectKeys,
} = Object;
export const arrayIsArray = Array.isArray;
export const arrayBufferIsView = ArrayBuffer.isView;
export const numberIsFinite = Number.isFinite;
export const { load: atomicsLoad } = Atomics;
export const stringOf = String;
export const { max: mathMax, min: mathMin } = Math;

/** A tag such as `[object Map]`; may run code of the object (`Symbol.toStringTag`). */
export const objectTag = uncurryThis<unknown, [], string>(Object.prototype.toString);
export const functionSource = uncurryThis<unknown, [], string>(Function.prototype.toString);

export const stringSlice = uncurryThis<string, [start: number, end?: number], string>(String.prototype.slice);
export const stringIndexOf = uncurryThis<string, [text: string, from?: number], number>(
  String.prototype.indexOf,
);
export const stringLastIndexOf = uncurryThis<string, [text: string, from?: number], number>(
  String.prototype.lastIndexOf,
);
export const stringIncludes = uncurryThis<string, [text: string], boolean>(String.prototype.includes);
export const stringStartsWith = uncurryThis<string, [text: string], boolean>(String.prototype.startsWith);
export const stringEndsWith = uncurryThis<string, [text: string], boolean>(String.prototype.endsWith);
export const stringTrim = uncurryThis<string, [], string>(String.prototype.trim);
export const stringToWellFormed = uncurryThis<string, [], string>(String.prototype.toWellFormed);
export const stringCharCodeAt = uncurryThis<string, [index: number], number>(String.prototype.charCodeAt);

/** `RegExp.prototype.exec` itself; on a regular expression of ours it runs no code that a tool can replace. */
export const regExpExec = uncurryThis<RegExp, [text: string], RegExpExecArray | null>(RegExp.prototype.exec);

export const dateValueOf = uncurryThis<Date, [], number>(Date.prototype.valueOf);

const encoder = new TextEncoder();
const encode = uncurryThis<TextEncoder, [text: string], Uint8Array<ArrayBuffer>>(
  TextEncoder.prototype.encode,
);
const encodeInto = uncurryThis<TextEncoder, [text: string, into: Uint8Array], TextEncoderEncodeIntoResult>(
  TextEncoder.prototype.encodeInto,
);
/** UTF-8 of `text`, lone surrogates as U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => encode(encoder, text);
export const encodeUtf8Into = (text: string, into: Uint8Array): TextEncoderEncodeIntoResult =>
  encodeInto(encoder, text, into);

export const typedArraySubarray = uncurryThis<
  Uint8Array,
  [start: number, end?: number],
  Uint8Array
>(
  Uint8Array.prototype.subarray,
);
export const typedArrayIndexOf = uncurryThis<Uint8Array, [byte: number, from?: number], number>(
  Uint8Array.prototype.indexOf,
);

export const typedArrayAt = uncurryThis<Uint8Array, [index: number], number | undefined>(
  Uint8Array.prototype.at,
);

/** Descriptor of a member that can be changed; without a prototype, from which a `get` could come by now. */
export function ownValue(value: unknown): PropertyDescriptor {
  const plain: PropertyDescriptor = objectCreate(null);
  plain.value = value;
  plain.writable = plain.enumerable = plain.configurable = true;
  return plain;
}

/** `list[list.length] = item`, which no setter on `Array.prototype` can catch. */
export function append<T>(list: T[], item: T): void {
  objectDefineProperty(list, list.length, ownValue(item));
}

/** A list of texts as JSON, whatever `toJSON` prototypes have by now. */
export function jsonOfTexts(list: readonly string[]): string {
  let json = "";
  for (let index = 0; index < list.length; index++) {
    json += (index === 0 ? "" : ",") + jsonStringify(list[index]);
  }
  return `[${json}]`;
}

/** `list.join(separator)`. */
export function join(list: readonly string[], separator: string): string {
  let text = "";
  for (let index = 0; index < list.length; index++) {
    text += index === 0 ? list[index] : separator + list[index];
  }
  return text;
}

/** `text.replaceAll(what, by)` for plain texts. */
export function replaceAll(text: string, what: string, by: string): string {
  let result = "";
  let from = 0;
  for (let at = stringIndexOf(text, what); at !== -1; at = stringIndexOf(text, what, from)) {
    result += stringSlice(text, from, at) + by;
    from = at + what.length;
  }
  return result + stringSlice(text, from);
}

/** `text.replaceAll(pattern, by)`; `pattern` has the flag `g`, and `by` gets the match with its groups. */
export function replaceMatches(
  text: string,
  pattern: RegExp,
  by: (match: RegExpExecArray) => string,
): string {
  let result = "";
  let from = 0;
  pattern.lastIndex = 0;
  for (let match = regExpExec(pattern, text); match !== null; match = regExpExec(pattern, text)) {
    result += stringSlice(text, from, match.index) + by(match);
    from = match.index + match[0].length;
    if (match[0] === "") pattern.lastIndex++;
  }
  return result + stringSlice(text, from);
}

const clock = performance;
const now = uncurryThis<Performance, [], number>(Performance.prototype.now);
/** Milliseconds on a clock that only goes forward. */
export const monotonicNow = (): number => now(clock);

/** `list` with an iterator that no replaced `Array.prototype` can bend: for options that Deno iterates itself. */
export function safelyIterable<T>(list: T[]): T[] {
  objectDefineProperty(list, iteratorSymbol, ownValue(() => iterate(list)));
  return list;
}
const iteratorSymbol: typeof Symbol.iterator = Symbol.iterator;

function iterate<T>(list: readonly T[]): Iterator<T> {
  let index = 0;
  const next = (): IteratorResult<T> =>
    index < list.length ? { done: false, value: list[index++]! } : { done: true, value: undefined };
  return objectSetPrototypeOf({ next }, null);
}
