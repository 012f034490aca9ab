import { join } from "node:path";
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
  const specifier = `npm:${target.denoPackage}@${DENO_VERSION}`;
  // Deno takes the package into its npm cache even where its `os` and `cpu` are not ours.
  const fetched = await deno(["cache", "--no-config", "--no-lock", specifier]);
  if (!fetched.ok) {
    throw new Error(`the Deno CLI for linux-${target.machine} can't be had: ${specifier}: ${fetched.error}`);
  }
  const { npmCache } = JSON.parse((await deno(["info", "--json"])).output) as { npmCache: string };
  for (const registry of Deno.readDirSync(npmCache)) {
    const path = join(npmCache, registry.name, target.denoPackage, DENO_VERSION, "deno");
    if (isFile(path)) return path;
  }
  throw new Error(`the Deno CLI for linux-${target.machine} can't be had: ${specifier} holds no program.`);
}

async function deno(args: string[]): Promise<{ ok: boolean; output: string; error: string }> {
  const command = new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" }, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { ok: success, output: text.decode(stdout), error: text.decode(stderr).trim() };
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
