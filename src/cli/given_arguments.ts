import { BeeuniError } from "../errors/error.ts";

/**
 * The value of `--args`: JSON, `@file`, or `-` for stdin (specification 2.7).
 *
 * @param given The option's text; absent = no arguments.
 * @param readStdin Reads all of stdin.
 * @throws {BeeuniError} `usage` when it can't be read, is not JSON, or is not an object.
 */
export async function givenArguments(
  given: string | undefined,
  readStdin: () => Promise<Uint8Array>,
): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const [text, place] = given === "-"
    ? [decode(await readStdin(), "stdin"), "stdin"]
    : given.startsWith("@")
    ? [await readArgumentsFile(given.slice(1)), given.slice(1)]
    : [given, "--args"];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new BeeuniError("usage", `${place} is not valid JSON: ${reason(cause)}.`, {
      hint: `Give an object, such as --args '{"id":"A-1042"}'.`,
      cause,
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BeeuniError("usage", `${place} must be a JSON object.`, {
      hint: `Give one, such as --args '{"id":"A-1042"}'.`,
    });
  }
  return value as Record<string, unknown>;
}

async function readArgumentsFile(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound ? "it does not exist" : "the system refused it";
    throw new BeeuniError("usage", `the arguments in ${path} can't be read: ${why}.`, { cause });
  }
  return decode(bytes, path);
}

function decode(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BeeuniError("usage", `${place} is not UTF-8 text.`, { cause });
  }
}

/** What the parser says, without its final full stop. */
function reason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
}
