import { join, relative } from "node:path";
import { commitOf } from "../../src/engine/commit.ts";
import { ENGINE_RECORD, type EngineRecord } from "../../src/engine/record.ts";
import { BEEUNI_TOOLS } from "../../src/beeuni_tools/registry.ts";
import { bundle } from "./bundle.ts";
import { denoCliFor } from "./deno_cli.ts";
import { lateFunctions, lateImports, quickStart } from "./quick_start.ts";
import { sha256 } from "./sha256.ts";
import type { TarEntry } from "./tar.ts";
import type { Target } from "./targets.ts";

/** What the executable unpacks. */
export interface Payload {
  record: EngineRecord;
  /** Every file, `engine.json` among them, sorted by path. */
  files: TarEntry[];
}

/** The runner's modules: an entry each, because a worker starts from a file of its own. */
const RUNNER_MODULES = ["main", "carrier", "bootstrap"];

/** The program that `glob` and `grep` of the experimental harness start, for the same reason. */
const SEARCH_PROGRAM = "src/harness/experimental/tools/search";

/** What is written into OpenCode's config folder as it is. */
const OPENCODE_FILES = ["plugin.ts", "stand_in/plugin.js", "stand_in/try_tool.js", "stand_in/zod.js"]
  .map((name) => `harness/standard/${name}`);

/**
 * Makes everything that the executable carries: the Deno CLI, the program, the runner, the import map of the Bun
 * interfaces and the Beeuni tools, these byte for byte. The layout is the one that src/engine/engine.ts expects.
 *
 * @param root The clone.
 */
export async function makePayload(root: string, target: Target): Promise<Payload> {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-build-" });
  try {
    const engine = join(folder, "engine");
    await bundleProgram(root, folder);
    for (const name of RUNNER_MODULES) {
      await bundle(root, `src/host/runner/${name}.ts`, join(engine, "host/runner"));
    }
    await bundle(root, `${SEARCH_PROGRAM}/main.ts`, join(engine, SEARCH_PROGRAM.replace("src/", "")));
    await copy(root, "src/host/bun/import_map.json", join(engine, "host/bun/import_map.json"));
    for (const name of BEEUNI_TOOLS) {
      await copy(root, `src/beeuni_tools/${name}.ts`, join(engine, `beeuni_tools/${name}.ts`));
    }
    for (const name of OPENCODE_FILES) await copy(root, `src/${name}`, join(engine, name));
    const files = [
      { path: "deno", bytes: await Deno.readFile(await denoCliFor(target)), mode: 0o700 },
      ...await filesBelow(folder),
    ];
    const { version } = JSON.parse(await Deno.readTextFile(join(root, "deno.json"))) as { version: string };
    const record = recordOf(files, version, commitOf(root) ?? "unknown", target);
    const text = new TextEncoder().encode(JSON.stringify(record, null, 1) + "\n");
    files.push({ path: ENGINE_RECORD, bytes: text, mode: 0o600 });
    return { record, files: files.sort(byPath) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The program: `main.js`, and a file for each part that is loaded when it is needed. */
async function bundleProgram(root: string, folder: string): Promise<void> {
  await bundle(root, "scripts/build/entry.ts", folder, { splitting: true });
  for (const { path, bytes } of await filesBelow(folder)) {
    const chunk = new TextDecoder().decode(bytes);
    await Deno.writeTextFile(join(folder, path), lateFunctions(lateImports(chunk)));
  }
  const standIns = await Deno.readTextFile(join(import.meta.dirname!, "stand_ins.js"));
  const entry = await Deno.readTextFile(join(folder, "entry.js"));
  await Deno.writeTextFile(join(folder, "main.js"), quickStart(entry, standIns));
  await Deno.remove(join(folder, "entry.js"));
}

function recordOf(files: TarEntry[], version: string, commit: string, target: Target): EngineRecord {
  const listed = [...files].sort(byPath).map(({ path, bytes, mode }) => {
    return { path, size: bytes.length, sha256: sha256(bytes), mode };
  });
  const id = sha256(JSON.stringify([version, commit, target.triple, listed])).slice(0, 32);
  return { version, commit, id, target: target.triple, files: listed };
}

async function copy(root: string, from: string, to: string): Promise<void> {
  await Deno.mkdir(join(to, ".."), { recursive: true });
  await Deno.copyFile(join(root, from), to);
}

async function filesBelow(folder: string, top: string = folder): Promise<TarEntry[]> {
  const files: TarEntry[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) files.push(...await filesBelow(path, top));
    else files.push({ path: relative(top, path), bytes: await Deno.readFile(path), mode: 0o600 });
  }
  return files;
}

/** By code units, so that the order does not depend on a locale. */
function byPath(a: TarEntry, b: TarEntry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
