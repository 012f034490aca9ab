import { argumentError } from "./argument_error.ts";
import { builtin } from "./builtin.ts";

/**
 * The path that `Bun.file` and `Bun.write` are given: a string as it is (also one that starts with `file:`, as with
 * Bun), a `file:` URL, or the bytes of a path.
 *
 * @throws {TypeError} for anything else; {Error} for a descriptor, which no tool may open here.
 */
export function filePath(path: unknown, called: string): string {
  if (typeof path === "string") return path;
  if (path instanceof URL) return builtin("node:url").fileURLToPath(path);
  if (ArrayBuffer.isView(path) || path instanceof ArrayBuffer) return new TextDecoder().decode(path);
  if (typeof path === "number") {
    throw new Error(`${called} with a file descriptor is not available in this runtime: use a path`);
  }
  throw argumentError("Expected file path string or file descriptor");
}
