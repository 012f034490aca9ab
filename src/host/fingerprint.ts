import { basename, dirname } from "node:path";
import { importCandidates, relativeImports } from "./import_scan.ts";
import { isInside } from "./path_inside.ts";

/** What a tool is made of, and the hash of it all. */
export interface Fingerprint {
  /** Absolute real paths, sorted: every project file of the graph, and the `package.json` of every package. */
  files: string[];
  /** SHA-256 over the contents of `files`, hex. */
  hash: string;
}

/** A graph longer than this is not a tool's; what a runner says is not believed beyond it. */
const MAX_FILES = 20_000;

/**
 * The fingerprint of a tool (specification 2.2).
 *
 * @param graph Paths of the modules that its load read, the entry first. Paths outside `roots` are left out:
 *   they come from the runner, and the daemon must not read just anything it names.
 * @param roots Real paths of the folders a module may come from.
 */
export async function fingerprint(graph: readonly string[], roots: readonly string[]): Promise<Fingerprint> {
  const files = new Set<string>();
  const open = graph.slice(0, MAX_FILES);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = realFile(next) ?? next;
    if (!roots.some((root) => isInside(path, root))) continue;
    const manifest = packageManifest(path);
    if (files.has(manifest ?? path) || files.size >= MAX_FILES) continue;
    files.add(manifest ?? path);
    if (manifest === undefined) open.push(...literalImports(path));
  }
  const sorted = [...files].sort();
  return { files: sorted, hash: await hashFiles(sorted) };
}

/**
 * SHA-256 over names and contents; a file that is missing or no file counts as such.
 *
 * What an import *means* counts as well, for it changes without a change of any of these files: a package that was
 * installed nearer to a module, an `x.ts` put beside the `x.js` that `./x` meant, a link that leads elsewhere by now,
 * another `imports` or `type` in the nearest `package.json`.
 *
 * Everything is read before the first wait, but for what is beyond 8 MB.
 *
 * @param around What stands around the files, for several tools that are looked at together.
 */
export async function hashFiles(files: readonly string[], around = new Surroundings()): Promise<string> {
  const hash = new Sha256();
  for (const path of nearerPackages(files)) hash.add(`nearer ${path}\0`);
  const manifests = new Set<string>();
  for (const path of files) {
    const bytes = readRegularFile(path);
    hash.add(`${path}\0${bytes?.length ?? "missing"}\0`);
    if (bytes === undefined) continue;
    hash.add(bytes);
    if (isModule(path)) {
      for (const target of importTargets(path, bytes, around.folders)) hash.add(`means ${target}\0`);
      const manifest = nearestManifest(dirname(path), around.manifests);
      if (manifest !== undefined) manifests.add(manifest);
    }
    if (hash.isLong) await hash.fold();
  }
  for (const path of manifests) {
    const bytes = files.includes(path) ? undefined : readRegularFile(path);
    if (bytes !== undefined) hash.add(`${path}\0${bytes.length}\0`), hash.add(bytes);
  }
  return (await hash.fold()).toHex();
}

/** What stands around files, looked at once: a start asks it for every tool, and most have it in common. */
export class Surroundings {
  readonly folders = new Folders();
  /** The nearest `package.json`, by folder. */
  readonly manifests = new Map<string, string | undefined>();
}

/**
 * SHA-256 of what is added. By Web Crypto: to load `node:crypto` and what that needs takes a daemon 15 ms, as long as a
 * hello world. What is long is hashed in between and goes on with its hash, so that it need not be kept.
 */
class Sha256 {
  static readonly #LONG = 8 * 1024 * 1024;
  static readonly #ENCODER = new TextEncoder();
  #parts: Uint8Array[] = [];
  #length = 0;

  add(part: string | Uint8Array): void {
    const bytes = typeof part === "string" ? Sha256.#ENCODER.encode(part) : part;
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  get isLong(): boolean {
    return this.#length > Sha256.#LONG;
  }

  /** The hash of all that was added; it stands for it from now on. */
  async fold(): Promise<Uint8Array> {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
    this.#parts = [hash];
    this.#length = hash.length;
    return hash;
  }
}

/** The `package.json` that says how the modules in a folder are imported; `known` remembers it by folder. */
function nearestManifest(folder: string, known: Map<string, string | undefined>): string | undefined {
  if (known.has(folder)) return known.get(folder);
  const path = `${folder === "/" ? "" : folder}/package.json`;
  const up = dirname(folder);
  const found = isThere(path) ? path : up === folder ? undefined : nearestManifest(up, known);
  known.set(folder, found);
  return found;
}

/**
 * What stands in folders, each read once: most of what an import may mean is not there, and a failing `stat` costs
 * 20 µs each (Deno 2.9.6), a whole folder hardly more.
 */
class Folders {
  readonly #names = new Map<string, ReadonlySet<string>>();

  has(path: string): boolean {
    const folder = dirname(path);
    let names = this.#names.get(folder);
    if (names === undefined) {
      // A folder that is not in the one around it need not be asked.
      const around = this.#names.get(dirname(folder));
      names = around === undefined || around.has(basename(folder)) ? namesIn(folder) : new Set();
      this.#names.set(folder, names);
    }
    return names.has(basename(path));
  }
}

function namesIn(folder: string): Set<string> {
  try {
    return new Set(Array.from(Deno.readDirSync(folder), ({ name }) => name));
  } catch {
    return new Set();
  }
}

/** `…/node_modules/<package>/package.json` of a file in a package; undefined for a file of the project. */
function packageManifest(path: string): string | undefined {
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
  return match === null ? undefined : `${match[1]}/package.json`;
}

/** Package folders that would be found before the ones in `files`, from the folders of the project's modules. */
function nearerPackages(files: readonly string[]): string[] {
  const packages: [base: string, name: string][] = [];
  const folders = new Set<string>();
  for (const file of files) {
    const match = /^(.*)\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file);
    if (match !== null) packages.push([match[1] ?? "", match[2] ?? ""]);
    else for (let at = dirname(file); !folders.has(at) && at !== "/"; at = dirname(at)) folders.add(at);
  }
  if (packages.length === 0) return [];
  const holders = [...folders].filter((folder) => isThere(`${folder}/node_modules`));
  return packages.flatMap(([base, name]) => {
    return holders.filter((folder) => folder.startsWith(`${base}/`)).map((folder) =>
      `${folder}/node_modules/${name}`
    )
      .filter(isThere);
  }).sort();
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function isModule(path: string): boolean {
  return /\.[mc]?[jt]sx?$/.test(path);
}

/** Real paths of the files that a module's text imports by a relative literal. */
function literalImports(path: string): string[] {
  const bytes = isModule(path) ? readRegularFile(path) : undefined;
  return bytes === undefined ? [] : importTargets(path, bytes, new Folders());
}

/** The same for a module whose bytes are known, in the order of its text. */
function importTargets(path: string, bytes: Uint8Array, folders: Folders): string[] {
  const there = (file: string) => folders.has(file) ? realFile(file) : undefined;
  return relativeImports(new TextDecoder().decode(bytes)).flatMap((specifier) => {
    const [exact, ...others] = importCandidates(specifier, path);
    const file = exact === undefined ? undefined : realFile(exact);
    // A file of just that name is meant whatever stands beside it. Else all that may be meant: which one is for Deno.
    return file === undefined ? others.flatMap((other) => there(other) ?? []) : [file];
  });
}

/** The real path of a regular file; undefined when there is none. */
export function realFile(path: string): string | undefined {
  try {
    const real = Deno.realPathSync(path);
    return Deno.statSync(real).isFile ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Only a regular file: opening a FIFO would wait for a writer for ever. */
function readRegularFile(path: string): Uint8Array | undefined {
  try {
    return Deno.statSync(path).isFile ? Deno.readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
