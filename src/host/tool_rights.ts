import { isAbsolute, join, normalize } from "node:path";
import { isBeeuniTool } from "../beeuni_tools/registry.ts";
import type { ToolEntry, ToolPermissions } from "../manifest/model.ts";
import { isInside } from "./path_inside.ts";
import { type Places, rootNames } from "./places.ts";

/** What one tool may do, complete: the default of 2.4 with its `tool_settings` applied. Paths are absolute. */
export interface ToolRights {
  /** Roots it may read; the files it is made of when the default was taken away. */
  read: string[];
  write: string[];
  /** `true` = every address but the denied ones. */
  net: true | string[];
  run: string[];
  sys: string[];
  /** Names of container variables visible as `process.env.NAME`. */
  env: string[];
  /** What `permissions.read` and `permissions.write` name below the root, relative to it. */
  named: { read: string[]; write: string[] };
  /**
   * Which tools of an agent may share a process: those with the same text here. Empty = the agent's common one.
   * Rights that go beyond the default are process flags, so they are never lent to a neighbour.
   */
  share: string;
}

/** What decides a tool's rights beside its settings. */
export interface ToolRightsInput {
  entry: Pick<ToolEntry, "name" | "kind" | "source">;
  permissions: ToolPermissions | undefined;
  places: Places;
  /** The temporary folder of the agent. */
  tmp: string;
  /** Where a web tool's provider is (see `web_tool_hosts.ts`); ignored for other tools. */
  providerHosts: readonly string[];
  /** Absolute paths of the files and package folders a tool is made of: what stays readable with `read: false`. */
  modules: readonly string[];
}

/** The rights of one tool (specification 1.4, 2.4). */
export function toolRights(input: ToolRightsInput): ToolRights {
  const permissions = input.permissions ?? {};
  const base = defaultRights(input);
  const read = grant(permissions.read, input.places);
  const write = grant(permissions.write, input.places);
  const rights = {
    read: [...(permissions.read === false ? input.modules : base.read), ...read],
    write: [...(permissions.write === false ? [] : base.write), ...write],
    net: netRights(permissions.net, base.net),
    run: permissions.run ?? [],
    sys: permissions.sys ?? [],
    env: permissions.env ?? [],
    named: { read: belowRoot(read, input.places), write: belowRoot(write, input.places) },
  };
  const own = {
    read,
    write,
    run: rights.run,
    sys: rights.sys,
    modules: permissions.read === false ? rights.read : [],
  };
  const widened = Object.values(own).some((list) => list.length > 0);
  return { ...rights, share: widened ? JSON.stringify(own) : "" };
}

/** The default of a project tool, and the narrower ones of the tools that are ours. */
function defaultRights(input: ToolRightsInput): Pick<ToolRights, "read" | "write" | "net"> {
  const { entry, places, tmp } = input;
  const roots = rootNames(places);
  const read = [...roots, ...places.nodeModulesAbove, tmp];
  // `show` presents what an earlier call left in the spill folder, also when a project replaced it.
  if (entry.name === "show") read.push(places.spillRoot);
  if (entry.kind !== "beeuni") return { read, write: [...roots, tmp], net: true };
  const module = join(places.beeuniTools, `${entry.name}.ts`);
  switch (isBeeuniTool(entry.name) ? entry.name : undefined) {
    case "memory": {
      const folders = roots.map((root) => join(root, "memory"));
      return { read: [...folders, module], write: folders, net: [] };
    }
    case "show":
      return { read: [...read, module], write: [], net: [] };
    default:
      return { read: [module], write: [], net: [...input.providerHosts] };
  }
}

/** Absolute paths of a `read` or `write` list; a relative one under each name of the root. */
function grant(list: readonly string[] | false | undefined, places: Places): string[] {
  if (list === undefined || list === false) return [];
  const paths = list.flatMap((path) => {
    return isAbsolute(path) ? [path] : rootNames(places).map((root) => join(root, path));
  });
  return paths.map((path) => withoutFinalSlash(normalize(path)));
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Those of `paths` that lie below the root, relative to it. */
function belowRoot(paths: readonly string[], places: Places): string[] {
  const below = paths.flatMap((path) => {
    return rootNames(places).filter((root) => path !== root && isInside(path, root))
      .map((root) => path.slice(root.length + 1));
  });
  return [...new Set(below)];
}

function netRights(setting: string[] | boolean | undefined, byDefault: true | string[]): true | string[] {
  if (setting === undefined || setting === true) return byDefault;
  return setting === false ? [] : setting;
}
