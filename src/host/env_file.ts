import { parseEnv } from "node:util";
import { BeeuniError } from "../errors/error.ts";

/**
 * The variables of a `.env` text, values byte for byte (specification 2.6).
 *
 * `parseEnv` drops every carriage return, also inside quotes, where it belongs to the value (a PEM key with CRLF line
 * ends). So each one is put in disguise before and taken back after.
 */
export function parseEnvText(text: string): Record<string, string> {
  const source = text.replace(/^\uFEFF/, "");
  if (!source.includes("\r")) return entries(parseEnv(source));
  const disguise = unusedCharacter(source);
  const disguised = source.replaceAll("\r", disguise).replaceAll(new RegExp(`^${disguise}+$`, "gm"), "");
  const values = entries(parseEnv(disguised));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      // At the end of an unquoted value it is the line's, not the value's.
      const quoted = [`"`, `'`, "`"].some((quote) => disguised.includes(value + quote));
      const own = !quoted && value.endsWith(disguise) ? value.slice(0, -1) : value;
      return [name.replaceAll(disguise, ""), own.replaceAll(disguise, "\r")];
    }),
  );
}

/** A character of the private use area that `text` does not have. */
function unusedCharacter(text: string): string {
  let code = 0xe000;
  while (text.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

function entries(parsed: Record<string, string | undefined>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(parsed)) {
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/**
 * A file changed this short before it was read may change again under the same time stamp, in milliseconds: Deno 2.9.6
 * gives the change time, the one that can't be put back, in whole seconds.
 */
const RACY_MS = 1_000;

/** The values of an `--env-file`, read again whenever the file changed. */
export class EnvFile {
  readonly path: string;
  #stamp = "";
  #values: Record<string, string> = {};

  constructor(path: string) {
    this.path = path;
  }

  /**
   * The values as they are now; the same object while the file did not change. Costs one `stat` (2 µs) then.
   *
   * @throws {BeeuniError} `env_file` when it can't be read or is not UTF-8.
   */
  read(): Readonly<Record<string, string>> {
    try {
      const info = Deno.statSync(this.path);
      const stamp = [info.dev, info.ino, info.size, info.mtime?.getTime(), info.ctime?.getTime()].join(" ");
      if (stamp === this.#stamp) return this.#values;
      const bytes = Deno.readFileSync(this.path);
      this.#values = parseEnvText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      const changed = Math.max(info.mtime?.getTime() ?? 0, info.ctime?.getTime() ?? 0);
      this.#stamp = Date.now() - changed > RACY_MS ? stamp : "";
      return this.#values;
    } catch (cause) {
      throw new BeeuniError("env_file", `the env file ${this.path} could not be read: ${reason(cause)}.`, {
        hint: "Check the path given to --env-file, and that the file is UTF-8 text.",
        cause,
      });
    }
  }
}

function reason(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof TypeError) return "it is not UTF-8 text";
  return error instanceof Error ? error.message : String(error);
}
