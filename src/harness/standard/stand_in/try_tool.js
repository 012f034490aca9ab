// Loads one tool file of OpenCode as OpenCode itself would, and says what came of it: `<mark>{ names } or { error }` on
// the last line of stdout. Run by OpenCode's own Bun, in a process of its own: a file may do anything when it loads.
import * as zod from "./node_modules/zod/index.js";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";

const [mark, file] = process.argv.slice(2);
const say = (result) => {
  process.stdout.write(`\n${mark}${JSON.stringify(result)}\n`, () => process.exit(0));
};
try {
  const module = await import(pathToFileURL(file).href);
  const base = basename(file, extname(file));
  const names = [];
  for (const [key, value] of Object.entries(module)) {
    if (typeof value !== "object" || value === null) continue;
    if (!("args" in value && "description" in value && "execute" in value)) continue;
    const name = key === "default" ? base : `${base}_${key}`;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`"${name}" can't be the name of a tool`);
    const args = value.args ?? {};
    const isZod = (part) => typeof part === "object" && part !== null && "_zod" in part;
    if (Object.values(args).every(isZod)) zod.toJSONSchema(zod.object(args), { io: "input" });
    names.push(name);
  }
  if (names.length === 0) {
    throw new Error("it exports no tool: an object with `description`, `args` and `execute`");
  }
  say({ names });
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error) });
}
