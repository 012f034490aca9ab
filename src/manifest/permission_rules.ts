import type { PermissionAction, PermissionRules } from "./model.ts";

/** What can happen to a call. */
export const PERMISSION_ACTIONS: readonly PermissionAction[] = ["allow", "ask", "deny"];

/** The rules of an agent that may do nothing. */
export const DENY_EVERYTHING: PermissionRules = new Map([["*", new Map([["*", "deny"]])]]);

/**
 * Normalises the value of `agents.<name>.permission` in each of its forms (specification 4.2): one action for all, or
 * per tool or capability an action or a map from patterns to actions.
 *
 * Whatever is none of the forms gives {@link DENY_EVERYTHING}: a rule that can't be understood must not open anything.
 *
 * @param value The parsed value; `undefined` = the key is absent, so that there is no rule. Maps may have no prototype.
 */
export function permissionRules(value: unknown): PermissionRules | undefined {
  if (value === undefined) return undefined;
  if (isAction(value)) return new Map([["*", new Map([["*", value]])]]);
  if (!isMap(value)) return DENY_EVERYTHING;
  const rules = new Map<string, ReadonlyMap<string, PermissionAction>>();
  for (const name of Object.keys(value)) {
    const patterns = patternsOf(value[name]);
    if (patterns === undefined) return DENY_EVERYTHING;
    rules.set(name, patterns);
  }
  return rules;
}

function patternsOf(value: unknown): ReadonlyMap<string, PermissionAction> | undefined {
  if (isAction(value)) return new Map([["*", value]]);
  if (!isMap(value)) return undefined;
  const patterns = new Map<string, PermissionAction>();
  for (const pattern of Object.keys(value)) {
    const action = value[pattern];
    if (!isAction(action)) return undefined;
    patterns.set(pattern, action);
  }
  return patterns;
}

function isAction(value: unknown): value is PermissionAction {
  return PERMISSION_ACTIONS.some((action) => action === value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
