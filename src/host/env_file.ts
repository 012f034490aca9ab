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

/**
 * Number of the first line that is no `NAME=value`, no comment and not empty, from 1 on; `parseEnv` passes over such a
 * line without a word. Lines of a quoted value are a part of it.
 */
export function lineWithoutValue(text: string): number | undefined {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? "";
    if (line === "" || line.startsWith("#")) continue;
    const equals = line.indexOf("=");
    if (equals < 0) return at + 1;
    const value = line.slice(equals + 1).trimStart();
    const quote = value[0];
    if (quote !== '"' && quote !== "'" && quote !== "`" || value.includes(quote, 1)) continue;
    // A quote that is never closed is a part of the value, which then ends with its line.
    const last = lines.findIndex((other, index) => index > at && other.includes(quote));
    if (last > 0) at = last;
  }
  return undefined;
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
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      const wrong = lineWithoutValue(text);
      // The line itself is not repeated: it may be a secret.
      if (wrong !== undefined) throw new Error(`line ${wrong} is not NAME=value`);
      this.#values = parseEnvText(text);
      const changed = Math.max(info.mtime?.getTime() ?? 0, info.ctime?.getTime() ?? 0);
      this.#stamp = Date.now() - changed > RACY_MS ? stamp : "";
      return this.#values;
    } catch (cause) {
      throw new BeeuniError("env_file", `the env file ${this.path} could not be read: ${reason(cause)}.`, {
        hint:
          "Check the path given to --env-file, and that the file is UTF-8 text with lines like NAME=value.",
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
