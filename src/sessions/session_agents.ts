import { BeeuniError } from "../errors/error.ts";

/** The agents of the project as its manifest has them now. */
export interface SessionAgents {
  names(): Iterable<string>;
  /** The agent of a session that names none; `undefined` when it can't be told. */
  byDefault(): string | undefined;
}

/**
 * The agent of a new session.
 *
 * @throws {BeeuniError} `bad_request` when none is named and there is no default, `agent_forbidden`.
 */
export function sessionAgent(agents: SessionAgents, named: string | undefined): string {
  const agent = named ?? agents.byDefault();
  if (agent === undefined) {
    throw new BeeuniError("bad_request", "`agent` is missing, and the project has no default agent.", {
      hint: `Name one of: ${known(agents)}.`,
    });
  }
  requireAgent(agents, agent);
  return agent;
}

/**
 * Fails closed for an agent that the manifest does not declare (specification 1.5), or not any more.
 *
 * @throws {BeeuniError} `agent_forbidden`.
 */
export function requireAgent(agents: SessionAgents, agent: string): void {
  if ([...agents.names()].includes(agent)) return;
  throw new BeeuniError(
    "agent_forbidden",
    `there is no agent ${agent.slice(0, 128)} in the project; it has ${known(agents)}.`,
    { hint: "Start a session with one of these, or declare it under `agents` in beeuni.yaml." },
  );
}

function known(agents: SessionAgents): string {
  return [...agents.names()].join(", ") || "none";
}
