import { BeeuniError } from "../errors/error.ts";

/**
 * Writes a file whole or not at all: a reader sees the old bytes or the new ones, never a part.
 *
 * The new file has mode 0600 from its first byte on. A link at `path` is replaced, not followed.
 *
 * @param path Absolute path; its folder exists.
 * @param options.durable Wait until it is on the disk (some 10 ms), so that a crash of the machine can't leave an
 *   empty file under the final name.
 * @throws {BeeuniError} `unwritable`.
 */
export async function writeWhole(
  path: string,
  text: string,
  options: { durable?: boolean } = {},
): Promise<void> {
  const temporary = `${path}.${Deno.pid}.${crypto.randomUUID()}`;
  try {
    {
      using file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
      const bytes = new TextEncoder().encode(text);
      let written = 0;
      while (written < bytes.length) written += await file.write(bytes.subarray(written));
      if (options.durable) await file.sync();
    }
    await Deno.rename(temporary, path);
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw unwritable(path, cause);
  }
}

/** What to tell when `path` can't be written. */
export function unwritable(path: string, cause: unknown): BeeuniError {
  return new BeeuniError("unwritable", `${path} could not be written: ${reason(cause)}.`, {
    hint: "Make the folder writable for you, or set BEEUNI_STATE_DIR to another one.",
    cause,
  });
}

/** The system's words for what went wrong, without the operation and the number that Deno adds. */
function reason(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/ \(os error \d+\).*$/s, "").toLowerCase();
}
