import assert from "node:assert/strict";
import { SYS_KINDS } from "./patterns.ts";

Deno.test("SYS_KINDS are words that Deno takes", async () => {
  const script = "data:text/javascript,";
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", `--allow-sys=${SYS_KINDS.join(",")}`, script],
    stdout: "null",
    stderr: "null",
  }).output();
  assert.ok(success);
});
