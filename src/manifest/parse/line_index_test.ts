import assert from "node:assert/strict";
import { LineIndex } from "./line_index.ts";

Deno.test("LineIndex.at: CRLF and LF count the same, columns are UTF-16 units", () => {
  for (const newline of ["\n", "\r\n"]) {
    const text = ["a: b", "", "  🌍x", "end"].join(newline);
    const lines = new LineIndex(text);
    assert.deepEqual(lines.at(0), { line: 1, column: 1 });
    assert.deepEqual(lines.at(text.indexOf("🌍")), { line: 3, column: 3 });
    assert.deepEqual(lines.at(text.indexOf("x")), { line: 3, column: 5 });
    assert.deepEqual(lines.at(text.indexOf("end")), { line: 4, column: 1 });
  }
});

Deno.test("LineIndex.at never answers a place outside the text", () => {
  const cases: [text: string, offset: number, line: number, column: number][] = [
    ["", 0, 1, 1],
    ["", 99, 1, 1],
    ["a", 99, 1, 2],
    ["a\n", 2, 1, 2],
    ["a\r\n", 3, 1, 2],
    ["a\n\n", 3, 2, 1],
    ["a\nb", 99, 2, 2],
    ["\n", 1, 1, 1],
    ["a", -1, 1, 1],
  ];
  for (const [text, offset, line, column] of cases) {
    assert.deepEqual(new LineIndex(text).at(offset), { line, column }, JSON.stringify([text, offset]));
  }
});
