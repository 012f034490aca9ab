import { AGENT_KEYS, ROOT_KEYS } from "../keys.ts";
import { nearest } from "../nearest.ts";
import type { LocatedMap } from "../parse/located.ts";
import { quote } from "../quote.ts";
import type { SourceFile } from "../source_file.ts";

/** Edit distance within which an unknown key is taken for a slip (specification 1.1). */
const SLIP = 2;

/** Warns of keys that mean nothing but look like one that does: at the top level, and in an agent. */
export function warnOfUnknownKeys(file: SourceFile): void {
  if (file.root === undefined) return;
  warn(file, file.root, ROOT_KEYS, []);
  const agents = file.root.entries.get("agents")?.value;
  if (agents?.kind !== "map") return;
  for (const { name, value } of agents.entries.values()) {
    if (value.kind === "map") warn(file, value, AGENT_KEYS, ["agents", name]);
  }
}

function warn(file: SourceFile, map: LocatedMap, known: readonly string[], path: readonly string[]): void {
  for (const { name, keyStart } of map.entries.values()) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known, SLIP);
    if (meant === undefined) continue;
    file.problems.push({
      code: "unknown_key",
      severity: "warning",
      message: `${quote(name)} is not a known key and is ignored. Did you mean ${quote(meant)}?`,
      offset: keyStart,
      segments: [...path, name],
    });
  }
}
