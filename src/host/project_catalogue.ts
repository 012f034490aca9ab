import { agentMayUse } from "../agents/may_use.ts";
import type { Logger } from "../log/logger.ts";
import type { Manifest, ToolEntry, ToolSettings } from "../manifest/model.ts";
import { toolNotFound } from "./call_errors.ts";
import { type Fingerprint, fingerprint, hashFiles, realFile, Surroundings } from "./fingerprint.ts";
import { type CachedLoad, type ModuleLoad, readLoadCache, writeLoadCache } from "./load_cache.ts";
import { loadBuiltin } from "./load_builtin.ts";
import { type ModulePlace, modulePlace } from "./module_path.ts";
import type { Places } from "./places.ts";
import type { LoadOutcome } from "./tool_loader.ts";
import type { Catalogue, FailedTool, HostEvent, LoadedTool } from "./types.ts";

/** One declared tool that some agent may use. */
export interface CatalogueEntry {
  entry: ToolEntry;
  settings: ToolSettings | undefined;
  place: ModulePlace;
  /** What its load depends on beside its files. */
  key: string;
  /** Counts its loads, over all reloads: another number means other code. */
  revision: number;
  /**
   * Generation in which the files that its imports mean became others, 0 at first. A process that is older may
   * remember which file was there, for Deno asks the disk once: the tool needs a younger one.
   */
  layout: number;
  /** Files of its last load that succeeded. */
  lastFiles: readonly string[] | undefined;
  state: "loading" | "loaded" | "failed";
  load: ModuleLoad | undefined;
  error: string;
  /** Settles when it is no longer `loading`. */
  settled: PromiseWithResolvers<void>;
}

/** What a catalogue needs from its host. */
export interface ProjectCatalogueOptions {
  manifest: Manifest;
  places: Places;
  stateDir: string;
  /** Part of what a cached load depends on. */
  version: string;
  onlyTools: ReadonlySet<string> | undefined;
  logger: Logger;
  emit: (event: HostEvent) => void;
  /** Imports modules in a sandbox; tells each outcome once, as soon as it is known. */
  load: (
    tools: readonly CatalogueEntry[],
    onOutcome: (tool: CatalogueEntry, outcome: LoadOutcome) => void,
  ) => Promise<void>;
  /** What is loaded changed. */
  onChange: () => void;
}

/** The line about tools that did not load (published, exact). */
const NOT_LOADED = "[tools] project tools that did not load";

/** How many tools are hashed at a time at a start: their files are in memory meanwhile. */
const HASHED_TOGETHER = 16;

let revisions = 0;

/** What is loaded of a project: the manifest, the modules' descriptions, and what they are made of. */
export class ProjectCatalogue {
  readonly #options: ProjectCatalogueOptions;
  #manifest: Manifest;
  #entries: Map<string, CatalogueEntry>;
  #generation = 0;
  #snapshot: Catalogue | undefined;
  #cache: Map<string, CachedLoad>;
  /** One change of the catalogue at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #extending: Promise<void> = Promise.resolve();

  constructor(options: ProjectCatalogueOptions) {
    this.#options = options;
    this.#manifest = options.manifest;
    this.#cache = readLoadCache(options.stateDir);
    this.#entries = this.#declared(options.manifest);
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** A declared tool that some agent may use; also one that is loading or failed. */
  get(tool: string): CatalogueEntry | undefined {
    return this.#entries.get(tool);
  }

  /** Absolute paths of every file that a loaded tool is made of. */
  *files(): Generator<string> {
    for (const { load } of this.#entries.values()) yield* load?.fingerprint.files ?? [];
  }

  catalogue(): Catalogue {
    return this.#snapshot ??= this.#makeSnapshot();
  }

  /** The first load. Never rejects. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const started = performance.now();
      await this.#loadAll([...this.#entries.values()]);
      this.#changed([...this.#entries.keys()], started);
    });
  }

  /**
   * Takes another manifest and looks at every module again: what changed and what failed before is loaded anew.
   * Calls go on with what is there until everything is known.
   *
   * @returns Names of the tools that are not what they were.
   */
  reload(manifest: Manifest): Promise<{ changed: string[]; failed: FailedTool[] }> {
    return this.#inTurn(async () => {
      const started = performance.now();
      const before = this.#entries;
      const after = this.#declared(manifest);
      for (const [name, entry] of after) {
        const known = before.get(name);
        entry.layout = known?.layout ?? 0;
        entry.lastFiles = known?.lastFiles;
        if (known?.load === undefined || known.key !== entry.key) continue;
        if (!await isUnchanged(known)) continue;
        entry.revision = known.revision;
        settle(entry, { load: known.load });
      }
      await this.#loadAll([...after.values()].filter((entry) => entry.state === "loading"));
      this.#manifest = manifest;
      this.#entries = after;
      const names = new Set([...before.keys(), ...after.keys()]);
      const changed = [...names].filter((name) => differs(before.get(name), after.get(name)));
      this.#changed(changed, started);
      return { changed, failed: this.catalogue().failed };
    });
  }

  /**
   * To be called before a worker is made: never new code under an old description (specification 2.2). When the
   * tool's files are not those that were loaded, it is loaded anew.
   *
   * @throws {BeeuniError} `tool_not_found` when it does not load any more.
   */
  async verify(tool: string): Promise<void> {
    const entry = this.#entries.get(tool);
    if (entry !== undefined && await isUnchanged(entry)) return;
    await this.#inTurn(async () => {
      const entry = this.#entries.get(tool);
      if (entry?.load === undefined || await isUnchanged(entry)) return;
      const started = performance.now();
      const anew: CatalogueEntry = {
        ...entry,
        revision: ++revisions,
        state: "loading",
        load: undefined,
        settled: Promise.withResolvers(),
      };
      await this.#loadAll([anew]);
      this.#options.logger.info("a tool's files changed: it was loaded anew", { tool, state: anew.state });
      this.#entries.set(tool, anew);
      this.#changed([tool], started);
    });
    if (this.#entries.get(tool)?.load === undefined) throw toolNotFound(tool);
  }

  /**
   * To be called after a worker loaded.
   *
   * @param graph What the runner says it read: files that were not known are watched from now on.
   * @returns Whether the tool's files are still those of the catalogue.
   */
  async confirm(tool: string, graph: readonly string[]): Promise<boolean> {
    const entry = this.#entries.get(tool);
    if (entry?.load === undefined || !await isUnchanged(entry)) return false;
    await this.extend(tool, graph);
    // The catalogue may have another one by now.
    return this.#entries.get(tool) === entry;
  }

  /** Further files that a tool turned out to be made of; one set after the other, so that none is lost. */
  extend(tool: string, graph: readonly string[]): Promise<void> {
    const extend = async () => {
      const entry = this.#entries.get(tool);
      if (entry?.load === undefined) return;
      const known = entry.load.fingerprint;
      const found = await fingerprint([entry.place.path, ...graph], entry.place.roots);
      if (found.files.every((file) => known.files.includes(file))) return;
      const files = [...new Set([...known.files, ...found.files])].sort();
      const hash = await hashFiles(files);
      // Else a change since the load would be taken for what was loaded.
      if (await hashFiles(known.files) !== known.hash) return;
      entry.load = { ...entry.load, fingerprint: { files, hash } };
      this.#writeCache();
    };
    return this.#extending = this.#extending.then(extend).catch((error) => {
      this.#options.logger.error("what a tool is made of could not be noted", {
        tool,
        reason: String(error),
      });
    });
  }

  /** Which declared tools have to be loaded. */
  #declared(manifest: Manifest): Map<string, CatalogueEntry> {
    const { places, onlyTools, version } = this.#options;
    const agents = [...manifest.agents.keys()];
    const used = manifest.tools.filter(({ name }) => {
      if (onlyTools !== undefined && !onlyTools.has(name)) return false;
      return agents.some((agent) => agentMayUse(manifest, agent, name, "experimental"));
    });
    return new Map(used.map((entry): [string, CatalogueEntry] => {
      const settings = manifest.settings.get(entry.name);
      return [entry.name, {
        entry,
        settings,
        place: modulePlace(entry, places),
        key: JSON.stringify([version, entry.kind, entry.source, places.realRoot, settings?.permissions]),
        revision: ++revisions,
        layout: 0,
        lastFiles: undefined,
        state: "loading",
        load: undefined,
        error: "",
        settled: Promise.withResolvers(),
      }];
    }));
  }

  /** Settles every entry: from the cache, from our own modules, or from a sandbox. */
  async #loadAll(entries: readonly CatalogueEntry[]): Promise<void> {
    const open = await this.#settleCached(entries);
    const own = open.filter(({ entry }) => entry.kind === "beeuni");
    try {
      await Promise.all([
        ...own.map(async (entry) => settle(entry, await loadBuiltin(entry.place))),
        this.#options.load(open.filter((entry) => !own.includes(entry)), settle),
      ]);
    } catch (error) {
      const reason = error instanceof Error ? error.stack : String(error);
      this.#options.logger.error("loading the tools failed inside the host", { reason });
    }
    // Whatever happened: nobody waits for a tool for ever.
    for (const entry of open.filter(({ state }) => state === "loading")) {
      settle(entry, { reason: "it could not be loaded: the log of the daemon has the reason" });
    }
    for (const entry of entries) this.#noteLayout(entry);
  }

  /** Settles what the cache has as its files are now. @returns the others. */
  async #settleCached(entries: readonly CatalogueEntry[]): Promise<CatalogueEntry[]> {
    const around = new Surroundings();
    const open: CatalogueEntry[] = [];
    for (let start = 0; start < entries.length; start += HASHED_TOGETHER) {
      const some = entries.slice(start, start + HASHED_TOGETHER);
      await Promise.all(some.map(async (entry) => {
        const cached = this.#cache.get(entry.entry.name);
        const isCached = cached?.key === entry.key && await isFresh(cached.fingerprint, entry.place, around);
        if (isCached) settle(entry, { load: cached });
      }));
      open.push(...some.filter(({ state }) => state === "loading"));
    }
    return open;
  }

  #noteLayout(entry: CatalogueEntry): void {
    const { load, lastFiles } = entry;
    if (load === undefined) return;
    const { files } = load.fingerprint;
    // What was found only while a call ran is missing after a new load: that means nothing else.
    const isSame = lastFiles === undefined ||
      files.every((file) => lastFiles.includes(file)) && lastFiles.every((file) => realFile(file) === file);
    if (!isSame) entry.layout = this.#generation + 1;
    entry.lastFiles = files;
  }

  #changed(changed: string[], started: number): void {
    if (changed.length > 0 || this.#generation === 0) this.#generation++;
    this.#snapshot = undefined;
    this.#options.onChange();
    this.#writeCache();
    const { failed } = this.catalogue();
    const ms = performance.now() - started;
    // Who asks for some tools alone tells by itself why one of them is not there.
    if (failed.length > 0 && this.#options.onlyTools === undefined) {
      const tools = failed.map(({ name, source, error }) => ({ name, path: source, reason: error }));
      this.#options.logger.warn(NOT_LOADED, { tools });
    }
    this.#options.emit({ type: "load", generation: this.#generation, changed, failed, ms });
  }

  #makeSnapshot(): Catalogue {
    const { onlyTools } = this.#options;
    const tools: LoadedTool[] = [];
    const failed: FailedTool[] = [];
    for (const { entry, state, load, error } of this.#entries.values()) {
      const { name, kind, source } = entry;
      if (load !== undefined) {
        tools.push({ name, kind, source, description: load.description, parameters: load.parameters });
      } else if (state === "failed") failed.push({ name, source, error });
    }
    const wanted = ({ name }: { name: string }) => onlyTools?.has(name) ?? true;
    return {
      generation: this.#generation,
      tools,
      failed: [...failed, ...this.#manifest.broken.filter(wanted)],
      removed: this.#manifest.removed,
      unused: this.#manifest.tools.filter((tool) => wanted(tool) && !this.#entries.has(tool.name)).map((
        { name },
      ) => name),
    };
  }

  /** A cache that can't be written costs the next start some time, nothing else. */
  #writeCache(): void {
    const cache = new Map(this.#options.onlyTools === undefined ? [] : this.#cache);
    for (const [name, { key, load }] of this.#entries) {
      if (load !== undefined) cache.set(name, { ...load, key });
    }
    const same = cache.size === this.#cache.size && [...cache].every(([name, { key, fingerprint }]) => {
      const known = this.#cache.get(name);
      return known?.key === key && known.fingerprint.hash === fingerprint.hash;
    });
    if (same) return;
    this.#cache = cache;
    try {
      writeLoadCache(this.#options.stateDir, cache);
    } catch (error) {
      this.#options.logger.warn("the catalogue cache could not be written", { reason: String(error) });
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

function settle(entry: CatalogueEntry, outcome: LoadOutcome): void {
  if ("load" in outcome) {
    entry.state = "loaded";
    entry.load = outcome.load;
  } else {
    entry.state = "failed";
    entry.error = outcome.reason;
  }
  entry.settled.resolve();
}

async function isUnchanged({ load, place }: CatalogueEntry): Promise<boolean> {
  return load !== undefined && await isFresh(load.fingerprint, place);
}

/** Whether a load is of the files as they are; the module may be a link that leads to another one by now. */
async function isFresh(
  { files, hash }: Fingerprint,
  place: ModulePlace,
  around?: Surroundings,
): Promise<boolean> {
  const module = realFile(place.path);
  return module !== undefined && files.includes(module) && await hashFiles(files, around) === hash;
}

function differs(before: CatalogueEntry | undefined, after: CatalogueEntry | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  if (before.state !== after.state || before.key !== after.key) return true;
  return before.state === "loaded" ? before.revision !== after.revision : before.error !== after.error;
}
