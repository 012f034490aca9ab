import { BEEUNI_TOOLS, isBeeuniTool } from "../../beeuni_tools/registry.ts";
import type { SourceFile } from "../source_file.ts";
import { appendSection } from "./append_section.ts";
import { checkedEdit } from "./checked_edit.ts";
import { entryLine, insertEntry, type NewEntry } from "./insert_entry.ts";
import { type Outline, outline } from "./outline.ts";
import { type EditPlan, editRefusal } from "./refusal.ts";
import { setEntry } from "./set_entry.ts";

/**
 * The text of a manifest file in which a line of `tools` says what `entry` says (specification 1.8): the entry is set
 * when the file declares it, else added to its `tools`; a file without that key gets one that lists the Beeuni tools
 * too. All other bytes stay.
 *
 * @param file A file without errors that cost more than an entry.
 * @throws {BeeuniError} `edit_refused`
 */
export function planToolEdit(file: SourceFile, entry: NewEntry): string {
  const parts = outline(file.text);
  const hasKey = file.root?.entries.has("tools") ?? false;
  const entries = hasKey ? [entry] : allTools(entry);
  const plan = planIn(parts, entry, entries);
  const lines = entries.map(entryLine);
  if ("inTheWay" in plan) throw editRefusal(file, plan.inTheWay, lines);
  const text = checkedEdit(file, plan.splices, { section: "tools", entries });
  if (text !== undefined) return text;
  // The text has a shape in which the edit would change something else: an anchor that is used elsewhere, mostly.
  const offset = plan.splices[0]?.start ?? 0;
  throw editRefusal(file, { offset, what: "what stands here, with its anchors and brackets," }, lines);
}

/** The five Beeuni tools with the given entry among them, or after them. */
function allTools(entry: NewEntry): NewEntry[] {
  const five = BEEUNI_TOOLS.map((name) => name === entry.name ? entry : { name, value: `beeuni:${name}` });
  return isBeeuniTool(entry.name) ? five : [...five, entry];
}

function planIn(parts: Outline, entry: NewEntry, entries: readonly NewEntry[]): EditPlan {
  const section = parts.root?.entries.find(({ name }) => name === "tools");
  if (section === undefined) return appendSection(parts, "tools", entries);
  const own = section.value.kind === "map"
    ? section.value.entries.find(({ name }) => name === entry.name)
    : undefined;
  return own === undefined
    ? insertEntry(parts, section, entry)
    : setEntry(parts, own, entry.value, entry.comment);
}
