import { dirname } from "node:path";
import { npmFile } from "../../scripts/npm_file.ts";

/**
 * A `PATH` with ripgrep on it. OpenCode's `glob`, `grep` and `skill` run it, and where there is none OpenCode downloads
 * it from a place that a test may not reach: then it is npm's.
 */
export async function pathWithRipgrep(path = Deno.env.get("PATH") ?? ""): Promise<string> {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  const found = await Promise.all(folders.map((folder) => isFile(`${folder}/rg`)));
  if (found.includes(true)) return path;
  const machine = Deno.build.arch === "x86_64" ? "x64" : "arm64";
  return `${path}:${dirname(await npmFile(`@vscode/ripgrep-linux-${machine}`, "1.18.0", "bin/rg"))}`;
}

async function isFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isFile }) => isFile, () => false);
}
