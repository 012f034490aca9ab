import assert from "node:assert/strict";
import type { Manifest, ToolEntry } from "../manifest/model.ts";
import { missingTool } from "./missing_tool.ts";

const tools: ToolEntry[] = [{ name: "lookup_order", kind: "project", source: "tools/lookup_order.ts" }];
const manifest: Pick<Manifest, "tools"> = { tools };

Deno.test("why a tool is not there", () => {
  const catalogue = {
    failed: [{ name: "bad", source: "tools/bad.ts", error: "tools/bad.ts: it broke" }],
    unused: ["lonely"],
    removed: ["show"],
  };
  const cases: [string, string][] = [
    ["bad", "It did not load: tools/bad.ts: it broke"],
    ["lonely", "No agent may use it: add it to an agent's `tools`."],
    ["show", "The project removed it: add `show: beeuni:show` under `tools:`."],
    ["lokup_order", "Did you mean lookup_order?"],
    ["xyzzy", "`beeuni tools ls` lists the tools."],
  ];
  for (const [name, hint] of cases) {
    const error = missingTool(name, manifest, catalogue);
    assert.deepEqual([error.code, error.message, error.hint], [
      "tool_not_found",
      `no tool named ${name} is loaded`,
      hint,
    ]);
  }
});
