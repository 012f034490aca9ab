import { mayUse } from "../../agents/may_use.ts";
import { capabilityOf, stricter } from "../../agents/permission.ts";
import { fitsPattern } from "../../agents/wildcard.ts";
import { HARNESS_TOOLS, TERMINAL_PREFIX } from "../../manifest/harness_tools.ts";
import type { Agent, PermissionAction } from "../../manifest/model.ts";

/** OpenCode's `permission`: the last rule that fits a permission and a pattern decides. */
export type OpenCodePermission = Record<string, PermissionAction | Record<string, PermissionAction>>;

/** What an agent's rules are translated for. */
export interface OpenCodePermissionOptions {
  /** Names of the hosted tools that the plugin brings. */
  hosted: Iterable<string>;
  /** Folders outside of the checkout that file tools may read, absolute. */
  folders?: readonly string[];
}

/** Tools that share OpenCode's permission `edit`. */
const EDIT_GROUP = ["edit", "write", "apply_patch"];

/** What the plugin asks for a call of `memory` that only reads; no tool can have this name. */
export const MEMORY_VIEW = "memory.view";

/** Every terminal tool; they follow `bash`. */
const TERMINALS = `${TERMINAL_PREFIX}*`;

/** Permissions of OpenCode that are no tools a list can name. */
const NO_TOOLS = ["invalid", "external_directory", "doom_loop", "plan_enter", "plan_exit"];

/**
 * An agent's list and permission rules in OpenCode's form (specification 4.1).
 *
 * OpenCode hides a tool when the last rule for it is `deny` with the pattern `*`, and a call is decided by the last
 * rule that fits. So a list begins with `"*": "deny"`, what is excluded comes last, and patterns stand from the
 * shortest to the longest: the longest wins, as `decidePermission` has it. Each hosted tool has its rules under its own
 * name, also those it has by its capability: the permission it shares may be hidden by the list.
 */
export function opencodePermission(
  agent: Pick<Agent, "tools" | "permission">,
  { hosted, folders = [] }: OpenCodePermissionOptions,
): OpenCodePermission {
  const { tools, permission: rules } = agent;
  const everything = patternsOf(agent, "*", "*");
  const found: OpenCodePermission = {};
  found["*"] = tools.otherwise ? simple(everything) : "deny";
  found.invalid = "allow";
  const denied = new Set<string>();
  const names = new Set([
    ...HARNESS_TOOLS.filter((name) => !NO_TOOLS.includes(name)),
    TERMINALS,
    ...hosted,
    ...tools.entries.keys(),
    ...rules?.keys() ?? [],
  ]);
  for (const name of names) {
    if (name === "*" || NO_TOOLS.includes(name)) continue;
    const key = EDIT_GROUP.includes(name) ? "edit" : name;
    if (key in found || denied.has(key)) continue;
    const allowed = mayUse(tools, key === TERMINALS ? "bash" : key, "standard");
    if (!allowed) denied.add(key);
    else found[key] = simple(key === "edit" ? editPatterns(agent) : patternsOf(agent, ruleName(key), key));
  }
  if ("memory" in found) {
    found[MEMORY_VIEW] = simple(patternsOf(agent, "memory", "read"));
    // A deny with the pattern `*` as the last one would hide the tool, also from an agent that may view.
    if (found.memory === "deny" && found[MEMORY_VIEW] !== "deny") {
      found.memory = { "*": "deny", [MEMORY_VIEW]: "deny" };
    }
  }
  found.doom_loop = simple(patternsOf(agent, "doom_loop", "doom_loop", "ask"));
  found.external_directory = {
    ...patternsOf(agent, "external_directory", "external_directory", "ask"),
    ...Object.fromEntries(folders.map((folder) => [`${folder}/*`, "allow" as const])),
  };
  for (const name of [...denied, "plan_enter", "plan_exit"]) found[name] = "deny";
  return found;
}

/** Whose rules decide for this permission. */
function ruleName(key: string): string {
  return key.startsWith(TERMINAL_PREFIX) ? "bash" : key;
}

/**
 * The patterns for one tool, the one that decides last: those of `*`, of the capability, of the tool's own name, each
 * from the shortest to the longest.
 *
 * @param otherwise What holds without a rule.
 */
function patternsOf(
  { permission: rules }: Pick<Agent, "permission">,
  tool: string,
  capability: string,
  otherwise: PermissionAction = "allow",
): Record<string, PermissionAction> {
  const keys = new Set(["*", capability === tool ? capabilityOf(tool, {}) : capability, tool]);
  const found = new Map<string, PermissionAction>([["*", otherwise]]);
  for (const key of keys) {
    const group = [...rules?.get(key) ?? []].sort(byLength);
    for (const [pattern, action] of group) {
      // What stood before says nothing any more, and its place in the order would be wrong.
      if (pattern === "*") found.clear();
      found.delete(pattern);
      found.set(pattern, action);
    }
  }
  return Object.fromEntries(found);
}

/** From short to long; of equal length the stricter last. */
function byLength([a, x]: [string, PermissionAction], [b, y]: [string, PermissionAction]): number {
  return a.length - b.length || (x === y ? 0 : stricter(x, y) === x ? 1 : -1);
}

/**
 * `write`, `edit` and `apply_patch` can't be told apart by OpenCode: each pattern that one of them has gets the
 * strictest action that any of the three has for it.
 */
function editPatterns(agent: Pick<Agent, "permission">): Record<string, PermissionAction> {
  const each = EDIT_GROUP.map((tool) => Object.entries(patternsOf(agent, tool, tool)));
  const patterns = new Set(each.flat().sort(byLength).map(([pattern]) => pattern));
  return Object.fromEntries([...patterns].map((pattern) => {
    const actions = each.map((rules) =>
      rules.findLast(([other]) => other === pattern || fitsPattern(pattern, other))?.[1] ?? "allow"
    );
    return [pattern, actions.reduce(stricter)];
  }));
}

function simple(
  patterns: Record<string, PermissionAction>,
): PermissionAction | Record<string, PermissionAction> {
  const [only, ...more] = Object.entries(patterns);
  return more.length === 0 && only?.[0] === "*" ? only[1] : patterns;
}
