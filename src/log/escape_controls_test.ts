import assert from "node:assert/strict";
import { escapeControls } from "./escape_controls.ts";

Deno.test("escapeControls: one line, nothing a terminal acts on", () => {
  const cases: [text: string, expected: string][] = [
    ["plain text, ünïcödé 🌍", "plain text, ünïcödé 🌍"],
    ["a\tb", "a\tb"],
    ["a\nb\r\nc", "a\\nb\\r\\nc"],
    ["\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"],
    ["\x00\x07\x7f\x9b", "\\x00\\x07\\x7f\\x9b"],
    ["left\u202eright", "left\\u202eright"],
    ["", ""],
  ];
  for (const [text, expected] of cases) assert.equal(escapeControls(text), expected);
});
