import config from "../../deno.json" with { type: "json" };
import { commitOf } from "./commit.ts";
import { exists } from "./exists.ts";
import { ENGINE_RECORD, type EngineRecord, readEngineRecord } from "./record.ts";
import type { Engine } from "./types.ts";

// Paths are joined by hand and files read through Deno: `node:path` and `node:fs` would cost every command, also
// `tools ls`, 4 and 16 ms of start-up, where a whole hello world takes 14 ms.

let found: Engine | undefined;

/**
 * Where the Deno CLI, the runner's files and the Beeuni tools are (specification 5.2); found once per process.
 *
 * From a clone: the Deno CLI that runs us and the files of `src/`. In the executable: the unpacked files. The
 * self-extracting form was unpacked by its shell header before Deno started; the compiled form carries the same
 * files inside, and {@link prepareEngine} unpacks them, because a compiled program can't be the tool runner (it
 * checks no imports and takes no narrower flags).
 *
 * @throws {BeeuniError} `engine` when the executable's record can't be read.
 */
export function findEngine(): Engine {
  return found ??= locateEngine(import.meta.dirname ?? "", unpacked);
}

let unpacked: string | undefined;

/**
 * Unpacks what the compiled executable carries, unless it is there already; otherwise does nothing. The
 * executable's entry waits for it before anything asks for the engine.
 *
 * @throws {BeeuniError} `engine` when no folder is both safe and writable.
 */
export async function prepareEngine(): Promise<void> {
  if (!Deno.build.standalone) return;
  const { unpackEngine } = await import("./unpack.ts");
  unpacked = unpackEngine(import.meta.dirname ?? "");
}

/**
 * {@link findEngine} for a program whose module lies in `here`.
 *
 * @param here Folder of this module (source), or of the bundle that holds it (executable).
 * @param unpacked Folder that the compiled executable was unpacked to; absent in the other forms.
 */
export function locateEngine(here: string, unpacked?: string): Engine {
  if (unpacked !== undefined) return engineOfFolder(unpacked, readEngineRecord(unpacked), "compiled");
  if (exists(`${here}/${ENGINE_RECORD}`)) {
    return engineOfFolder(here, readEngineRecord(here), "self-extracting");
  }
  return engineOfSource(here.replace(/\/src\/engine\/?$/, ""));
}

/** The engine of a clone: `root` is the folder of `deno.json`. */
function engineOfSource(root: string): Engine {
  let commit: string | undefined;
  return {
    ...filesOf(`${root}/src`, "ts"),
    deno: Deno.execPath(),
    built: "source",
    version: config.version,
    get commit() {
      return commit ??= commitOf(root) ?? "unknown";
    },
  };
}

/** The engine of unpacked files (the layout is made by scripts/build/payload.ts). */
function engineOfFolder(folder: string, record: EngineRecord, built: Engine["built"]): Engine {
  const { version, commit } = record;
  return { ...filesOf(`${folder}/engine`, "js"), deno: `${folder}/deno`, built, version, commit };
}

/** The same tree in both forms, but for the language of the runner. */
function filesOf(directory: string, extension: "ts" | "js") {
  return {
    directory,
    runner: `${directory}/host/runner/main.${extension}`,
    importMap: `${directory}/host/bun/import_map.json`,
    tools: `${directory}/beeuni_tools`,
  };
}
