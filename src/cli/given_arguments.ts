import { MAX_BODY_BYTES } from "../daemon/read_body.ts";
import { BeeuniError } from "../errors/error.ts";
import { readAtMost } from "./read_at_most.ts";

/**
 * The value of `--args`: JSON, `@file`, or `-` for stdin (specification 2.7).
 *
 * @param given The option's text; absent = no arguments.
 * @param openStdin Opens stdin.
 * @throws {BeeuniError} `usage` when it can't be read, is larger than the body of a call may be, is not JSON, or is not
 *   an object.
 */
export async function givenArguments(
  given: string | undefined,
  openStdin: () => ReadableStream<Uint8Array>,
): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const [text, place] = given === "-"
    ? [decode(await bounded(openStdin(), "stdin"), "stdin"), "stdin"]
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
    const file = await Deno.open(path);
    // The stream closes the file, also when it is left early.
    bytes = await bounded(file.readable, path);
  } catch (cause) {
    if (cause instanceof BeeuniError) throw cause;
    const why = cause instanceof Deno.errors.NotFound ? "it does not exist" : "the system refused it";
    throw new BeeuniError("usage", `the arguments in ${path} can't be read: ${why}.`, { cause });
  }
  return decode(bytes, path);
}

/** All of it, unless it is larger than the same arguments over HTTP may be: a device may have no end. */
async function bounded(stream: ReadableStream<Uint8Array>, place: string): Promise<Uint8Array> {
  const bytes = await readAtMost(stream, MAX_BODY_BYTES);
  if (bytes !== undefined) return bytes;
  const limit = `${MAX_BODY_BYTES / 1024 / 1024} MiB`;
  throw new BeeuniError("usage", `the arguments in ${place} are larger than ${limit}.`);
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
