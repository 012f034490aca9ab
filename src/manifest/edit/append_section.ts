import { entryLine, type NewEntry } from "./insert_entry.ts";
import { lineBreak } from "./lines.ts";
import type { Outline } from "./outline.ts";
import type { EditPlan } from "./refusal.ts";

/**
 * Adds a section at the end of a file: one empty line, then the block indented by 2, with the file's line break and a
 * final one (specification 1.8). A file that is one flow map is in the way.
 */
export function appendSection(
  { text, root, end }: Outline,
  section: string,
  entries: readonly NewEntry[],
): EditPlan {
  if (root?.flow) return { inTheWay: { offset: root.start, what: "a file that is one map in braces" } };
  const newline = lineBreak(text);
  const indent = " ".repeat(root?.indent ?? 0);
  const lines = [`${section}:`, ...entries.map((entry) => `  ${entryLine(entry)}`)];
  const block = lines.map((line) => indent + line + newline).join("");
  const before = text.slice(0, end);
  const lead = before === "" || /(?:^|\n)[ \t]*\r?\n$/.test(before)
    ? ""
    : before.endsWith("\n")
    ? newline
    : newline + newline;
  return { splices: [{ start: end, end, text: lead + block }] };
}
