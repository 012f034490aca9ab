import assert from "node:assert/strict";
import type { Agent } from "../manifest/model.ts";
import { agentMayUse, type HarnessName, mayUse } from "./may_use.ts";
import { toolList } from "../manifest/tool_list.ts";

const BOTH: HarnessName[] = ["standard", "experimental"];

Deno.test("mayUse: own entry, else *, else yes", () => {
  const cases: [tools: unknown, tool: string, expected: boolean][] = [
    [undefined, "show", true],
    ["none", "show", false],
    [["show"], "show", true],
    [["show"], "memory", false],
    [{ exclude: ["show"] }, "show", false],
    [{ exclude: ["show"] }, "memory", true],
    [{ "*": false, show: true }, "show", true],
    [{ "*": false, show: true }, "memory", false],
    [{ bash: false }, "__proto__", true],
    [["show"], "__proto__", false],
    [["show"], "constructor", false],
  ];
  for (const [tools, tool, expected] of cases) {
    for (const harness of BOTH) {
      assert.equal(mayUse(toolList(tools), tool, harness), expected, JSON.stringify([tools, tool]));
    }
  }
});

Deno.test("mayUse: names are grouped on the standard harness only", () => {
  const cases: [tools: unknown, tool: string, standard: boolean, experimental: boolean][] = [
    [["write"], "edit", true, false],
    [["write"], "apply_patch", true, false],
    [["apply_patch"], "write", true, false],
    [["edit"], "edit", true, true],
    [{ exclude: ["write"] }, "edit", false, true],
    [{ exclude: ["edit"] }, "apply_patch", false, true],
    [{ exclude: ["edit"] }, "edit", false, false],
    [{ write: true, edit: false }, "write", false, true],
    [{ edit: false, write: true }, "write", false, true],
    [["bash"], "pty_spawn", true, false],
    [{ exclude: ["bash"] }, "pty_spawn", false, true],
    [{ exclude: ["pty_spawn"] }, "bash", true, true],
    [{ exclude: ["pty_spawn"] }, "pty_spawn", false, false],
    [["pty_spawn"], "bash", false, false],
    [["write"], "patch", false, false],
    [["bash"], "edit", false, false],
  ];
  for (const [tools, tool, standard, experimental] of cases) {
    const list = toolList(tools);
    assert.equal(mayUse(list, tool, "standard"), standard, `standard ${JSON.stringify([tools, tool])}`);
    assert.equal(mayUse(list, tool, "experimental"), experimental, JSON.stringify([tools, tool]));
  }
});

Deno.test("agentMayUse: an agent that is not declared may use nothing", () => {
  const agent = (name: string, tools: unknown): [string, Agent] => [name, {
    name,
    tools: toolList(tools),
    secrets: "none",
  }];
  const agents = new Map([agent("beeuni", "all"), agent("greeter", "none")]);
  for (const harness of BOTH) {
    assert.equal(agentMayUse({ agents }, "beeuni", "show", harness), true);
    assert.equal(agentMayUse({ agents }, "greeter", "show", harness), false);
    for (const unknown of ["", "nobody", "__proto__", "constructor", "BEEUNI"]) {
      assert.equal(agentMayUse({ agents }, unknown, "show", harness), false, unknown);
    }
  }
});
