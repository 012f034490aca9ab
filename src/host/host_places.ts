import { dirname, isAbsolute, join } from "node:path";
import { cacheFolders } from "../engine/cache_folders.ts";
import type { Engine } from "../engine/types.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Manifest } from "../manifest/model.ts";
import { isInsideAny } from "./path_inside.ts";
import { type Places, rootNames } from "./places.ts";
import { makePrivate, makeSpillRoot } from "./spill_root.ts";
import { tempRoot } from "./temp_root.ts";

/** The folders a host uses. */
export interface HostFolders {
  places: Places;
  /** Where temporary folders go. */
  temp: string;
  denoDir: string;
}

/** What the folders of a host follow from. */
export interface HostFoldersInput {
  manifest: Pick<Manifest, "root" | "settings">;
  engine: Engine;
  stateDir: string;
  envFile: string | undefined;
  /** The system's temporary folder. */
  tempDir: string;
  containerEnv: Readonly<Record<string, string>>;
}

/**
 * Finds, and where needed makes, the folders of a host.
 *
 * @throws {BeeuniError} `unreadable` when the project is gone, `unwritable` when a folder can't be made.
 */
export function hostFolders(input: HostFoldersInput): HostFolders {
  const { manifest: { root, settings }, engine, stateDir } = input;
  const uid = Deno.uid() ?? 0;
  const realRoot = realPathOf(root);
  const roots = rootNames({ root, realRoot });
  try {
    Deno.mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new BeeuniError("unwritable", `the state directory ${stateDir} can't be made.`, {
      hint: "Set BEEUNI_STATE_DIR to a folder that can be written.",
      cause,
    });
  }
  // A tool that may read or write all of `/tmp` must not reach the sockets of the runners there.
  const granted = [...settings.values()].flatMap(({ permissions }) => [
    ...permissions?.read || [],
    ...permissions?.write || [],
  ]).filter((path) => isAbsolute(path));
  const temp = tempRoot(input.tempDir, roots, granted, isWritable);
  const caches = [...cacheFolders(input.containerEnv, uid), stateDir].filter((folder) =>
    !isInsideAny(folder, roots)
  );
  const denoDir = caches.map((folder) => join(folder, "deno")).find((folder) => makeCache(folder, uid)) ??
    join(stateDir, "deno");
  const secret = [stateDir, denoDir, ...input.envFile === undefined ? [] : [input.envFile]];
  return {
    temp,
    denoDir,
    places: {
      root,
      realRoot,
      nodeModulesAbove: [...new Set(roots.flatMap(nodeModulesAbove))],
      spillRoot: makeSpillRoot(temp),
      beeuniTools: realPathOf(engine.tools),
      engine: realPathOf(engine.directory),
      secret: [...new Set(secret.flatMap((path) => [path, realPathIfThere(path)]))],
    },
  };
}

/** `node_modules` folders beside the ancestors of a folder, as they exist now. */
function nodeModulesAbove(root: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(root), below = root; folder !== below; below = folder, folder = dirname(folder)) {
    const path = join(folder, "node_modules");
    if (isDirectory(path)) found.push(path);
  }
  return found;
}

/** A cache folder is ours alone: what is in it is executed. */
function makeCache(path: string, uid: number): boolean {
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  return makePrivate(path, uid) && isWritable(path);
}

function isWritable(folder: string): boolean {
  try {
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".beeuni-" }));
    return true;
  } catch {
    return false;
  }
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function realPathIfThere(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (cause) {
    throw new BeeuniError("unreadable", `${path} can't be read.`, { cause });
  }
}
