import { agentMayUse } from "../agents/may_use.ts";
import { Masker } from "../log/masker.ts";
import { requireComplete } from "../manifest/require_complete.ts";
import type { Manifest } from "../manifest/model.ts";
import { hostStopping } from "./call_errors.ts";
import { CallEnv } from "./call_env.ts";
import { credentialValues } from "./container_env.ts";
import { deniedAddresses } from "./denied_addresses.ts";
import { EnvFile } from "./env_file.ts";
import { hostFolders } from "./host_places.ts";
import { loadEntries, plannedTool } from "./load_entries.ts";
import type { HostOptions } from "./options.ts";
import { PlanBook } from "./plan_book.ts";
import { ProjectCatalogue } from "./project_catalogue.ts";
import { ProjectLinks } from "./project_links.ts";
import { refuseErrors } from "./refuse_errors.ts";
import { RunnerLauncher } from "./runner_launcher.ts";
import { planLoadRunner } from "./runner_plan.ts";
import { removeStaleRuntimeFolders, RuntimeFolder } from "./runtime_folder.ts";
import { spillFolder, sweepSpillRoot } from "./spill_root.ts";
import { ToolCalls } from "./tool_calls.ts";
import { ToolLoader, workerSpec } from "./tool_loader.ts";
import { ToolPool } from "./tool_pool.ts";
import { withinMs } from "./within_ms.ts";
import type {
  CallRequest,
  CallResult,
  Catalogue,
  FailedTool,
  HostEvent,
  HostStats,
  LoadedTool,
  ToolHost,
} from "./types.ts";

/** Limits that the environment may change (specification 2.3), in MiB. */
const DEFAULT_HEAP_MB = 512;
const DEFAULT_RUNNER_RSS_MB = 1536;

/** How long calls that were told to stop may take to do so when the host ends, in milliseconds: the ladder's grace. */
const LAST_GRACE_MS = 2_000;

/**
 * Starts the tool host of a project; it loads the tools behind that.
 *
 * @throws {BeeuniError} `manifest_invalid` when part of the manifest is unknown, `env_file` when that can't be read,
 *   `unwritable` when no temporary folder or state directory can be used.
 */
export function startHost(options: HostOptions): ToolHost {
  requireComplete(options.manifest);
  return new Host(options);
}

class Host implements ToolHost {
  readonly #options: HostOptions;
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #masker: Masker;
  readonly #spillRoot: string;
  readonly #runtime: RuntimeFolder;
  readonly #env: CallEnv;
  readonly #catalogue: ProjectCatalogue;
  readonly #plans: PlanBook;
  readonly #pool: ToolPool;
  readonly #loader: ToolLoader;
  readonly #calls: ToolCalls;
  readonly ready: Promise<void>;
  #loaded = false;
  #stopping: { now: PromiseWithResolvers<void>; done: Promise<void> } | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#masker = options.masker ?? new Masker();
    const { manifest, engine, logger, stateDir, envFile } = options;
    const containerEnv = options.containerEnv ?? Deno.env.toObject();
    const tempDir = options.tempDir ?? (containerEnv.TMPDIR || "/tmp");
    const file = envFile === undefined ? undefined : new EnvFile(envFile);
    this.#masker.add(credentialValues(containerEnv));
    // At once: a wrong path should be told at the start and not at the first call.
    if (file !== undefined) this.#masker.add(Object.values(file.read()));

    const { places, temp, denoDir } = hostFolders({
      manifest,
      engine,
      stateDir,
      envFile,
      tempDir,
      containerEnv,
    });
    removeStaleRuntimeFolders(temp);
    this.#spillRoot = places.spillRoot;
    void sweepSpillRoot(places.spillRoot);
    this.#runtime = new RuntimeFolder(temp);
    const links = new ProjectLinks(places.realRoot);
    const emit = (event: HostEvent) => this.#emit(event);

    this.#env = new CallEnv({
      containerEnv,
      envFile: file,
      secrets: options.secrets,
      onSecrets: (values) => this.#masker.add(values),
    });
    this.#env.setAgents(manifest.agents);
    const launcher = new RunnerLauncher({
      engine,
      places,
      links,
      runtime: this.#runtime,
      containerEnv,
      denoDir,
      heapMb: positive(containerEnv.BEEUNI_TOOL_HEAP_MB, DEFAULT_HEAP_MB),
      denyNet: deniedAddresses(options.daemonPort, options.daemonAddresses),
      logger,
      project: () => ({ manifest: this.#catalogue.manifest, graph: this.#catalogue.files() }),
    });
    const maxRss = positive(containerEnv.BEEUNI_RUNNER_RSS_MB, DEFAULT_RUNNER_RSS_MB) * 1024 * 1024;
    this.#catalogue = new ProjectCatalogue({
      manifest,
      places,
      stateDir,
      version: engine.version,
      onlyTools: options.onlyTools === undefined ? undefined : new Set(options.onlyTools),
      logger,
      emit,
      load: (tools, onOutcome) => {
        const planned = tools.map((tool) => ({ ...plannedTool(tool), alone: false }));
        const input = {
          agent: undefined,
          tools: planned,
          places,
          tmp: this.#tmpOf("load"),
          containerEnv,
          env: {},
        };
        return loadEntries(this.#loader, tools, planLoadRunner(input), onOutcome);
      },
      onChange: () => this.#plans.forget(),
    });
    this.#loader = new ToolLoader({
      launch: (plan, events) => launcher.launch(plan, events),
      root: places.realRoot,
      maxRss,
      logger,
      onLog: (tool, stream, text) => this.#log("", tool, undefined, stream, text),
    });
    this.#plans = new PlanBook({
      places,
      containerEnv,
      tmpOf: (agent) => this.#tmpOf(`agent ${agent}`),
      manifest: () => this.#catalogue.manifest,
      planned: (tool) => {
        const entry = this.#catalogue.get(tool);
        return entry === undefined ? undefined : plannedTool(entry);
      },
    });
    this.#pool = new ToolPool({
      launch: (plan, events) => launcher.launch(plan, events),
      spec: (plan, rights) => {
        const place = this.#catalogue.get(plan.entry.name)?.place;
        if (place === undefined) throw new Error(`${plan.entry.name} is not in the catalogue`);
        return workerSpec({ plan, place }, rights, places.realRoot, false);
      },
      maxRss,
      ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
      logger,
      emit,
      onLog: (...entry) => this.#log(...entry),
      onGraph: (tool, graph) => void this.#catalogue.extend(tool, graph),
      onSuspects: (agent, tools) => this.#plans.separate(agent, tools),
    });
    this.#calls = new ToolCalls({
      catalogue: this.#catalogue,
      plans: this.#plans,
      pool: this.#pool,
      env: this.#env,
      root: places.root,
      spillRoot: places.spillRoot,
      logger,
      mask: (text) => this.#masker.mask(text),
      maskForms: (values) => this.#masker.formsOf(values),
      emit,
    });
    this.ready = this.#catalogue.load().then(() => {
      this.#loaded = true;
    });
  }

  get state(): ToolHost["state"] {
    if (this.#stopping !== undefined) return "stopping";
    return this.#loaded ? "ready" : "loading";
  }

  catalogue(): Catalogue {
    return this.#catalogue.catalogue();
  }

  manifest(): Manifest {
    return this.#catalogue.manifest;
  }

  toolsOf(agent: string): LoadedTool[] {
    const { manifest } = this.#catalogue;
    return this.catalogue().tools.filter(({ name }) => agentMayUse(manifest, agent, name, "experimental"));
  }

  defaultAgent(): string | undefined {
    const { agents, defaultAgent } = this.#catalogue.manifest;
    const [first, another] = agents.keys();
    const only = another === undefined ? first : undefined;
    return this.#options.defaultAgent ?? defaultAgent ?? (agents.has("beeuni") ? "beeuni" : only);
  }

  call(request: CallRequest): Promise<CallResult> {
    return this.#calls.call(request);
  }

  cancel(call: string): boolean {
    return this.#calls.cancel(call);
  }

  async reload(): Promise<{ generation: number; changed: string[]; failed: FailedTool[] }> {
    if (this.#stopping !== undefined) throw hostStopping();
    const manifest = await this.#readManifest();
    requireComplete(manifest);
    refuseErrors(manifest);
    const { changed, failed } = await this.#catalogue.reload(manifest);
    this.#env.setAgents(manifest.agents);
    this.#plans.reunite();
    this.#drainOutdated();
    return { generation: this.catalogue().generation, changed, failed };
  }

  subscribe(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  mask(text: string): string {
    return this.#masker.mask(text);
  }

  spillFolder(session: string): string {
    return spillFolder(this.#spillRoot, session);
  }

  stats(): HostStats {
    const { workers, runners, restarts } = this.#pool.stats;
    return { ...this.#calls.stats, workers, runners, runnerRestarts: restarts };
  }

  stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    if (this.#stopping === undefined) {
      const now = Promise.withResolvers<void>();
      this.#stopping = { now, done: this.#stop(graceMs, now.promise) };
    } else if (graceMs === 0) {
      this.#stopping.now.resolve();
    }
    return this.#stopping.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /**
   * @param now Cuts every wait short: a second request to stop.
   */
  async #stop(graceMs: number, now: Promise<void>): Promise<void> {
    this.#calls.refuseNew();
    const { idle } = this.#calls;
    await withinMs(graceMs, idle, now);
    this.#calls.abortAll();
    await withinMs(LAST_GRACE_MS, this.#calls.idle, now);
    this.#loader.stop();
    await this.#pool.stop();
    await this.ready;
    this.#runtime[Symbol.dispose]();
  }

  async #readManifest(): Promise<Manifest> {
    if (this.#options.readManifest !== undefined) return await this.#options.readManifest();
    const { readManifest } = await import("../manifest/read.ts");
    return readManifest({ project: this.#options.manifest.root });
  }

  /** Ends the workers and processes that the catalogue no longer means; their calls end first. */
  #drainOutdated(): void {
    const plansOf = (agent: string) => this.#plans.of(agent, this.#env.of(agent));
    try {
      this.#pool.drainWhere(
        (agent, worker) => plansOf(agent).get(worker.tool)?.stamp !== worker.stamp,
        (agent) => new Set([...plansOf(agent).values()].map(({ runner }) => runner.key)),
      );
    } catch (error) {
      // The env file can't be read now: the next call of each tool finds out what is outdated.
      this.#options.logger.warn("old workers stay until their next call", { reason: String(error) });
    }
  }

  readonly #tmps = new Map<string, string>();

  /** The temporary folder of an agent, or of the loads: the same one as long as the host lives. */
  #tmpOf(owner: string): string {
    let folder = this.#tmps.get(owner);
    if (folder === undefined) {
      folder = this.#runtime.folder("t");
      this.#tmps.set(owner, folder);
    }
    return folder;
  }

  #emit(event: HostEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#options.logger.error("a listener of the tool host failed", { reason: String(error) });
      }
    }
  }

  #log(
    agent: string,
    tool: string,
    call: string | undefined,
    stream: "stdout" | "stderr" | "console",
    printed: string,
  ): void {
    const text = this.#masker.mask(printed.replace(/\r?\n$/, ""));
    this.#options.logger.info(text, { tool, agent, call, stream });
    this.#emit({ type: "tool_log", tool, agent, stream, text, ...(call !== undefined && { call }) });
  }
}

function positive(text: string | undefined, byDefault: number): number {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : byDefault;
}
