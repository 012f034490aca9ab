import { dirname, join } from "node:path";
import type { ToolEntry } from "../manifest/model.ts";
import { isInside, isInsideAny } from "./path_inside.ts";
import type { Places } from "./places.ts";

/** Where a tool's module is and where its imports may lead. Absolute real paths, but for the module's own name. */
export interface ModulePlace {
  /** The module, below the real root. */
  path: string;
  /** Roots its modules may come from. */
  roots: string[];
  /** `node_modules` folders that are searched for it, nearest first. */
  nodeModules: string[];
}

/** Where the module of a declared tool is. */
export function modulePlace(entry: Pick<ToolEntry, "name" | "kind" | "source">, places: Places): ModulePlace {
  if (entry.kind === "beeuni") {
    return {
      path: join(places.beeuniTools, `${entry.name}.ts`),
      roots: [places.beeuniTools],
      nodeModules: [],
    };
  }
  const path = join(places.realRoot, entry.source);
  const nodeModules: string[] = [];
  for (let folder = dirname(path); isInside(folder, places.realRoot); folder = dirname(folder)) {
    nodeModules.push(join(folder, "node_modules"));
    if (folder === "/") break;
  }
  const above = realFolders(places.nodeModulesAbove);
  return { path, roots: [places.realRoot, ...above], nodeModules: [...new Set([...nodeModules, ...above])] };
}

/** Why a module can't be loaded before anything is run (specification 2.2); undefined when it can be. */
export function modulePathProblem(entry: Pick<ToolEntry, "source">, place: ModulePlace): string | undefined {
  try {
    const real = Deno.realPathSync(place.path);
    if (!isInsideAny(real, place.roots)) return `${entry.source} leaves the project`;
    return Deno.statSync(real).isFile ? undefined : `${entry.source} is not a file`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${entry.source} does not exist`;
    return `${entry.source} could not be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The folders that exist, with every link resolved. */
export function realFolders(folders: readonly string[]): string[] {
  const real = folders.flatMap((folder) => {
    try {
      return Deno.realPathSync(folder);
    } catch {
      return [];
    }
  });
  return [...new Set(real)];
}
