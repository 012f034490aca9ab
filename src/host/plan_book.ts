import { agentMayUse } from "../agents/may_use.ts";
import type { Manifest } from "../manifest/model.ts";
import type { AgentEnv, EnvSet } from "./call_env.ts";
import type { Places } from "./places.ts";
import { type PlannedTool, planRunners, type ToolPlan } from "./runner_plan.ts";

/** What the plans of a project are made from. */
export interface PlanBookOptions {
  places: Places;
  containerEnv: EnvSet;
  /** The temporary folder of an agent. */
  tmpOf: (agent: string) => string;
  manifest: () => Manifest;
  /** A declared tool as the plan needs it; undefined for one that is not loaded. */
  planned: (tool: string) => Omit<PlannedTool, "alone"> | undefined;
}

/** The plans of every agent, made when first asked for and again when something they depend on changed. */
export class PlanBook {
  readonly #options: PlanBookOptions;
  readonly #pages = new Map<string, { env: AgentEnv; plans: Map<string, ToolPlan> }>();
  /** Per agent: tools with a process of their own. */
  readonly #alone = new Map<string, Set<string>>();

  constructor(options: PlanBookOptions) {
    this.#options = options;
  }

  /** The plan of a tool that is loaded and that the agent may use. */
  find(agent: string, tool: string, env: AgentEnv): ToolPlan | undefined {
    return this.of(agent, env).get(tool);
  }

  /** All plans of an agent, by tool. */
  of(agent: string, env: AgentEnv): ReadonlyMap<string, ToolPlan> {
    let page = this.#pages.get(agent);
    if (page === undefined || page.env !== env) {
      page = { env, plans: this.#make(agent, env) };
      this.#pages.set(agent, page);
    }
    return page.plans;
  }

  /** What is loaded, or what the manifest says, changed. */
  forget(): void {
    this.#pages.clear();
  }

  /** From now on each of these tools has a process of its own. */
  separate(agent: string, tools: readonly string[]): void {
    const alone = this.#alone.get(agent) ?? new Set();
    for (const tool of tools) alone.add(tool);
    this.#alone.set(agent, alone);
    this.#pages.delete(agent);
  }

  /** Forgets who had to be separated: a reload is a fresh start (specification 2.3). */
  reunite(): void {
    this.#alone.clear();
    this.#pages.clear();
  }

  #make(agent: string, env: AgentEnv): Map<string, ToolPlan> {
    const { places, containerEnv, tmpOf, planned } = this.#options;
    const manifest = this.#options.manifest();
    const tools = manifest.tools.flatMap(({ name }): PlannedTool[] => {
      const tool = agentMayUse(manifest, agent, name, "experimental") ? planned(name) : undefined;
      return tool === undefined ? [] : [{ ...tool, alone: this.#alone.get(agent)?.has(name) ?? false }];
    });
    return planRunners({ agent, tools, places, tmp: tmpOf(agent), containerEnv, env: env.plain });
  }
}
