import assert from "node:assert/strict";
import { shellWord } from "./shell_word.ts";

Deno.test("shellWord: what a shell reads is the word", async () => {
  const words = ["tools/x.ts", "a b", "it's", "$(id)", "*", "", "a\nb", "-n", "ü", "`x`", '"', "\\"];
  for (const word of words) {
    const { stdout } = await new Deno.Command("sh", { args: ["-c", `printf %s ${shellWord(word)}`] })
      .output();
    // printf itself takes `-n` for an option on some systems; `%s` before it keeps it a text
    assert.equal(new TextDecoder().decode(stdout), word);
  }
  assert.equal(shellWord("tools/web_search.ts"), "tools/web_search.ts");
});
