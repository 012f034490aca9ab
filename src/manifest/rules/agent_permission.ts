import { BEEUNI_TOOLS, isBeeuniTool } from "../../beeuni_tools/registry.ts";
import { HARNESS_TOOLS, isHarnessTool } from "../harness_tools.ts";
import type { IssueCode } from "../issue_codes.ts";
import { MERGE_KEY } from "../keys.ts";
import type { Declared, Sections } from "../merge.ts";
import { nearest } from "../nearest.ts";
import type { LocatedEntry } from "../parse/located.ts";
import { quote } from "../quote.ts";

/** The Beeuni tool whose calls have nothing that a pattern could tell apart. */
const WITHOUT_SUBJECT = "show";

/**
 * Warns of permission rules that never decide: for a name that is no tool of this project, and patterns for a tool
 * whose calls have nothing to compare them with (specification 4.2).
 */
export function warnOfAgentPermission(sections: Sections): void {
  const known = [...HARNESS_TOOLS, ...BEEUNI_TOOLS, ...sections.tools.keys()];
  for (const agent of sections.agents.values()) {
    for (const rule of rulesOf(agent)) {
      const { name } = rule;
      // Every tool; or an error already.
      if (/[*?]/.test(name) || name === MERGE_KEY) continue;
      const warn = (
        code: IssueCode,
        message: string,
        { keyStart }: LocatedEntry,
        ...rest: string[]
      ): void => {
        const segments = ["agents", agent.entry.name, "permission", name, ...rest];
        agent.file.problems.push({ code, severity: "warning", message, offset: keyStart, segments });
      };
      const declared = sections.tools.has(name);
      if (!isHarnessTool(name) && !isBeeuniTool(name) && !declared) {
        const meant = nearest(name, known);
        warn(
          "agent_permission_unknown",
          `${quote(name)} is not a harness, Beeuni or project tool.` +
            (meant === undefined ? "" : ` Did you mean ${quote(meant)}?`) +
            " A rule for an unknown name decides nothing.",
          rule,
        );
      } else if (name === WITHOUT_SUBJECT || (declared && !isBeeuniTool(name))) {
        const patterns = rule.value.kind === "map" ? rule.value.entries.values() : [];
        for (const pattern of patterns) {
          if (pattern.name === "*") continue;
          const message = `A call of ${quote(name)} has nothing to compare ${quote(pattern.name)} with: ` +
            "only the pattern `*` decides about it.";
          warn("agent_permission_pattern", message, pattern, pattern.name);
        }
      }
    }
  }
}

function rulesOf({ entry }: Declared): LocatedEntry[] {
  const permission = entry.value.kind === "map" ? entry.value.entries.get("permission")?.value : undefined;
  return permission?.kind === "map" ? [...permission.entries.values()] : [];
}
