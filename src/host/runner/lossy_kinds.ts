import { arrayBufferIsView, arrayIsArray, dateValueOf, numberIsFinite, regExpExec } from "./primordials.ts";

/** Kinds whose own `toJSON`, or lack of one, says nothing useful: bytes, an invalid date, a promise. */
export function lossWhateverToJson(value: object, tag: string): string | undefined {
  if (arrayBufferIsView(value)) {
    const name = kindOf(value, tag);
    const cure = name === "Buffer" ? 'return value.toString("utf8") or value.toString("base64")' : BYTES_CURE;
    return `is ${article(name)} ${name}: ${cure}`;
  }
  if (tag === "Date" && !numberIsFinite(dateValue(value))) {
    return "is an invalid Date: return null or a string";
  }
  if (tag === "Promise") return "is a Promise: await it";
  return undefined;
}

const BYTES_CURE = "return a string (new TextDecoder().decode(value), value.toBase64()) or Array.from(value)";

/** What to return in place of a kind that JSON turns into `{}` or into something misleading. */
const CURES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  Map: "return Object.fromEntries(value) or [...value]",
  Set: "return [...value]",
  Error: "throw it, or return its message",
  DOMException: "throw it, or return its message",
  Response: "return await response.json() or text()",
  Request: "return await request.json() or text()",
  Headers: "return Object.fromEntries(value)",
  FormData: "return Object.fromEntries(value)",
  URLSearchParams: "return String(value) or Object.fromEntries(value)",
  Blob: "return await value.text()",
  File: "return await value.text()",
  ReadableStream: "return await new Response(value).text()",
  RegExp: "return String(value)",
  ArrayBuffer: "return a string (new TextDecoder().decode(value)) or Array.from(new Uint8Array(value))",
  SharedArrayBuffer: "return Array.from(new Uint8Array(value))",
  Generator: "return [...value]",
  AsyncGenerator: "return await Array.fromAsync(value)",
  "Map Iterator": "return [...value]",
  "Set Iterator": "return [...value]",
  "Array Iterator": "return [...value]",
  "Iterator Helper": "return [...value]",
  WeakMap: "return a plain object",
  WeakSet: "return an array",
  WeakRef: "return what value.deref() gives",
  AbortSignal: "return value.aborted",
});

/** Why JSON would lose a value that has no `toJSON`, and what to return instead; `undefined` for any other. */
export function lossOf(value: object, tag: string): string | undefined {
  const cure = CURES[tag];
  if (cure !== undefined && !arrayIsArray(value)) {
    const name = tag === "Error" ? kindOf(value, tag) : tag;
    return `is ${article(name)} ${name}: ${cure}`;
  }
  if (typeof (value as { then?: unknown }).then === "function") return "is a Promise: await it";
  return undefined;
}

function dateValue(value: object): number {
  try {
    return dateValueOf(value as Date);
  } catch {
    // Only called a date (`Symbol.toStringTag`).
    return 0;
  }
}

/** Name of the value's class, else its tag. */
export function kindOf(value: object, tag: string): string {
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object" && name.length <= 100 ? name : tag;
}

/** `a` or `an`. */
export function article(name: string): string {
  return regExpExec(/^[AEIOaeio]/, name) === null ? "a" : "an";
}
