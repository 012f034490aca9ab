import assert from "node:assert/strict";
import { LineSplitter } from "./line_splitter.ts";

function lines(limit: number, ...chunks: string[]): string[] {
  const splitter = new LineSplitter(limit);
  const found: string[] = [];
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const buffer = new Uint8Array(1024);
  for (const chunk of chunks) {
    // The same buffer each time, as a reader has it.
    const { written } = new TextEncoder().encodeInto(chunk, buffer);
    splitter.push(
      buffer.subarray(0, written),
      (line, complete) => found.push(text(line) + (complete ? "" : "…")),
    );
  }
  const rest = text(splitter.end());
  return rest === "" ? found : [...found, `${rest}|`];
}

Deno.test("LineSplitter: lines however they are cut", () => {
  assert.deepEqual(lines(100, "a\nb\n"), ["a", "b"]);
  assert.deepEqual(lines(100, "a", "b", "\nc", "\n", "\n"), ["ab", "c", ""]);
  assert.deepEqual(lines(100, "a\nb"), ["a", "b|"]);
  assert.deepEqual(lines(100), []);
  assert.deepEqual(lines(4, "abcdef", "gh\nij\n"), ["abcdef…", "gh", "ij"]);
  assert.deepEqual(lines(4, "ab", "cd", "ef\n"), ["abcd…", "ef"]);
});
