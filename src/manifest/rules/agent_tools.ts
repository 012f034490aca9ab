import { BEEUNI_TOOLS, isBeeuniTool } from "../../beeuni_tools/registry.ts";
import { HARNESS_TOOLS, isHarnessTool } from "../harness_tools.ts";
import type { Declared, Sections } from "../merge.ts";
import { nearest } from "../nearest.ts";
import { quote } from "../quote.ts";

/** A name in an agent's `tools`, where it stands, and whether in an `exclude` list. */
interface Named {
  name: string;
  offset: number;
  excluded: boolean;
}

/**
 * Warns of names in the agents' `tools` that are no tool of this project (specification 1.6).
 *
 * @param removed Beeuni tools the project does not load.
 */
export function warnOfAgentTools(sections: Sections, removed: readonly string[]): void {
  const known = [...HARNESS_TOOLS, ...BEEUNI_TOOLS, ...sections.tools.keys()];
  const declared = new Set(sections.tools.keys());
  for (const agent of sections.agents.values()) {
    for (const { name, offset, excluded } of namesOf(agent)) {
      const warn = (code: "agent_tool_not_loaded" | "agent_tool_unknown", message: string): void => {
        const segments = ["agents", agent.entry.name, "tools"];
        agent.file.problems.push({ code, severity: "warning", message, offset, segments });
      };
      if (removed.includes(name)) {
        warn(
          "agent_tool_not_loaded",
          `${
            quote(name)
          } is a Beeuni tool this project does not load: add \`${name}: beeuni:${name}\` under the ` +
            "top-level `tools`, or remove it here.",
        );
      } else if (!isHarnessTool(name) && !isBeeuniTool(name) && !declared.has(name)) {
        const meant = nearest(name, known);
        warn(
          "agent_tool_unknown",
          `${quote(name)} is not a harness, Beeuni or project tool.` +
            (meant === undefined ? "" : ` Did you mean ${quote(meant)}?`) +
            (excluded ? " An unknown name here leaves the real tool on." : ""),
        );
      }
    }
  }
}

function namesOf({ entry }: Declared): Named[] {
  const tools = entry.value.kind === "map" ? entry.value.entries.get("tools")?.value : undefined;
  if (tools === undefined || tools.kind === "scalar") return [];
  const exclude = tools.kind === "map" ? tools.entries.get("exclude")?.value : undefined;
  const excluded = exclude?.kind === "list";
  const list = excluded ? exclude : tools;
  const names = list.kind === "map"
    ? [...list.entries.values()].map(({ name, keyStart }) => ({ name, offset: keyStart, excluded }))
    : list.items.flatMap((item) =>
      item.kind === "scalar" && typeof item.data === "string"
        ? [{ name: item.data, offset: item.start, excluded }]
        : []
    );
  return names.filter(({ name }) => name !== "*");
}
