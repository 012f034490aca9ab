import { inspectTable } from "./inspect_table.ts";

/** Options of {@link inspect}; colours are not offered. */
export interface InspectOptions {
  /** Levels of objects shown in full; 8 when absent. */
  depth?: number | null;
  /** Sorts the keys of objects. */
  sorted?: boolean;
  /** Everything on one line. */
  compact?: boolean;
}

/** Columns after which the members of an array go on in the next line. */
const WIDTH = 80;
const MOST_ITEMS = 100;
const MOST_BYTES = 513;
const CUSTOM = Symbol.for("nodejs.util.inspect.custom");
/** How the classes of the web interfaces print themselves. */
const DENO_CUSTOM = [Symbol.for("Deno.privateCustomInspect"), Symbol.for("Deno.customInspect")];

/** Node calls a custom printer with three arguments; Bun documents the same. */
type CustomPrinter = (depth: number, options: InspectOptions, inspect: (value: unknown) => string) => unknown;

/**
 * `Bun.inspect`: a value as Bun prints it: objects over several lines, arrays on one, strings in double quotes.
 *
 * Values with a printer of their own (`inspect.custom`) use it; errors and objects of the web and node interfaces look
 * as `console.log` shows them in this runtime.
 */
export const inspect = Object.assign(print, {
  custom: CUSTOM,
  table: inspectTable((value) => print(value, { compact: true })),
});

function print(value: unknown, options: InspectOptions = {}): string {
  const printer = new Printer(options);
  printer.value(value, 0);
  return printer.out;
}

/** Writes one value; `level` is the depth of the value that is written. */
class Printer {
  out = "";
  #indent = 0;
  #column = 0;
  readonly #above: object[] = [];
  readonly #depth: number;
  readonly #options: InspectOptions;

  constructor(options: InspectOptions) {
    this.#options = options;
    this.#depth = options.depth ?? 8;
  }

  value(value: unknown, level: number): void {
    if (typeof value === "string") return this.#put(JSON.stringify(value), value.length);
    if (typeof value === "function") return this.#put(functionLabel(value));
    if (typeof value === "bigint") return this.#put(`${value}n`);
    if (typeof value !== "object" || value === null) {
      return this.#put(Object.is(value, -0) ? "-0" : String(value));
    }
    if (this.#above.includes(value)) return this.#put("[Circular]");
    const text = ownText(value, this.#options);
    if (text !== undefined) return this.#put(text);
    const custom: unknown = Reflect.get(value, CUSTOM);
    this.#above.push(value);
    try {
      if (typeof custom !== "function") return this.#members(value, level);
      const printed = (custom as CustomPrinter).call(
        value,
        this.#depth - level,
        this.#options,
        (inner) => print(inner, this.#options),
      );
      return typeof printed === "string" ? this.#put(printed) : this.value(printed, level);
    } finally {
      this.#above.pop();
    }
  }

  #members(value: object, level: number): void {
    if (level > this.#depth) {
      return this.#put(`[${Array.isArray(value) ? "Array" : className(value) ?? "Object"} ...]`);
    }
    if (Array.isArray(value)) return this.#array(value, level);
    if (value instanceof Map) {
      return this.#block(`Map${value.size > 0 ? `(${value.size})` : ""} `, [...value], ([key, member]) => {
        this.value(key, level + 1);
        this.#put(": ");
        this.value(member, level + 1);
      });
    }
    if (value instanceof Set) {
      const label = `Set${value.size > 0 ? `(${value.size})` : ""} `;
      return this.#block(label, [...value], (member) => this.value(member, level + 1));
    }
    const name = className(value);
    const label = name === undefined ? "[Object: null prototype] " : name === "Object" ? "" : `${name} `;
    this.#block(label, properties(value, this.#options.sorted === true), ([key, property]) => {
      this.#put(`${keyLabel(key)}: `);
      if (property.get !== undefined || property.set !== undefined) {
        const kinds = [property.get && "Getter", property.set && "Setter"].filter((kind) =>
          kind !== undefined
        );
        this.#put(`[${kinds.join("/")}]`);
      } else {
        this.value(property.value, level + 1);
      }
    });
  }

  /** `label{`, one member a line with a comma after each, `}`. */
  #block<Member>(label: string, members: Member[], printMember: (member: Member) => void): void {
    if (members.length === 0) return this.#put(`${label}{}`);
    this.#put(`${label}{`);
    this.#indent++;
    members.forEach((member, index) => {
      this.#newline();
      printMember(member);
      if (this.#options.compact !== true || index < members.length - 1) this.#put(",");
    });
    this.#indent--;
    this.#newline();
    this.#put("}");
  }

  /** Members on one line as long as they fit; many of them, or an object as the first, start on a line of their own. */
  #array(array: unknown[], level: number): void {
    const keys = Object.keys(array).filter((key) => !/^\d+$/.test(key));
    if (array.length === 0 && keys.length === 0) return this.#put("[]");
    let broken = this.#options.compact !== true &&
      (array.length > 10 || startsBlock(array[0]) || this.#column > WIDTH);
    let first = true;
    const separate = () => {
      if (!first) this.#put(",");
      const full = !first && this.#options.compact !== true && this.#column > WIDTH;
      if (full || (first && broken)) this.#newline();
      else this.#put(" ");
      broken ||= full;
      first = false;
    };
    this.#put("[");
    this.#indent++;
    const shown = Math.min(array.length, MOST_ITEMS);
    for (let index = 0; index < shown;) {
      separate();
      let holes = 0;
      while (index + holes < shown && !(index + holes in array)) holes++;
      if (holes > 0) this.#put(holes === 1 ? "empty item" : `${holes} x empty items`);
      else this.value(array[index], level + 1);
      index += Math.max(1, holes);
    }
    if (array.length > shown) {
      this.#put(",");
      this.#newline();
      this.#put(`... ${array.length - shown} more items`);
    }
    for (const key of keys) {
      separate();
      this.#put(`${keyLabel(key)}: `);
      this.value(Reflect.get(array, key), level + 1);
    }
    this.#indent--;
    if (broken) this.#newline();
    else this.#put(" ");
    this.#put("]");
  }

  #put(text: string, width = text.length): void {
    this.out += text;
    this.#column += width;
  }

  #newline(): void {
    this.out += this.#options.compact === true ? " " : "\n" + "  ".repeat(this.#indent);
    this.#column = 2 * this.#indent;
  }
}

/** Whether an array whose first member this is starts on a new line. */
function startsBlock(first: unknown): boolean {
  return typeof first === "function" ||
    (typeof first === "object" && first !== null && !(first instanceof RegExp));
}

/** The text of values that print themselves; `undefined` for plain objects, class instances, arrays, maps and sets. */
function ownText(value: object, options: InspectOptions): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof String) return JSON.stringify(String(value));
  if (value instanceof Number || value instanceof Boolean) return `[${value.constructor.name}: ${value}]`;
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer || ArrayBuffer.isView(value)) {
    return binaryText(value);
  }
  const printsItself = value instanceof Error || DENO_CUSTOM.some((symbol) => symbol in value) ||
    (!Array.isArray(value) && !(value instanceof Map) && !(value instanceof Set) && !isOrdinary(value));
  if (!printsItself) return undefined;
  return Deno.inspect(value, { depth: options.depth ?? 8, sorted: options.sorted === true });
}

/** Whether an object's printed form is its members: it is no promise, iterator or other object with hidden content. */
function isOrdinary(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Object]" || Reflect.get(value, CUSTOM) !== undefined ||
    Object.hasOwn(value, Symbol.toStringTag) ||
    /^class\b/.test(sourceOf(Object.getPrototypeOf(value)?.constructor));
}

/** Source text of a function; empty for anything else. */
function sourceOf(value: unknown): string {
  return typeof value === "function" ? Function.prototype.toString.call(value) : "";
}

function binaryText(value: ArrayBufferView | ArrayBufferLike): string {
  if (Buffer.isBuffer(value)) return Deno.inspect(value);
  const items: ArrayLike<number | bigint> = ArrayBuffer.isView(value) && !(value instanceof DataView)
    ? value as Uint8Array | BigInt64Array
    : ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  const shown = Array.from({ length: Math.min(items.length, MOST_BYTES) }, (_, index) => {
    const item = items[index]!;
    return typeof item === "bigint" ? `${item}n` : String(item);
  });
  if (items.length > MOST_BYTES) shown.push(`... ${items.length - MOST_BYTES} more`);
  const label = `${value.constructor.name}(${items.length})`;
  return shown.length === 0 ? `${label} []` : `${label} [ ${shown.join(", ")} ]`;
}

function functionLabel(value: { name: string }): string {
  if (/^class\b/.test(sourceOf(value))) {
    const parent: unknown = Reflect.get(Object.getPrototypeOf(value), "name");
    const extending = typeof parent === "string" && parent !== "" ? ` extends ${parent}` : "";
    return `[class ${value.name === "" ? "(anonymous)" : value.name}${extending}]`;
  }
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return value.name === "" ? `[${kind}]` : `[${kind}: ${value.name}]`;
}

/** Name of an object's class; `undefined` without a prototype. */
function className(value: object): string | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return undefined;
  const name: unknown = prototype.constructor?.name;
  const tag: unknown = Object.hasOwn(value, Symbol.toStringTag)
    ? Reflect.get(value, Symbol.toStringTag)
    : undefined;
  return typeof tag === "string" ? tag : typeof name === "string" && name !== "" ? name : "Object";
}

/** Own members, then those of the prototypes, as Bun shows them. */
function properties(value: object, sorted: boolean): [PropertyKey, PropertyDescriptor][] {
  const found = new Map<PropertyKey, PropertyDescriptor>();
  for (let from = value; from !== null && from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const key of Reflect.ownKeys(from)) {
      if (found.has(key) || key === "constructor" || key === Symbol.toStringTag) continue;
      found.set(key, Reflect.getOwnPropertyDescriptor(from, key)!);
    }
  }
  const entries = [...found];
  return sorted ? entries.sort(([a], [b]) => String(a) < String(b) ? -1 : 1) : entries;
}

function keyLabel(key: PropertyKey): string {
  if (typeof key === "symbol") return `[${String(key)}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
