import { escapeControls } from "../log/escape_controls.ts";

/** Longest piece of a manifest that a message repeats, in UTF-16 units. */
const MAX_QUOTED = 120;

/** A name or value of a manifest as a message shows it: in double quotes, on one line, not endless. */
export function quote(text: string): string {
  return `"${shown(text)}"`;
}

/** The same without quotes, for the path of an issue and for code in a message. */
export function shown(text: string): string {
  const short = text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`;
  return escapeControls(short).replaceAll("\t", "\\t");
}
