import { npmFile } from "../npm_file.ts";
import type { Target } from "./targets.ts";

/** The Deno version that the executable carries and that README.md and .ci/run name. */
export const DENO_VERSION = "2.9.6";

/**
 * The Deno CLI for a target: the one that runs the build when it fits, otherwise that of the npm package.
 *
 * @returns Absolute path of the program.
 * @throws {Error} when the package can't be had.
 */
export async function denoCliFor(target: Target): Promise<string> {
  if (Deno.build.target === target.triple && Deno.version.deno === DENO_VERSION) return Deno.execPath();
  try {
    return await npmFile(target.denoPackage, DENO_VERSION, "deno");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`there is no Deno CLI for linux-${target.machine}: ${reason}`, { cause });
  }
}
