import type { ToolEntry, ToolSettings } from "../manifest/model.ts";
import type { EnvSet } from "./call_env.ts";
import { isReserved } from "./container_env.ts";
import type { Places } from "./places.ts";
import { loadRunnerRights, type RunnerRights, runnerRights } from "./runner_rights.ts";
import { type ToolRights, toolRights } from "./tool_rights.ts";
import { webToolHosts } from "./web_tool_hosts.ts";

/** A process to be: whose it is, what it may do, which tools run in it. */
export interface RunnerPlan {
  /** The same text = the same process will do. */
  key: string;
  /** `undefined` for the process that loads modules. */
  agent: string | undefined;
  rights: RunnerRights;
  /** What its tools' settings name below the root, relative to it. */
  named: { read: string[]; write: string[] };
  tmp: string;
}

/** Where and with which rights one tool of one agent runs. */
export interface ToolPlan {
  entry: ToolEntry;
  rights: ToolRights;
  /** `process.env` of the tool. */
  env: Record<string, string>;
  /** Same text = the same worker will do. */
  stamp: string;
  runner: RunnerPlan;
}

/** One tool as the plan needs it. */
export interface PlannedTool {
  entry: ToolEntry;
  settings: ToolSettings | undefined;
  /** Counts how often it was loaded anew: another number means other code. */
  revision: number;
  /** Not 0: tools with another number, whose processes may be older than its files, are not its neighbours. */
  layout: number;
  /** Absolute paths of its files and package folders. */
  modules: readonly string[];
  /** It ended its process before: it gets one of its own. */
  alone: boolean;
}

/** What a plan is made from. */
export interface PlanInput {
  agent: string | undefined;
  /** Every tool this agent may use. */
  tools: readonly PlannedTool[];
  places: Places;
  tmp: string;
  /** The container's variables, for `permissions.env`. */
  containerEnv: EnvSet;
  /** `context.env` of the agent: says where the web tools' providers are. */
  env: EnvSet;
}

/**
 * Who runs where (specification 2.3): tools with the default rights share their agent's process; a tool whose
 * settings go beyond them, or which ended its process before, has its own.
 *
 * @returns The plan of every tool, by name.
 */
export function planRunners(input: PlanInput): Map<string, ToolPlan> {
  const planned = input.tools.map((tool) => ({ tool, rights: rightsOf(tool, input) }));
  const groups = new Map<string, typeof planned>();
  for (const one of planned) {
    const { alone, entry, layout } = one.tool;
    const group = (alone ? `alone ${entry.name}` : one.rights.share) + (layout > 0 ? ` since ${layout}` : "");
    groups.set(group, [...groups.get(group) ?? [], one]);
  }
  const plans = new Map<string, ToolPlan>();
  for (const [group, members] of groups) {
    const rights = members.map((member) => member.rights);
    const process = runnerRights(rights, input.places);
    const runner: RunnerPlan = {
      key: JSON.stringify([input.agent, group, process]),
      agent: input.agent,
      rights: process,
      named: namedBy(rights),
      tmp: input.tmp,
    };
    for (const { tool, rights } of members) {
      const env = toolEnv(rights, input);
      const stamp = JSON.stringify([tool.revision, tool.entry.source, rights, env]);
      plans.set(tool.entry.name, { entry: tool.entry, rights, env, stamp, runner });
    }
  }
  return plans;
}

/** The plan of the process that loads these tools: no agent's, without a right to write or to start a program. */
export function planLoadRunner(input: PlanInput): Map<string, ToolPlan> {
  const planned = input.tools.map((tool) => ({ tool, rights: rightsAtLoad(tool, input) }));
  const rights = planned.map((one) => one.rights);
  const process = loadRunnerRights(rights, input.places);
  const runner: RunnerPlan = {
    key: "load",
    agent: undefined,
    rights: process,
    named: namedBy(rights),
    tmp: input.tmp,
  };
  return new Map(planned.map(({ tool, rights }) => {
    return [tool.entry.name, { entry: tool.entry, rights, env: toolEnv(rights, input), stamp: "", runner }];
  }));
}

function rightsOf(tool: PlannedTool, input: PlanInput): ToolRights {
  return toolRights({
    entry: tool.entry,
    permissions: tool.settings?.permissions,
    places: input.places,
    tmp: input.tmp,
    providerHosts: webToolHosts(tool.entry.name, input.env),
    modules: tool.modules,
  });
}

/**
 * While a module is loaded nobody knows yet which files it is made of. So a tool that may not read the checkout reads
 * it then, and has no network to carry it out.
 */
function rightsAtLoad(tool: PlannedTool, input: PlanInput): ToolRights {
  const { read, ...permissions } = tool.settings?.permissions ?? {};
  if (read !== false) return rightsOf(tool, input);
  return rightsOf({ ...tool, settings: { permissions: { ...permissions, net: false } } }, input);
}

function namedBy(rights: readonly ToolRights[]): { read: string[]; write: string[] } {
  return {
    read: rights.flatMap((tool) => tool.named.read),
    write: rights.flatMap((tool) => tool.named.write),
  };
}

/** Exactly the variables of `permissions.env`, and `TMPDIR` (specification 2.3). */
function toolEnv(rights: ToolRights, input: PlanInput): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of rights.env) {
    const value = input.containerEnv[name];
    if (value !== undefined && !isReserved(name)) env[name] = value;
  }
  return { ...env, TMPDIR: input.tmp };
}
