// C0 but for the tab, DEL, C1, and the characters that reorder a line on a terminal.
// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * `text` on one line and without anything a terminal would act on: control characters become `\n`, `\r` or `\xNN`.
 *
 * What a tool prints reaches a person's terminal through the log; it must not move the cursor or hide a line.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}
