import { isInside, isInsideAny, outermost } from "./path_inside.ts";
import type { RunnerRights } from "./runner_rights.ts";

/** What the flags of a runner are made of. */
export interface RunnerFlagsInput {
  rights: RunnerRights;
  /** Paths that may not be read, and not be written; only those below an allowed root become flags. */
  denyRead: readonly string[];
  denyWrite: readonly string[];
  denyNet: readonly string[];
  /** Working directory of the runner: the real path of the project root. */
  cwd: string;
  importMap: string;
  /** Heap limit of one isolate in MiB. */
  heapMb: number;
  /** Names in a folder, for a root that can only be granted piece by piece. */
  children: (folder: string) => readonly string[];
}

/**
 * Limit of each half of an isolate's young generation in MiB. V8's own, 16, lets every busy isolate keep tens of
 * megabytes of garbage: after 200,000 calls a runner had 219 MB, with this limit 115, at the same number of calls a
 * second.
 */
const SEMI_SPACE_MB = 4;

/** The flags of a runner, and the paths its rights could not say. */
export interface RunnerFlags {
  flags: string[];
  /** The path lists as they were granted: a root may have been split into its entries. */
  granted: { read: string[]; write: string[] };
  /** Paths that stay forbidden although they were granted, because a list can't spell them. */
  unsaid: string[];
}

const FIXED = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--cached-only",
  "--node-modules-dir=manual",
  "--ignore-env",
  "--unstable-worker-options",
  "--unstable-sloppy-imports",
];

/**
 * The Deno flags of a runner process (specification 2.3).
 *
 * Deno 2.9.6 splits every path list at commas and has no way to write one inside a path. Below the working directory
 * a relative path helps; what still has a comma is not granted, and where it is denied, the nearest folder around it
 * is denied instead: the error is always on the closed side, and told in `unsaid`.
 */
export function runnerFlags(input: RunnerFlagsInput): RunnerFlags {
  const { rights, cwd } = input;
  const unsaid: string[] = [];
  const granted = { read: [] as string[], write: [] as string[] };
  const paths = (name: "read" | "write", allow: readonly string[], deny: readonly string[]): string[] => {
    // A denied path that is not below a root is forbidden anyway, and one around a root would take the root away.
    const denied = outermost(
      deny.filter((path) => allow.some((root) => path !== root && isInside(path, root))),
    );
    const grants = sayAllowed(allow, denied, input, unsaid);
    granted[name] = grants;
    const denials = denied.flatMap((path) => sayDenied(path, grants, cwd));
    const said = outermost(denials).map((path) => say(path, cwd)).filter((path) => path !== undefined);
    return [
      ...list(`--allow-${name}`, grants.map((path) => say(path, cwd)).filter((path) => path !== undefined)),
      ...list(`--deny-${name}`, said),
    ];
  };
  const flags = [
    ...FIXED,
    `--import-map=${input.importMap}`,
    `--v8-flags=--max-old-space-size=${input.heapMb},--max-semi-space-size=${SEMI_SPACE_MB}`,
    ...paths("read", rights.read, input.denyRead),
    ...paths("write", rights.write, input.denyWrite),
    ...(rights.net === true ? ["--allow-net"] : list("--allow-net", rights.net)),
    ...list("--deny-net", input.denyNet),
    ...list("--allow-run", rights.run),
    ...list("--allow-sys", rights.sys),
  ];
  return { flags, granted, unsaid };
}

/** Longest single argument Linux takes is 128 KiB; a longer list is given in several flags, which add up. */
const MAX_LIST = 60_000;

function list(flag: string, values: readonly string[]): string[] {
  const flags: string[] = [];
  let text = "";
  for (const value of new Set(values)) {
    if (text !== "" && text.length + value.length > MAX_LIST) {
      flags.push(`${flag}=${text}`);
      text = "";
    }
    text += text === "" ? value : `,${value}`;
  }
  return text === "" ? flags : [...flags, `${flag}=${text}`];
}

/** How a path is written in a list: as it is, or relative to the working directory when it has a comma. */
function say(path: string, cwd: string): string | undefined {
  if (!path.includes(",")) return path;
  if (!isInside(path, cwd)) return undefined;
  const relative = "." + path.slice(cwd.length);
  return relative.includes(",") ? undefined : relative;
}

/**
 * The roots that can be written in a list. A root directly in which something unspeakable must be denied is granted
 * entry by entry without it; what cannot be said at all is reported.
 */
function sayAllowed(
  roots: readonly string[],
  denied: readonly string[],
  input: RunnerFlagsInput,
  unsaid: string[],
): string[] {
  return roots.flatMap((root) => {
    if (say(root, input.cwd) === undefined) {
      unsaid.push(root);
      return [];
    }
    const inside = denied.filter((path) => isInside(path, root));
    if (!inside.some((path) => nearestSpeakable(path, root, input.cwd) === root)) return [root];
    return input.children(root).map((name) => `${root === "/" ? "" : root}/${name}`).filter((child) => {
      if (say(child, input.cwd) !== undefined) return true;
      unsaid.push(child);
      return false;
    });
  });
}

/** A denied path as it can be written, or the nearest folder around it that can; nothing when no grant reaches it. */
function sayDenied(path: string, grants: readonly string[], cwd: string): string[] {
  if (say(path, cwd) !== undefined) return [path];
  return grants.filter((grant) => isInside(path, grant)).map((grant) => nearestSpeakable(path, grant, cwd));
}

/** `path` or the nearest folder around it, down to `root`, that a list can spell. */
function nearestSpeakable(path: string, root: string, cwd: string): string {
  let at = path;
  while (at !== root && say(at, cwd) === undefined) at = at.slice(0, Math.max(at.lastIndexOf("/"), 1));
  return isInsideAny(at, [root]) ? at : root;
}
