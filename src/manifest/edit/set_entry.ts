import { setLineComment } from "./line_comment.ts";
import type { EntryOutline, Outline } from "./outline.ts";
import type { EditPlan } from "./refusal.ts";
import { scalarText } from "./scalar_text.ts";
import type { Splice } from "./splice.ts";

/**
 * Gives an entry another value, in place. An alias, a list, a map and a text over several lines are in the way.
 *
 * @param comment The comment for the end of the line, with its `#`; absent = the line keeps its own.
 */
export function setEntry(outline: Outline, entry: EntryOutline, value: string, comment?: string): EditPlan {
  const { name, value: old, keyEnd, colonEnd } = entry;
  const refuse = (what: string): EditPlan => ({ inTheWay: { offset: old.start, what } });
  if (old.kind === "alias") return refuse(`the value of \`${name}\` is an alias and`);
  if (old.kind === "map" || old.kind === "other" || outline.text.slice(old.start, old.end).includes("\n")) {
    return refuse(`the value of \`${name}\``);
  }
  // A value that is not there may be placed on a later line, behind comments: it belongs behind the colon.
  const end = old.kind === "none" ? colonEnd ?? keyEnd : old.end;
  const start = old.kind === "none" ? end : old.start;
  const lead = old.kind !== "none" ? "" : colonEnd === undefined ? ": " : " ";
  const splices: Splice[] = [{ start, end, text: lead + scalarText(value, old.kind) }];
  if (comment !== undefined) splices.push(setLineComment(outline, end, comment));
  return { splices };
}
