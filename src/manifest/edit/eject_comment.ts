import { type BeeuniToolName, isBeeuniTool } from "../../beeuni_tools/registry.ts";
import { lineEnd } from "./lines.ts";
import { outline } from "./outline.ts";

const COMMENT_START = "# ejected from beeuni:";

/** The comment that eject writes at the end of a tool's line (specification 1.8). */
export function ejectComment(name: BeeuniToolName): string {
  return COMMENT_START + name;
}

/** Whether a manifest file may have such a comment: a look that needs no parser. */
export function mayHaveEjectComment(text: string): boolean {
  return text.includes(COMMENT_START);
}

/**
 * The tools whose line says that they were ejected, each with the Beeuni tool it came from.
 *
 * Several tools may stand on one line, in a flow map. Then the comment is about the one it names.
 *
 * @param text A manifest file without its BOM.
 */
export function ejectComments(text: string): Map<string, BeeuniToolName> {
  const ejected = new Map<string, BeeuniToolName>();
  if (!mayHaveEjectComment(text)) return ejected;
  const { comments, root } = outline(text);
  const section = root?.entries.find(({ name }) => name === "tools")?.value;
  if (section?.kind !== "map") return ejected;
  const tools = Map.groupBy(section.entries, ({ value }) => lineEnd(text, value.end));
  for (const comment of comments) {
    const end = lineEnd(text, comment);
    const from = text.slice(comment, end).trimEnd().slice(COMMENT_START.length);
    if (!isBeeuniTool(from) || !text.startsWith(ejectComment(from), comment)) continue;
    const onLine = tools.get(end) ?? [];
    for (const { name } of onLine) {
      if (name === from || onLine.length === 1) ejected.set(name, from);
    }
  }
  return ejected;
}
