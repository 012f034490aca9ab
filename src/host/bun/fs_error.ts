/** Deno's error classes with the code Node (and Bun) give the same failure. */
const CODES: readonly [new (...args: never[]) => Error, string, string][] = [
  [Deno.errors.NotFound, "ENOENT", "no such file or directory"],
  [Deno.errors.AlreadyExists, "EEXIST", "file already exists"],
  [Deno.errors.IsADirectory, "EISDIR", "illegal operation on a directory"],
  [Deno.errors.NotADirectory, "ENOTDIR", "not a directory"],
];

/**
 * A failed file operation as Bun reports it: `ENOENT: no such file or directory, open '/x'` with `code`, `syscall`
 * and `path`. Refused rights and everything else stay as Deno threw them.
 */
export function fsError(error: unknown, syscall: string, path: string): unknown {
  const row = CODES.find(([type]) => error instanceof type);
  if (row === undefined) return error;
  const [, code, text] = row;
  return Object.assign(new Error(`${code}: ${text}, ${syscall} '${path}'`, { cause: error }), {
    code,
    syscall,
    path,
  });
}

/** Whether an error says that there is no such file (also `file/below`). */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}
