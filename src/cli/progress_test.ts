import assert from "node:assert/strict";
import { startProgress } from "./progress.ts";

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("what is quick shows nothing", async () => {
  let text = "";
  {
    using _progress = startProgress("loads", { animated: true, write: (part) => text += part, delay: 1000 });
  }
  await sleep(5);
  assert.equal(text, "");
});

Deno.test("what takes longer is a plain line where nothing can be redrawn", async () => {
  let text = "";
  {
    using progress = startProgress("loads", { animated: false, write: (part) => text += part, delay: 1 });
    while (text === "") await sleep(1);
    progress.update("loads");
    progress.update("stops");
  }
  assert.equal(text, "loads …\nstops …\n");
});

Deno.test("on a terminal it is one line that is redrawn, and gone at the end", async () => {
  let text = "";
  {
    using _progress = startProgress("loads", { animated: true, write: (part) => text += part, delay: 1 });
    while (text === "") await sleep(1);
  }
  assert.equal(text.startsWith("\r\x1b[2K⠋ loads"), true);
  assert.equal(text.endsWith("\r\x1b[2K"), true);
  assert.equal(text.includes("\n"), false);
});
