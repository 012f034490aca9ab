import assert from "node:assert/strict";
import { nearest } from "./nearest.ts";

Deno.test("nearest finds the closest candidate within the limit", () => {
  const tools = ["bash", "read", "web_search", "webfetch", "lsp", "show"];
  const cases: [word: string, limit: number | undefined, expected: string | undefined][] = [
    ["bassh", undefined, "bash"],
    ["bash", undefined, "bash"],
    ["web_serch", undefined, "web_search"],
    ["websearch", undefined, "web_search"],
    ["webserch", undefined, "web_search"],
    ["shw", undefined, "show"],
    ["xyz", undefined, undefined],
    ["lp", undefined, "lsp"],
    ["ls", undefined, "lsp"],
    ["go", undefined, undefined],
    ["", undefined, undefined],
    ["x".repeat(100_000), undefined, undefined],
    ["rd", 2, "read"],
    ["bahs", 2, "bash"],
    ["bahs", 1, undefined],
  ];
  for (const [word, limit, expected] of cases) {
    assert.equal(nearest(word, tools, limit), expected, word.slice(0, 20));
  }
  assert.equal(nearest("aa", ["ab", "ac"]), "ab", "the first of equals");
  assert.equal(nearest("abcd", ["abXX", "abcX"]), "abcX", "the closest, not the first");
});
