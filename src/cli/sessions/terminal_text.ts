import { escapeControls } from "../../log/escape_controls.ts";

/**
 * `text` as it may be shown: on a terminal nothing in it drives the terminal, but line breaks and tabs stay. What goes
 * into a file or a pipe is left as it is.
 */
export function terminalText(text: string, terminal: boolean): string {
  return terminal ? text.split(/\r?\n/).map(escapeControls).join("\n") : text;
}
