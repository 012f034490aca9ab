import { chmod, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { npmFile } from "./npm_file.ts";

/** The OpenCode version that tests and figures run against. */
export const OPENCODE_VERSION = "1.18.33";

/** How OpenCode's packages name a processor. */
const MACHINES: Readonly<Record<typeof Deno.build.arch, string>> = { x86_64: "x64", aarch64: "arm64" };

/**
 * The real OpenCode: the program that `BEEUNI_OPENCODE` names, else the one of the npm package for this machine, which
 * is fetched into Deno's npm cache the first time (180 MB).
 *
 * @param signal Gives up waiting for the registry.
 * @returns Its absolute path; it may be executed.
 * @throws {Error} when the package can't be had.
 */
export async function opencodeProgram(signal?: AbortSignal): Promise<string> {
  const named = Deno.env.get("BEEUNI_OPENCODE");
  if (named) return resolve(named);
  const name = `opencode-linux-${MACHINES[Deno.build.arch]}`;
  const file = await npmFile(name, OPENCODE_VERSION, "bin/opencode", signal);
  // Deno keeps the mode that the package's archive gives; nothing promises that it stays so.
  const { mode } = await stat(file);
  if ((mode & 0o111) === 0) await chmod(file, mode | 0o755);
  return file;
}
