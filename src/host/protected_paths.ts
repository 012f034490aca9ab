import type { Manifest } from "../manifest/model.ts";

/** What no tool may write below the project root: our processes, git and the harness run or obey it (2.4). */
export const ALWAYS_PROTECTED: readonly string[] = [
  ".git",
  "harnesses",
  ".opencode",
  "opencode.json",
  "opencode.jsonc",
  "node_modules",
  "package.json",
];

/** Write-protected paths of a project, relative to its root. */
export interface ProtectedPaths {
  /** Nothing opens these. */
  always: string[];
  /** First path parts of manifest files and modules: `permissions.write` opens them by name. */
  declared: string[];
  /**
   * Helper modules outside the folders above, and what would be found in their place: a tool must neither rewrite
   * nor hide what another one imports.
   */
  modules: string[];
}

/**
 * The write-protected paths of a project (specification 2.4).
 *
 * @param graph Paths of every file that a loaded tool is made of, relative to the root.
 * @param nested Folders deeper down that are protected by their kind (`.git`, `node_modules`), relative to the root.
 */
export function protectedPaths(
  manifest: Pick<Manifest, "files" | "tools" | "broken">,
  graph: Iterable<string> = [],
  nested: Iterable<string> = [],
): ProtectedPaths {
  const sources = [...manifest.tools, ...manifest.broken].map((entry) => entry.source)
    .filter((source) => !source.startsWith("beeuni:"));
  const declared = new Set(
    [...manifest.files, ...sources].map(firstPart).filter((part) => part !== undefined),
  );
  for (const path of ALWAYS_PROTECTED) declared.delete(path);
  const covered = (path: string) => {
    const part = firstPart(path);
    return part === undefined || declared.has(part) || ALWAYS_PROTECTED.includes(part);
  };
  return {
    always: [...ALWAYS_PROTECTED, ...[...nested].filter((path) => !covered(path))],
    declared: [...declared],
    modules: [...new Set([...graph].filter((path) => !covered(path)).flatMap(withRivals))]
      .filter((path) => !covered(path)),
  };
}

/** Extensions of what an import without one may mean; see `import_scan.ts`. */
const EXTENSIONS = [".ts", ".js", ".mts", ".mjs", ".tsx", ".jsx", ".cts", ".cjs", ".json"];

/**
 * A helper and every path at which a new file would change what its importers or itself import: `x.ts` beside `x.js`,
 * `lib.ts` for `lib/index.ts`, a nearer `node_modules` or `package.json`. Relative to the root, as `path` is.
 */
function withRivals(path: string): string[] {
  const rivals = new Set([path]);
  const stem = path.replace(/\.[^./]+$/, "");
  const stems = stem.endsWith("/index") ? [stem, stem.slice(0, -"/index".length)] : [stem];
  for (const one of stems) for (const extension of EXTENSIONS) rivals.add(one + extension);
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    const folder = path.slice(0, slash);
    rivals.add(`${folder}/node_modules`).add(`${folder}/package.json`);
  }
  return [...rivals];
}

/** `tools` of `tools/x.ts`; undefined for what is not a path below the root. */
function firstPart(path: string): string | undefined {
  const part = path.replace(/^(\.?\/)+/, "").split("/")[0];
  return part === undefined || part === "" || part === "." || part === ".." ? undefined : part;
}

/**
 * The protected paths that hold for a runner whose tools may write `opened`.
 *
 * A declared first part that is opened whole is left out. When only something below it is opened (`tools/out`), what
 * stands beside that at this moment stays protected, because a list can't take a folder out of a denied one.
 *
 * @param opened Paths relative to the root, from `named.write` of its tools' rights.
 * @param children Names in a folder given relative to the root; empty when it is not there.
 * @returns Paths relative to the root.
 */
export function protectedFor(
  paths: ProtectedPaths,
  opened: readonly string[],
  children: (folder: string) => readonly string[],
): string[] {
  const result = [...paths.always];
  for (const part of paths.declared) result.push(...around(part, opened, children));
  const open = (path: string) => opened.some((other) => path === other || path.startsWith(other + "/"));
  result.push(...paths.modules.filter((path) => !open(path)));
  return result;
}

/** `path` itself, nothing, or what stands beside the opened paths in it. */
function around(
  path: string,
  opened: readonly string[],
  children: (folder: string) => readonly string[],
): string[] {
  if (opened.includes(path)) return [];
  if (!opened.some((other) => other.startsWith(path + "/"))) return [path];
  return children(path).flatMap((name) => around(`${path}/${name}`, opened, children));
}
