import { EVERY_TOOL, NO_TOOL, toolList } from "../tool_list.ts";
import { entryErrors } from "../entry_errors.ts";
import { nearest } from "../nearest.ts";
import type { Declared, Sections } from "../merge.ts";
import type { Agent, AgentMode } from "../model.ts";
import { DENY_EVERYTHING, permissionRules } from "../permission_rules.ts";
import { quote } from "../quote.ts";
import { positionOf, type SourceFile } from "../source_file.ts";
import type { Problem } from "../parse/problem.ts";

/** The agent of a manifest that declares none (specification 1.5). */
const IMPLIED: Agent = { name: "beeuni", tools: EVERY_TOOL, secrets: "all" };

/** What the `agents` of all files come to. */
export interface Agents {
  agents: Map<string, Agent>;
  /** Whether any agent is declared. */
  declared: boolean;
}

/**
 * The agents in file order, or the implied one when none is declared.
 *
 * What is wrong closes: an agent whose entry or `tools` has an error may use no tool, one whose `permission` has an
 * error is denied every call, one whose `secrets` has an error has none, and one whose name can't be used is not there.
 */
export function readAgents(files: readonly SourceFile[], sections: Sections): Agents {
  if (sections.agents.size === 0) return { agents: new Map([[IMPLIED.name, IMPLIED]]), declared: false };
  const errors = entryErrors(files, "agents");
  const agents = new Map<string, Agent>();
  for (const [name, declared] of sections.agents) {
    const wrong = errors.get(name) ?? [];
    if (wrong.some(({ code }) => code === "agent_name" || code === "merge_key")) continue;
    agents.set(name, agentOf(declared, wrong));
  }
  return { agents, declared: true };
}

function agentOf({ file, entry }: Declared, wrong: readonly Problem[]): Agent {
  const { name, value, keyStart } = entry;
  const broken = (key: string) => wrong.some(({ segments }) => segments.length === 2 || segments[2] === key);
  const data = value.kind === "map" ? value.data : {};
  const position = positionOf(file, keyStart);
  const agent: Agent = {
    name,
    position,
    tools: broken("tools") ? NO_TOOL : toolList(data.tools),
    secrets: broken("secrets") ? "none" : (data.secrets ?? "none") as Agent["secrets"],
  };
  const secrets = value.kind === "map" ? value.entries.get("secrets")?.value : undefined;
  if (secrets?.kind === "list" && Array.isArray(agent.secrets)) {
    agent.secretPositions = secrets.items.map((item) => positionOf(file, item.start));
  }
  const permission = broken("permission") ? DENY_EVERYTHING : permissionRules(data.permission);
  if (permission !== undefined) agent.permission = permission;
  for (const key of ["model", "prompt", "description"] as const) {
    const text = data[key];
    if (typeof text === "string") agent[key] = text;
  }
  if (typeof data.mode === "string" && !broken("mode")) agent.mode = data.mode as AgentMode;
  return agent;
}

/** The `default_agent` of the root file; an error when it is not among the agents. */
export function readDefaultAgent(files: readonly SourceFile[], agents: Agents): string | undefined {
  const file = files[0];
  const value = file?.root?.entries.get("default_agent")?.value;
  if (file === undefined || value?.kind !== "scalar" || typeof value.data !== "string") return undefined;
  const name = value.data;
  if (!agents.agents.has(name)) {
    const meant = nearest(name, agents.agents.keys());
    const message = `${quote(name)} is not declared under \`agents\`.` +
      (meant === undefined ? "" : ` Did you mean ${quote(meant)}?`);
    file.problems.push({ code: "default_agent", message, offset: value.start, segments: ["default_agent"] });
  }
  return name;
}
