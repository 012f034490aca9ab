import { join } from "node:path";
import type { Engine } from "../engine/types.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Logger } from "../log/logger.ts";
import type { Manifest } from "../manifest/model.ts";
import type { EnvSet } from "./call_env.ts";
import { isInside, isInsideAny } from "./path_inside.ts";
import type { Places } from "./places.ts";
import type { ProjectLinks } from "./project_links.ts";
import { protectedFor, protectedPaths } from "./protected_paths.ts";
import { runnerDenials } from "./runner_denials.ts";
import { runnerEnv } from "./runner_env.ts";
import { type RunnerFlags, runnerFlags } from "./runner_flags.ts";
import type { RunnerPlan } from "./runner_plan.ts";
import { RunnerProcess, type RunnerProcessOptions } from "./runner_process.ts";
import { type RunnerRights, workerRights } from "./runner_rights.ts";
import type { RuntimeFolder } from "./runtime_folder.ts";
import type { ToolRights } from "./tool_rights.ts";

/** What every runner of a host has in common. */
export interface RunnerLauncherOptions {
  engine: Engine;
  places: Places;
  links: ProjectLinks;
  runtime: RuntimeFolder;
  containerEnv: EnvSet;
  denoDir: string;
  heapMb: number;
  denyNet: readonly string[];
  logger: Logger;
  /** The project as it is now: its manifest, and absolute paths of every file that a loaded tool is made of. */
  project: () => { manifest: Manifest; graph: Iterable<string> };
}

/** A runner that was started, and what its process was given. */
export interface LaunchedRunner {
  process: RunnerProcess;
  /** What a worker of one of its tools gets. */
  workerRights: (tool: ToolRights) => ReturnType<typeof workerRights>;
}

/** Starts runner processes with the flags that their plan asks for. */
export class RunnerLauncher {
  readonly #options: RunnerLauncherOptions;
  readonly #told = new Set<string>();

  constructor(options: RunnerLauncherOptions) {
    this.#options = options;
  }

  /** @throws {BeeuniError} `engine` when the process can't be started. */
  async launch(
    plan: RunnerPlan,
    events: Pick<RunnerProcessOptions, "onLine" | "onOutput" | "onEnd">,
  ): Promise<LaunchedRunner> {
    const { engine, places, runtime, denyNet } = this.#options;
    const { flags, granted, unsaid } = await this.#flags(plan);
    this.#report(unsaid);
    if (unsaid.includes(places.engine)) {
      throw new BeeuniError(
        "engine",
        `tools can't run: Beeuni's own files lie in ${places.engine}, which has a comma.`,
        {
          hint: "Move them to a folder without a comma in its path.",
        },
      );
    }
    const socketFolder = runtime.folder("s");
    const process = new RunnerProcess({
      deno: engine.deno,
      flags,
      netAll: plan.rights.net === true,
      entry: engine.runner,
      env: runnerEnv(this.#options.containerEnv, { tmp: plan.tmp, denoDir: this.#options.denoDir }),
      cwd: places.realRoot,
      socketFolder,
      ...events,
    });
    const rights = { ...plan.rights, ...granted };
    return { process, workerRights: (tool) => workerRights(tool, rights, denyNet, join(socketFolder, "s")) };
  }

  async #flags(plan: RunnerPlan): Promise<RunnerFlags> {
    const { engine, places, links, denyNet, heapMb } = this.#options;
    const scan = await links.scan();
    const { manifest, graph } = this.#options.project();
    const rights = withoutNestedSpill(plan.rights, places.spillRoot);
    // A tool that was granted the system's temporary folder must reach neither outputs nor what belongs to others.
    const foreign = [places.spillRoot, ...this.#others(plan.tmp)];
    const children = (path: string) => names(path);
    const denials = runnerDenials({
      places,
      protectedPaths: protectedFor(
        protectedPaths(manifest, below(graph, places.realRoot), scan.nested),
        plan.named.write,
        (path) => children(join(places.realRoot, path)),
      ),
      links: scan.links,
      named: plan.named,
      readable: outside(plan.rights.read, places),
      writable: outside(plan.rights.write, places),
    });
    return runnerFlags({
      rights,
      denyRead: [...denials.read, ...foreign],
      denyWrite: [...denials.write, ...foreign],
      denyNet,
      cwd: places.realRoot,
      importMap: engine.importMap,
      heapMb,
      children,
    });
  }

  /** Sockets and temporary folders of other runners. */
  #others(tmp: string): string[] {
    const { path } = this.#options.runtime;
    return names(path).map((name) => join(path, name)).filter((folder) => folder !== tmp);
  }

  /** Says once per path that a grant could not be expressed. */
  #report(unsaid: readonly string[]): void {
    for (const path of unsaid) {
      if (this.#told.has(path)) continue;
      this.#told.add(path);
      this.#options.logger.warn("tools can't use a path with a comma: rename it", { path });
    }
  }
}

/**
 * Real paths of the granted roots that lie outside the project: where a link may lead. What only the runner itself
 * or a tool of ours uses is not among them.
 */
function outside(roots: readonly string[], places: Places): string[] {
  return roots.flatMap((root) => {
    if (isInsideAny(root, [places.spillRoot, places.engine, places.beeuniTools])) return [];
    try {
      const real = Deno.realPathSync(root);
      return isInsideAny(real, [places.realRoot]) ? [] : [real];
    } catch {
      return [];
    }
  });
}

/** Those of `paths` that lie in the project, relative to its root. */
function below(paths: Iterable<string>, root: string): string[] {
  return [...paths].filter((path) => isInside(path, root)).map((path) => path.slice(root.length + 1));
}

/**
 * The rights without the spill folder when a tool was granted a folder around it. A list can't take it out of that
 * one for the tool and leave it to the runner, so such a runner keeps no whole outputs (its notes say so).
 */
function withoutNestedSpill(rights: RunnerRights, spillRoot: string): RunnerRights {
  const around = (paths: readonly string[]) =>
    paths.some((path) => path !== spillRoot && isInside(spillRoot, path));
  if (!around(rights.read) && !around(rights.write)) return rights;
  const without = (paths: readonly string[]) => paths.filter((path) => path !== spillRoot);
  return { ...rights, read: without(rights.read), write: without(rights.write) };
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name);
  } catch {
    return [];
  }
}
