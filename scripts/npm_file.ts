import { join } from "node:path";

/**
 * One file of an npm package, fetched into Deno's npm cache; nothing is installed.
 *
 * Deno takes a package also where its `os` and `cpu` are not this machine's.
 *
 * @param name Package name, such as `@deno/linux-arm64-glibc`.
 * @param path Path of the file inside the package.
 * @param signal Gives up waiting for the registry.
 * @returns Its absolute path.
 * @throws {Error} when the package can't be had, with Deno's reason, or holds no such file.
 */
export async function npmFile(
  name: string,
  version: string,
  path: string,
  signal?: AbortSignal,
): Promise<string> {
  const fetched = await deno(["cache", "--no-config", "--no-lock", `npm:${name}@${version}`], signal);
  if (!fetched.ok) throw new Error(`npm:${name}@${version} can't be had: ${fetched.error}`);
  const { npmCache } = JSON.parse((await deno(["info", "--json"])).output) as { npmCache: string };
  for (const registry of Deno.readDirSync(npmCache)) {
    const file = join(npmCache, registry.name, name, version, path);
    if (isFile(file)) return file;
  }
  throw new Error(`npm:${name}@${version} can't be had: it holds no ${path}`);
}

async function deno(
  args: string[],
  signal?: AbortSignal,
): Promise<{ ok: boolean; output: string; error: string }> {
  const options = { args, env: { NO_COLOR: "1" }, stdin: "null" } as const;
  const command = new Deno.Command(Deno.execPath(), signal === undefined ? options : { ...options, signal });
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
