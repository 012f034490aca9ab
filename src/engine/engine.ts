import { join } from "node:path";
import { existsSync } from "node:fs";
import config from "../../deno.json" with { type: "json" };
import { commitOf } from "./commit.ts";
import { ENGINE_RECORD, type EngineRecord, readEngineRecord } from "./record.ts";
import type { Engine } from "./types.ts";
import { unpackEngine } from "./unpack.ts";

let found: Engine | undefined;

/**
 * Where the Deno CLI, the runner's files and the Beeuni tools are (specification 5.2); found once per process.
 *
 * From a clone: the Deno CLI that runs us and the files of `src/`. In the executable: the unpacked files. The
 * self-extracting form was unpacked by its shell header before Deno started; the compiled form carries the same
 * files inside and unpacks them here, because a compiled program can't be the tool runner (it checks no imports
 * and takes no narrower flags).
 *
 * @throws {BeeuniError} `engine` when the files are not there or no safe folder to unpack into can be found.
 */
export function findEngine(): Engine {
  return found ??= locateEngine(import.meta.dirname ?? "", Deno.build.standalone);
}

/**
 * {@link findEngine} for a program whose module lies in `here`.
 *
 * @param here Folder of this module (source), or of the bundle that holds it (executable).
 * @param compiled Whether `deno compile` made the program, so that `here` is inside the file itself.
 */
export function locateEngine(here: string, compiled: boolean): Engine {
  if (!existsSync(join(here, ENGINE_RECORD))) return engineOfSource(join(here, "..", ".."));
  if (compiled) {
    const folder = unpackEngine(here);
    return engineOfFolder(folder, readEngineRecord(folder), "compiled");
  }
  return engineOfFolder(here, readEngineRecord(here), "self-extracting");
}

/** The engine of a clone: `root` is the folder of `deno.json`. */
function engineOfSource(root: string): Engine {
  const directory = join(root, "src");
  let commit: string | undefined;
  return {
    deno: Deno.execPath(),
    directory,
    runner: join(directory, "host", "runner", "main.ts"),
    importMap: join(directory, "host", "bun", "import_map.json"),
    tools: join(directory, "beeuni_tools"),
    built: "source",
    version: config.version,
    get commit() {
      return commit ??= commitOf(root) ?? "unknown";
    },
  };
}

/** The engine of unpacked files (the layout is made by scripts/build/payload.ts). */
function engineOfFolder(folder: string, record: EngineRecord, built: Engine["built"]): Engine {
  const directory = join(folder, "engine");
  return {
    deno: join(folder, "deno"),
    directory,
    runner: join(directory, "host", "runner", "main.js"),
    importMap: join(directory, "host", "bun", "import_map.json"),
    tools: join(directory, "beeuni_tools"),
    built,
    version: record.version,
    commit: record.commit,
  };
}
