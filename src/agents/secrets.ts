import type { Agent } from "../manifest/model.ts";

/**
 * Which of the given secrets an agent is granted (specification 1.5): `all`, `none` or its list.
 *
 * @param agent The agent; `undefined` (not declared) has none. The implied agent has `all`.
 * @param names Names of the secrets that are set.
 * @returns The granted ones, in the order given.
 */
export function grantedSecrets(agent: Agent | undefined, names: Iterable<string>): string[] {
  const grant = agent?.secrets ?? "none";
  if (grant === "none") return [];
  return grant === "all" ? [...names] : [...names].filter((name) => grant.includes(name));
}
