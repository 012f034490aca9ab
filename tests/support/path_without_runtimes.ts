import { join } from "node:path";

/** Programs that would run JavaScript: a machine of a user of the executable has none of them. */
const RUNTIMES = new Set(["bun", "bunx", "corepack", "deno", "node", "nodejs", "npm", "npx"]);

/**
 * A `PATH` with every program of this one but JavaScript runtimes, so that the executable can't lean on one of them.
 *
 * @returns A folder of links, removed when the test module ends.
 */
export function pathWithoutRuntimes(path: string): string {
  const folder = Deno.makeTempDirSync({ prefix: "beeuni-path-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const seen = new Set(RUNTIMES);
  for (const from of path.split(":").filter((part) => part.startsWith("/"))) {
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(from)];
    } catch {
      continue; // a PATH may name what is not there
    }
    for (const { name } of entries) {
      if (seen.has(name)) continue;
      seen.add(name);
      Deno.symlinkSync(join(from, name), join(folder, name));
    }
  }
  return folder;
}
