import { stateDirectory } from "../daemon/state_directory.ts";
import { findEngine } from "../engine/engine.ts";
import type { Engine } from "../engine/types.ts";
import { absolutePath } from "../manifest/paths.ts";
import type { Manifest } from "../manifest/model.ts";
import { readManifest } from "../manifest/read.ts";
import type { CommonOptions } from "./command.ts";

/** The project a command works on, and what running its tools takes. */
export interface OpenProject {
  manifest: Manifest;
  engine: Engine;
  /** Absolute path of the project's state directory; it need not exist. */
  stateDir: string;
}

/**
 * Reads the project's manifest and finds its state directory and the engine.
 *
 * @throws {BeeuniError} `no_manifest`, `unreadable`, `unwritable` without a place for state, `engine`.
 */
export async function openProject(options: Pick<CommonOptions, "project">): Promise<OpenProject> {
  const opened = openManifest(options);
  return { ...opened, stateDir: await projectStateDirectory(opened.manifest.root) };
}

/**
 * Reads the project's manifest and finds the engine.
 *
 * @throws {BeeuniError} `no_manifest`, `unreadable`, `engine`.
 */
export function openManifest(
  { project }: Pick<CommonOptions, "project">,
): Pick<OpenProject, "manifest" | "engine"> {
  return { manifest: readManifest(project === undefined ? {} : { project }), engine: findEngine() };
}

/**
 * The state directory of the project at `root`.
 *
 * @param root Absolute path of an existing project root.
 * @throws {BeeuniError} `unwritable` when there is no place for it.
 */
export async function projectStateDirectory(root: string): Promise<string> {
  const realRoot = await Deno.realPath(root);
  return await stateDirectory({ realRoot, env: (name) => Deno.env.get(name), cwd: Deno.cwd() });
}

/** A path given on the command line, made absolute; `undefined` stays. */
export function givenPath(path: string | undefined): string | undefined {
  return path === undefined ? undefined : absolutePath(Deno.cwd(), path);
}
