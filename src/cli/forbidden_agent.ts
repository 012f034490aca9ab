import { BeeuniError } from "../errors/error.ts";
import { nearest } from "../manifest/nearest.ts";

/**
 * A call that its agent may not make, with what to change: the agent's list of tools, or a name that no agent has.
 *
 * @param error What the call ended with.
 * @param agents The names of the project's agents.
 */
export function forbiddenAgent(error: BeeuniError, agent: string, agents: readonly string[]): BeeuniError {
  return new BeeuniError(error.code, error.message, { hint: hint(agent, agents), cause: error });
}

function hint(agent: string, agents: readonly string[]): string {
  if (agents.includes(agent)) return `\`agents.${agent}.tools\` in beeuni.yaml says what it may use.`;
  const near = nearest(agent, agents);
  const mend = near === undefined ? `Name one of: ${agents.join(", ")}.` : `Did you mean ${near}?`;
  return `No agent of the project is named ${agent}. ${mend}`;
}
