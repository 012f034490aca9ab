import { agentMayUse } from "../../agents/may_use.ts";
import type { LoadedTool } from "../../host/types.ts";
import type { Manifest } from "../../manifest/model.ts";
import type { HarnessTool, Subagent } from "./harness_tool.ts";
import type { ToolDeclaration } from "./request_payload.ts";

/** A tool of one turn: the tool host's, or, with `harness`, one of the harness itself. */
export interface OfferedTool extends ToolDeclaration {
  harness?: HarnessTool;
}

/** Tools that only the session's own agent has. */
const SESSION_ONLY = ["task", "question"];

/** Who a list of tools is for. */
export interface OfferedTo {
  /** The agent of the session. */
  agent: string;
  /** The subagent of it; absent = the session's agent itself. */
  subagent?: string | undefined;
}

/**
 * The tools that an agent is offered (specification 4.2): a subagent those that its own list and that of the session's
 * agent allow, never `task` and `question`.
 *
 * @param hosted What the tool host has loaded.
 */
export function offeredTools(
  manifest: Pick<Manifest, "agents">,
  to: OfferedTo,
  hosted: readonly LoadedTool[],
  own: readonly HarnessTool[],
): OfferedTool[] {
  const agents = [to.agent, ...(to.subagent === undefined ? [] : [to.subagent])];
  const all: OfferedTool[] = [
    ...own.map((tool) => ({ ...declaration(tool), harness: tool })),
    ...hosted.map(declaration),
  ];
  return all.filter(({ name }) =>
    agents.every((agent) => agentMayUse(manifest, agent, name, "experimental")) &&
    (to.subagent === undefined || !SESSION_ONLY.includes(name))
  );
}

/**
 * The agents that `task` may start: all but the session's own and those with `mode: primary`, as on the standard
 * harness.
 */
export function subagentsOf(manifest: Pick<Manifest, "agents">, agent: string): Subagent[] {
  return [...manifest.agents.values()]
    .filter(({ name, mode }) => name !== agent && mode !== "primary")
    .map(({ name, description = "" }) => ({ name, description }));
}

function declaration({ name, description, parameters }: ToolDeclaration): ToolDeclaration {
  return { name, description, parameters };
}
