import { BeeuniError } from "../errors/error.ts";
import { absolutePath, below, parentFolder } from "./paths.ts";

/** Name of the root manifest file. */
export const MANIFEST_NAME = "beeuni.yaml";

/** Where to look for a manifest. */
export interface FindOptions {
  /** Absolute path of the folder to start in; default the process's working directory. */
  cwd?: string;
  /** `--project DIR`: look in this folder only. Relative to `cwd`. */
  project?: string;
}

/**
 * The project root, an absolute path (specification 1.1): `project`, or the nearest folder from `cwd` upwards that
 * holds a `beeuni.yaml`.
 *
 * @throws {BeeuniError} `no_manifest`
 */
export function findManifest(options: FindOptions = {}): string {
  const cwd = options.cwd ?? Deno.cwd();
  const start = absolutePath(cwd, options.project ?? ".");
  for (let folder = start;; folder = parentFolder(folder)) {
    if (isFile(below(folder, MANIFEST_NAME))) return folder;
    if (options.project !== undefined || folder === "/") break;
  }
  throw new BeeuniError("no_manifest", `${MANIFEST_NAME} not found in ${start} or any parent directory.`, {
    hint: "Create one with `beeuni init`.",
  });
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
