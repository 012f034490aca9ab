import assert from "node:assert/strict";
import { explainRefusals } from "../runner/refusal.ts";
import { type BunOptions, runRefusal } from "./bun_options.ts";

Deno.test("a refused program names the setting, here or by way of the bootstrap", () => {
  const unnamed: BunOptions = { env: {}, run: false, tmp: "/tmp" };
  const named: BunOptions = { ...unnamed, tool: "lookup" };
  const context = { tool: "lookup", root: "/project", net: true, run: false } as const;
  const cases: [string | undefined, string][] = [
    ["git", 'lookup may not run "git": add it under tool_settings.lookup.permissions.run'],
    [undefined, "lookup may not run programs: add what it needs under tool_settings.lookup.permissions.run"],
  ];
  for (const [program, message] of cases) {
    assert.equal(runRefusal(named, program).message, message);
    const error = runRefusal(unnamed, program);
    assert.ok(error instanceof Deno.errors.NotCapable);
    assert.equal(explainRefusals(error.message, context), message);
  }
});
