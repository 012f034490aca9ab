import { builtin } from "./builtin.ts";

/** Options of {@link which}. */
export interface WhichOptions {
  /** Folders to look in, separated by `:`. */
  PATH?: string;
  /** Folder that relative names and relative folders of `PATH` are taken against. */
  cwd?: string;
}

/**
 * `Bun.which`: the path of a program, as `which` in a terminal.
 *
 * @param name A name to look for in `PATH`, or a path.
 * @param path The `PATH` when the options have none; undefined when the environment has none either.
 * @returns `null` when there is none, or when it stands where the tool may not read.
 */
export function which(name: string, options: WhichOptions, path: string | undefined): string | null {
  if (typeof name !== "string" || name === "") return null;
  if (name.startsWith("/")) return isProgram(name) ? name : null;
  const { join } = builtin("node:path");
  const absolute = (path: string) => path.startsWith("/") ? path : join(options.cwd ?? Deno.cwd(), path);
  const candidates = name.includes("/")
    ? [absolute(name)]
    : (options.PATH ?? path ?? "").split(":").filter((folder) => folder !== "")
      .map((folder) => join(absolute(folder), name));
  return candidates.find(isProgram) ?? null;
}

/** Whether a path is a file that someone may execute; `false` when it can't be read. */
function isProgram(path: string): boolean {
  try {
    const info = Deno.statSync(path);
    return info.isFile && ((info.mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}
