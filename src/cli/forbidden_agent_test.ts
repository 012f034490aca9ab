import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { forbiddenAgent } from "./forbidden_agent.ts";

Deno.test("what to change when an agent may not use a tool", () => {
  const cases: [string, string][] = [
    ["narrow", "`agents.narrow.tools` in beeuni.yaml says what it may use."],
    ["narow", "No agent of the project is named narow. Did you mean narrow?"],
    ["xyzzy", "No agent of the project is named xyzzy. Name one of: beeuni, narrow."],
  ];
  for (const [agent, hint] of cases) {
    const cause = new BeeuniError("agent_forbidden", `agent ${agent} may not use show`);
    const error = forbiddenAgent(cause, agent, ["beeuni", "narrow"]);
    assert.deepEqual([error.code, error.message, error.hint], ["agent_forbidden", cause.message, hint]);
  }
});
