/**
 * Reads the arguments of a harness tool's call, which nobody has checked (the model wrote them).
 *
 * Names that the tool does not know are ignored, and `null` counts as left out: models send both.
 */
export class ToolArguments {
  readonly #tool: string;
  readonly #args: Readonly<Record<string, unknown>>;

  /** @param tool Name of the tool, for its error messages. */
  constructor(tool: string, args: Readonly<Record<string, unknown>>) {
    this.#tool = tool;
    this.#args = args;
  }

  /** A string that must be there; may be empty. @throws {Error} With what to give. */
  text(name: string): string {
    const value = this.#value(name);
    if (typeof value === "string") return value;
    throw this.wrong(name, "must be a string", value);
  }

  /** A string with something in it. @throws {Error} With what to give. */
  someText(name: string): string {
    const value = this.text(name);
    if (value.trim() === "") throw this.wrong(name, "must not be empty", value);
    return value;
  }

  /** A string, or `undefined` when it was left out. @throws {Error} With what to give. */
  optionalText(name: string): string | undefined {
    return this.#value(name) === undefined ? undefined : this.text(name);
  }

  /** A whole number of at least `min`, or `undefined` when it was left out. @throws {Error} With what to give. */
  optionalInteger(name: string, min: number): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    // Some models write every argument as a string.
    const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= min) return number;
    throw this.wrong(name, `must be a whole number of at least ${min}`, value);
  }

  /** A boolean; `false` when it was left out. @throws {Error} With what to give. */
  flag(name: string): boolean {
    const value = this.#value(name);
    if (value === undefined || value === false || value === "false") return false;
    if (value === true || value === "true") return true;
    throw this.wrong(name, "must be true or false", value);
  }

  /** A list, its items unchecked. @throws {Error} With what to give. */
  list(name: string): readonly unknown[] {
    const value = this.#value(name);
    if (Array.isArray(value)) return value;
    throw this.wrong(name, "must be a list", value);
  }

  /** The error for an argument; the model reads it and calls again. */
  wrong(name: string, rule: string, value: unknown): Error {
    const argument = `The argument "${name}" of ${this.#tool}`;
    return new Error(
      value === undefined
        ? `${argument} is missing: it ${rule}.`
        : `${argument} ${rule}, not ${shown(value)}.`,
    );
  }

  #value(name: string): unknown {
    const value = Object.hasOwn(this.#args, name) ? this.#args[name] : undefined;
    return value === null ? undefined : value;
  }
}

/** A value as a part of a sentence, at most 80 characters long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
