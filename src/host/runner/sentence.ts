import {
  append,
  arrayIsArray,
  functionSource,
  join,
  jsonStringify,
  objectTag,
  stringOf,
  stringSlice,
  stringStartsWith,
  stringToWellFormed,
  stringTrim,
} from "./primordials.ts";
import { article } from "./lossy_kinds.ts";
import { maskedHead, maskSecrets } from "./secret_mask.ts";
import { toolStack } from "./tool_stack.ts";

/** How many members of an AggregateError are told. */
const MAX_MEMBERS = 10;
/** Longest text of a member, and of a thrown object that has no message, in UTF-16 units. */
const MAX_PART = 500;

/**
 * One readable text for anything that can be thrown (specification 2.1): an error's message, the string form of what
 * is no error, and a sentence where neither says anything. Runs getters of the value, and survives them.
 *
 * The text is not bounded: an error's message may be as long as an output.
 *
 * @param who Who threw, for the sentences of our own.
 */
export function sentenceOf(thrown: unknown, who = "the tool"): string {
  try {
    return stringToWellFormed(describe(thrown, who, 0));
  } catch {
    return `${who} threw an error that can't be read`;
  }
}

function describe(thrown: unknown, who: string, depth: number): string {
  if (thrown === null || thrown === undefined) return `${who} threw ${thrown}: throw an Error with a message`;
  if (typeof thrown === "string") return blankless(thrown) ?? `${who} threw an empty string`;
  if (typeof thrown === "function") return `${who} threw ${isClass(thrown) ? "a class" : "a function"}`;
  if (typeof thrown !== "object") return stringOf(thrown);
  const message = read(thrown, "message");
  if (message === UNREADABLE) return `${who} threw an error whose message can't be read`;
  const text = typeof message === "string" ? blankless(message) : undefined;
  const members = depth === 0 ? membersOf(thrown, who) : undefined;
  if (members !== undefined) return `${text ?? "several errors"}: ${members}`;
  if (text !== undefined) return text;
  return describeMute(thrown, who);
}

/** An object without a message: its own string form, else its name, else what JSON makes of it. */
function describeMute(thrown: object, who: string): string {
  const name = read(thrown, "name");
  if (isErrorLike(thrown)) {
    const known = typeof name === "string" ? blankless(name) : undefined;
    return `${who} threw ${
      known === undefined ? "an error" : `${article(known)} ${known}`
    } without a message`;
  }
  const form = attempt(() => stringOf(thrown));
  if (form !== undefined && blankless(form) !== undefined && !stringStartsWith(form, "[object ")) return form;
  const json = attempt(() => jsonStringify(thrown));
  if (json === undefined || json === "{}") return `${who} threw an object without a message`;
  return `${who} threw ${cut(json)}`;
}

/** The messages in an AggregateError; `undefined` for anything else. */
function membersOf(thrown: object, who: string): string | undefined {
  const errors = read(thrown, "errors");
  if (!isErrorLike(thrown) || !attempt(() => arrayIsArray(errors))) return undefined;
  const list = errors as readonly unknown[];
  const length = attempt(() => list.length) ?? 0;
  if (length === 0) return undefined;
  const texts: string[] = [];
  for (let index = 0; index < length && index < MAX_MEMBERS; index++) {
    append(texts, cut(attempt(() => describe(list[index], who, 1)) ?? "an error that can't be read"));
  }
  if (length > MAX_MEMBERS) append(texts, `and ${length - MAX_MEMBERS} more`);
  return join(texts, "; ");
}

const UNREADABLE = Symbol("unreadable");

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return UNREADABLE;
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const ErrorClass = Error;
const DOMExceptionClass = DOMException;

function isErrorLike(value: object): boolean {
  return attempt(() =>
    value instanceof ErrorClass || value instanceof DOMExceptionClass || objectTag(value) === "[object Error]"
  ) ?? false;
}

function isClass(value: unknown): boolean {
  return stringStartsWith(functionSource(value), "class");
}

/** `text` unless it is blank. */
function blankless(text: string): string | undefined {
  return stringTrim(text) === "" ? undefined : text;
}

function cut(text: string): string {
  if (text.length <= MAX_PART) return text;
  const masked = maskSecrets(text);
  return masked.length > MAX_PART ? stringSlice(masked, 0, MAX_PART) + "…" : masked;
}

/** Most UTF-16 units of {@link detailOf}. */
const MAX_DETAIL = 16_384;
/** How many causes are followed. */
const MAX_CAUSES = 8;

/** Most UTF-16 units of a stack that are looked at: its message may be as long as an output. */
const MAX_STACK = 4 * MAX_DETAIL;

/**
 * Stack and `cause` chain of an error, for the log; `undefined` for what has none. At most 16,384 UTF-16 units.
 *
 * @param stackOf What is kept of a stack.
 */
export function detailOf(
  thrown: unknown,
  stackOf: (stack: string) => string = toolStack,
): string | undefined {
  const parts: string[] = [];
  let error: unknown = thrown;
  for (let count = 0; count < MAX_CAUSES && typeof error === "object" && error !== null; count++) {
    const stack = read(error, "stack");
    const text = typeof stack === "string" ? stackOf(maskedHead(stack, MAX_STACK)) : sentenceOf(error);
    append(parts, count === 0 ? text : `Caused by: ${text}`);
    const cause = read(error, "cause");
    if (cause === error || cause === UNREADABLE) break;
    error = cause;
    if (typeof error !== "object" && error !== undefined) append(parts, `Caused by: ${sentenceOf(error)}`);
  }
  if (parts.length === 0) return undefined;
  return stringToWellFormed(maskedHead(join(parts, "\n"), MAX_DETAIL));
}
