import { join } from "node:path";

/** Programs that would run JavaScript: a machine of a user of the executable has none of them. */
const RUNTIMES = new Set(["bun", "bunx", "corepack", "deno", "node", "nodejs", "npm", "npx"]);

/**
 * Takes the JavaScript runtimes from this process's `PATH`, so that the executable can't lean on one of them: what is
 * left is a folder of links to every other program. At the end of the test module all is as before (the modules of a
 * run share one environment).
 */
export function hideRuntimes(): void {
  const path = Deno.env.get("PATH") ?? "/usr/bin:/bin";
  const folder = Deno.makeTempDirSync({ prefix: "beeuni-path-" });
  addEventListener("unload", () => {
    Deno.env.set("PATH", path);
    Deno.removeSync(folder, { recursive: true });
  });
  Deno.env.set("PATH", folder);
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
}
