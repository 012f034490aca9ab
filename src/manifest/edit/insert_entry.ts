import { lineBreak, lineEnd, lineStart, nextLine } from "./lines.ts";
import { setLineComment } from "./line_comment.ts";
import type { EntryOutline, MapOutline, Outline } from "./outline.ts";
import type { EditPlan } from "./refusal.ts";
import { scalarText } from "./scalar_text.ts";
import type { Splice } from "./splice.ts";

/** A line to add to a section. */
export interface NewEntry {
  name: string;
  value: string;
  /** Comment for the end of the line, with its `#`. */
  comment?: string;
}

/**
 * Adds an entry at the end of a section that exists (specification 1.8).
 *
 * In a block it goes directly after the last entry, indented as its siblings; comments that follow stay after it. In a
 * section without entries it goes below the comments there. In a flow map it goes inside the braces. An alias, a merge key
 * and a value of another kind are in the way.
 */
export function insertEntry(outline: Outline, section: EntryOutline, entry: NewEntry): EditPlan {
  const { name, value, colonEnd } = section;
  const refuse = (offset: number, what: string): EditPlan => ({ inTheWay: { offset, what } });
  if (colonEnd === undefined) return refuse(section.keyStart, `\`${name}\` without a colon`);
  switch (value.kind) {
    case "map": {
      const merge = value.entries.find(({ name }) => name === "<<");
      if (merge !== undefined) return refuse(merge.keyStart, "the merge key `<<`");
      if (value.flow) return { splices: insertInFlow(outline, value, entry) };
      const last = value.entries.at(-1);
      if (last === undefined) return refuse(value.start, `\`${name}\``);
      return { splices: [newLine(outline, endOf(last), value.indent, entry)] };
    }
    case "none":
      return { splices: [firstChild(outline, section, entry)] };
    case "plain": {
      // `tools: null` and `tools: ~` say the same as `tools:`.
      if (!/^(?:~|null|Null|NULL)$/.test(outline.text.slice(value.start, value.end))) {
        return refuse(value.start, `\`${name}\``);
      }
      const nothing = { start: colonEnd, end: value.end, text: "" };
      return { splices: [nothing, firstChild(outline, section, entry)] };
    }
    default:
      return refuse(value.start, value.kind === "alias" ? `\`${name}\` is an alias and` : `\`${name}\``);
  }
}

/** `name: value  # comment` */
export function entryLine({ name, value, comment }: NewEntry): string {
  return `${name}: ${scalarText(value)}${comment === undefined ? "" : `  ${comment}`}`;
}

/** Where an entry's own text ends: its value, or the colon when it has none. */
function endOf({ value, colonEnd, keyEnd }: EntryOutline): number {
  return value.kind === "none" ? colonEnd ?? keyEnd : value.end;
}

/** A line after the one that holds `after`; a missing final line break stays missing. */
function newLine({ text }: Outline, after: number, indent: number, entry: NewEntry): Splice {
  const line = " ".repeat(indent) + entryLine(entry);
  // A text in block style ends behind its last line break.
  if (text[after - 1] === "\n") return { start: after, end: after, text: line + lineBreak(text) };
  const end = lineEnd(text, after);
  return { start: end, end, text: lineBreak(text) + line };
}

/** The first entry of a section: below the comments that belong to it. */
function firstChild(outline: Outline, section: EntryOutline, entry: NewEntry): Splice {
  const { text } = outline;
  const own = lineEnd(
    text,
    section.value.kind === "plain" ? section.value.end : section.colonEnd ?? section.keyEnd,
  );
  const parentIndent = outline.root?.indent ?? 0;
  let after = own;
  let indent: number | undefined;
  let adjacent = true;
  for (let at = nextLine(text, own); at < Math.min(text.length, outline.end); at = nextLine(text, at)) {
    const written = text.slice(at, lineEnd(text, at));
    const column = written.search(/\S/);
    if (column === -1) {
      adjacent = false;
      continue;
    }
    if (written[column] !== "#") break;
    if (column <= parentIndent && !(adjacent && isLastOfItsKind(text, at))) break;
    if (column > parentIndent && /^ *#/.test(written)) indent ??= column;
    after = lineEnd(text, at);
  }
  return newLine(outline, after, indent ?? parentIndent + childIndent(outline), entry);
}

/** Whether the run of comment lines at `at` ends with an empty line or the text, not with the next key. */
function isLastOfItsKind(text: string, at: number): boolean {
  for (let line = at; line < text.length; line = nextLine(text, line)) {
    const written = text.slice(line, lineEnd(text, line)).trim();
    if (written === "") return true;
    if (!written.startsWith("#")) return false;
  }
  return true;
}

/** How far the file indents the entries of its other sections; 2 when there are none. */
function childIndent({ root }: Outline): number {
  for (const { value } of root?.entries ?? []) {
    if (value.kind === "map" && !value.flow && value.indent > (root?.indent ?? 0)) {
      return value.indent - (root?.indent ?? 0);
    }
  }
  return 2;
}

function insertInFlow(outline: Outline, map: MapOutline, entry: NewEntry): Splice[] {
  const { text } = outline;
  const inside = `${entry.name}: ${scalarText(entry.value)}`;
  const last = map.entries.at(-1);
  if (last === undefined) {
    const open = map.start + 1;
    const spaced = /\s/.test(text[open] ?? "");
    const splices = [{ start: open, end: open, text: spaced ? ` ${inside}` : inside }];
    return entry.comment === undefined ? splices : [...splices, setLineComment(outline, open, entry.comment)];
  }
  const end = endOf(last);
  const comma = trailingComma(outline, end, map.end - 1);
  const lineFrom = lineStart(text, last.keyStart);
  const lead = text.slice(lineFrom, last.keyStart);
  if (/^[ \t]*$/.test(lead) && text.slice(end, map.end).includes("\n")) {
    // One entry a line: another line.
    const line = `${lineBreak(text)}${lead}${inside}${comma === undefined ? "" : ","}`;
    const at = lineEnd(text, comma ?? end);
    const added = {
      start: at,
      end: at,
      text: line + (entry.comment === undefined ? "" : `  ${entry.comment}`),
    };
    return comma === undefined ? [{ start: end, end, text: "," }, added] : [added];
  }
  const at = comma === undefined ? end : comma + 1;
  const splices = [{ start: at, end: at, text: `${comma === undefined ? "," : ""} ${inside}` }];
  return entry.comment === undefined ? splices : [...splices, setLineComment(outline, at, entry.comment)];
}

/** Where a comma stands between the last entry and the closing brace. */
function trailingComma({ text, comments }: Outline, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    if (comments.has(at)) at = lineEnd(text, at);
    else if (text[at] === ",") return at;
  }
  return undefined;
}
