import type { PermissionAction, PermissionRules } from "../manifest/model.ts";
import { capabilityOf, type SubjectOptions, subjectsOf } from "./permission_subjects.ts";
import type { Subject } from "./subject.ts";
import { fitsPattern, mayFitPattern } from "./wildcard.ts";

export { capabilityOf, permissionSubjects } from "./permission_subjects.ts";

/** One thing a call touches, and what the rules say about it. */
export interface PermissionPart {
  /** As `permissionSubjects` names it. */
  subject: string;
  action: PermissionAction;
}

const STRICTNESS: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two actions: `deny` before `ask` before `allow`. */
export function stricter(a: PermissionAction, b: PermissionAction): PermissionAction {
  return STRICTNESS[a] >= STRICTNESS[b] ? a : b;
}

/**
 * What an agent's permission rules say about a call (specification 4.1, 4.2).
 *
 * Rules for the tool's own name come before those for its capability, and those before `*`. Among the patterns of one
 * of them the longest that fits decides, of equally long ones the stricter; when none fits, the next rules are asked.
 * No rule at all is `allow`. A call that touches several things, such as the commands of a line, gets the strictest
 * answer. Where a part is only known when it runs (`git $X`), a stricter pattern that may fit decides.
 *
 * @param rules The agent's rules; `undefined` = it has none.
 * @param tool Name of a harness, Beeuni or project tool.
 */
export function decidePermission(
  rules: PermissionRules | undefined,
  tool: string,
  args: Record<string, unknown>,
  options: SubjectOptions,
): PermissionAction {
  return permissionParts(rules, tool, args, options).map(({ action }) => action).reduce(stricter, "allow");
}

/**
 * As {@link decidePermission}, for each thing the call touches: a question names those that are `ask`, and an answer
 * `always` holds for their subjects.
 */
export function permissionParts(
  rules: PermissionRules | undefined,
  tool: string,
  args: Record<string, unknown>,
  options: SubjectOptions,
): PermissionPart[] {
  const keys = [...new Set([tool, capabilityOf(tool, args), "*"])];
  const groups = keys.flatMap((key) => {
    const patterns = rules?.get(key);
    return patterns === undefined ? [] : [patterns];
  });
  return subjectsOf(tool, args, options).map((subject) => ({
    subject: subject.text,
    action: decide(groups, subject),
  }));
}

function decide(
  groups: readonly ReadonlyMap<string, PermissionAction>[],
  subject: Subject,
): PermissionAction {
  let possible: PermissionAction = "allow";
  for (const patterns of groups) {
    let best: { length: number; action: PermissionAction } | undefined;
    for (const [pattern, action] of patterns) {
      if (!fits(subject, pattern)) continue;
      if (best === undefined || pattern.length > best.length) best = { length: pattern.length, action };
      else if (pattern.length === best.length) best.action = stricter(best.action, action);
    }
    for (const [pattern, action] of patterns) {
      if (pattern.length < (best?.length ?? 0) || stricter(possible, action) === possible) continue;
      if (subject.maybe.some((form) => mayFitPattern(form, pattern))) possible = action;
    }
    if (best !== undefined) return stricter(best.action, possible);
  }
  return possible;
}

function fits({ text, forms, quoted }: Subject, pattern: string): boolean {
  if (pattern === text || forms.every((form) => fitsPattern(form, pattern))) return true;
  return quoted !== undefined && /["'\\]/.test(pattern) && fitsPattern(quoted, pattern);
}
