import { argumentError } from "../argument_error.ts";
import { BunFile } from "../bun_file.ts";
import { isBinary } from "../bytes.ts";

/** A value in the template that is no text: input or output of a redirection. */
export type ShellObject = Blob | Response | ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** A script as text, with `\0<index>\0` where a value stands. */
export interface Script {
  text: string;
  values: (string | ShellObject)[];
}

/** Stands before and after the index of a value; no text of a script may have one. */
export const MARK = "\0";

/**
 * Joins a template into a script. Every interpolated text is one literal word, whatever is in it; an array is its
 * members with spaces between; `{ raw: text }` is script.
 *
 * @throws {TypeError} for a text with NUL; {Error} for an object that is neither text nor data.
 */
export function scriptOf(strings: readonly string[], expressions: readonly unknown[]): Script {
  const values: (string | ShellObject)[] = [];
  const marked = (expression: unknown): string => {
    if (Array.isArray(expression)) return expression.map(marked).join(" ");
    const raw: unknown = typeof expression === "object" && expression !== null &&
      Reflect.get(expression, "raw");
    if (typeof raw === "string") return checked(raw);
    const value = valueOf(expression);
    return `${MARK}${values.push(typeof value === "string" ? checked(value) : value) - 1}${MARK}`;
  };
  let text = "";
  strings.forEach((string, index) => {
    text += checked(string) + (index < expressions.length ? marked(expressions[index]) : "");
  });
  return { text, values };
}

function valueOf(expression: unknown): string | ShellObject {
  const isObject = isBinary(expression) || expression instanceof Response ||
    (expression instanceof Blob && !(expression instanceof BunFile));
  if (isObject) return expression;
  if (expression instanceof BunFile) return expression.name;
  if (expression instanceof ReadableStream) {
    throw new Error(
      "A ReadableStream is not supported as a shell redirect: buffer it first (await new Response(stream).blob())",
    );
  }
  const hasText = typeof expression !== "object" || expression === null ||
    typeof expression.toString === "function";
  // a symbol throws here
  const text = hasText ? `${expression}` : "";
  if (!hasText || text.startsWith("[object ")) {
    throw new Error(`Invalid JS object used in shell: ${text}, you might need to call \`.toString()\` on it`);
  }
  return text;
}

function checked(text: string): string {
  if (text.includes(MARK)) {
    throw argumentError(
      `The shell argument must be a string without null bytes. Received ${JSON.stringify(text)}`,
    );
  }
  if (!text.isWellFormed()) throw new Error("Shell script string contains invalid UTF-16");
  return text;
}
