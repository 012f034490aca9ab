import { TERMINAL_PREFIX } from "../manifest/harness_tools.ts";
import type { Manifest, ToolList } from "../manifest/model.ts";

/** Where an agent runs: OpenCode, or Beeuni's own loop. */
export type HarnessName = "standard" | "experimental";

/** Tools that share one permission on the standard harness: listing one shows all, excluding one hides all. */
const EDIT_GROUP = ["write", "edit", "apply_patch"];

/**
 * Whether an agent with this list may use a tool (specification 1.5 and 4.1).
 *
 * Own entry decides, else the `*` entry (`otherwise`). On the standard harness `write`, `edit` and `apply_patch`
 * decide together and `bash` decides for `pty_*`; where such entries contradict each other, `false` wins.
 *
 * @param list The agent's normalised list.
 * @param tool Name of a harness, Beeuni or project tool. Connector tools follow `agents.<name>.connectors`.
 * @param harness Names are grouped on the standard one only.
 */
export function mayUse(list: ToolList, tool: string, harness: HarnessName): boolean {
  let allowed: boolean | undefined;
  for (const name of decidingNames(tool, harness)) {
    const entry = list.entries.get(name);
    if (entry === false) return false;
    allowed ??= entry;
  }
  return allowed ?? list.otherwise;
}

/**
 * Whether agent `agent` of this manifest may use `tool`: {@link mayUse} with its list.
 *
 * An agent that is not in `agents` may use nothing. A manifest that declares none has the implied agent there.
 */
export function agentMayUse(
  manifest: Pick<Manifest, "agents">,
  agent: string,
  tool: string,
  harness: HarnessName,
): boolean {
  const declared = manifest.agents.get(agent);
  return declared !== undefined && mayUse(declared.tools, tool, harness);
}

/** Names whose entries decide about `tool`. */
function decidingNames(tool: string, harness: HarnessName): string[] {
  if (harness === "standard") {
    if (EDIT_GROUP.includes(tool)) return EDIT_GROUP;
    if (tool.startsWith(TERMINAL_PREFIX)) return [tool, "bash"];
  }
  return [tool];
}
