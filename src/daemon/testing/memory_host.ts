import { BeeuniError } from "../../errors/error.ts";
import type {
  CallRequest,
  CallResult,
  Catalogue,
  HostEvent,
  LoadedTool,
  ToolHost,
} from "../../host/types.ts";
import type { Agent, Manifest } from "../../manifest/model.ts";

/** What a tool of a {@link MemoryHost} does. */
export type MemoryTool = (request: CallRequest & { signal: AbortSignal }) => string | Promise<string>;

/** Options of {@link MemoryHost}. */
export interface MemoryHostOptions {
  tools?: Readonly<Record<string, MemoryTool>>;
  /** Per agent: the tools it may use; default one agent `beeuni` with every tool. */
  agents?: Readonly<Record<string, readonly string[]>>;
  /** Default `beeuni`; `undefined` = it can't be told. */
  defaultAgent?: string | undefined;
  failed?: Catalogue["failed"];
}

/** A tool host without processes, for tests of what stands in front of one. Its tools are functions. */
export class MemoryHost implements ToolHost {
  readonly ready = Promise.resolve();
  state: ToolHost["state"] = "ready";
  /** Every request that came through, as it came. */
  readonly requests: CallRequest[] = [];
  /** What `reload` does; a test replaces it. */
  reload: ToolHost["reload"] = () => Promise.resolve({ generation: 2, changed: ["echo"], failed: [] });
  readonly #tools: Map<string, MemoryTool>;
  readonly #agents: Map<string, readonly string[]>;
  readonly #default: string | undefined;
  readonly #failed: Catalogue["failed"];
  readonly #running = new Map<string, AbortController>();
  readonly #listeners = new Set<(event: HostEvent) => void>();
  #ids = 0;

  constructor(options: MemoryHostOptions = {}) {
    this.#tools = new Map(Object.entries(options.tools ?? { echo: ({ args }) => JSON.stringify(args) }));
    this.#agents = new Map(Object.entries(options.agents ?? { beeuni: [...this.#tools.keys()] }));
    this.#default = "defaultAgent" in options ? options.defaultAgent : "beeuni";
    this.#failed = options.failed ?? [];
  }

  catalogue(): Catalogue {
    const tools = [...this.#tools.keys()].map(loaded);
    return { generation: 1, tools, failed: this.#failed, removed: ["show"], unused: [] };
  }

  toolsOf(agent: string): LoadedTool[] {
    const names = this.#agents.get(agent) ?? [];
    return this.catalogue().tools.filter(({ name }) => names.includes(name));
  }

  manifest(): Manifest {
    const agents = [...this.#agents].map(([name, tools]): [string, Agent] => {
      const entries = new Map(tools.map((tool) => [tool, true]));
      return [name, { name, tools: { entries, otherwise: false }, secrets: "none" }];
    });
    return {
      root: "/project",
      file: "/project/beeuni.yaml",
      files: ["beeuni.yaml"],
      toolsKey: true,
      tools: [...this.#tools.keys()].map((name) => ({ name, kind: "project", source: `tools/${name}.ts` })),
      removed: ["show"],
      broken: [],
      settings: new Map(),
      agents: new Map(agents),
      agentsDeclared: true,
      issues: [],
    };
  }

  defaultAgent(): string | undefined {
    return this.#default;
  }

  async call(request: CallRequest): Promise<CallResult> {
    this.requests.push(request);
    const { tool, agent, session = "" } = request;
    if (this.state === "stopping") throw new BeeuniError("stopping", "the daemon is stopping.");
    const run = this.#tools.get(tool);
    if (run === undefined) throw new BeeuniError("tool_not_found", `no tool named ${tool} is loaded`);
    if (!this.#agents.get(agent)?.includes(tool)) {
      throw new BeeuniError("agent_forbidden", `agent ${agent} may not use ${tool}`);
    }
    const call = request.call ?? `call-${++this.#ids}`;
    if (this.#running.has(call)) {
      throw new BeeuniError("call_in_flight", `call ${call} is in flight already.`);
    }
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, ...(request.signal ? [request.signal] : [])]);
    const common = { call, tool, agent, session };
    this.#running.set(call, own);
    this.emit({ type: "call_start", ...common });
    const end = (outcome: "completed" | "error" | "aborted", bytes: number, code?: string) =>
      this.emit({
        type: "call_end",
        ...common,
        outcome,
        queuedMs: 0,
        runMs: 1,
        bytes,
        ...(code ? { code } : {}),
      });
    try {
      const output = await Promise.race([run({ ...request, signal }), aborted(signal)]);
      end("completed", output.length);
      return { call, output, durationMs: 1 };
    } catch (error) {
      const known = error instanceof BeeuniError ? error : new BeeuniError("tool_failed", String(error));
      end(known.code === "aborted" ? "aborted" : "error", 0, known.code);
      throw known;
    } finally {
      this.#running.delete(call);
    }
  }

  cancel(call: string): boolean {
    const running = this.#running.get(call);
    running?.abort();
    return running !== undefined;
  }

  subscribe(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells every listener. */
  emit(event: HostEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  mask(text: string): string {
    return text;
  }

  spillFolder(session: string): string {
    return `/tmp/beeuni-tool-output/${session}`;
  }

  stats(): ReturnType<ToolHost["stats"]> {
    return { inFlight: this.#running.size, queued: 0, workers: 1, runners: 1, runnerRestarts: 0 };
  }

  async stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.state = "stopping";
    const end = Date.now() + graceMs;
    while (this.#running.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const call of this.#running.keys()) this.cancel(call);
    await Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function loaded(name: string): LoadedTool {
  const parameters = { type: "object", properties: {} };
  return { name, kind: "project", source: `tools/${name}.ts`, description: `Does ${name}.`, parameters };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new BeeuniError("aborted", "the call was cancelled."));
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}
