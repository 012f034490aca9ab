import assert from "node:assert/strict";
import type { Agent } from "../../manifest/model.ts";
import { EVERY_TOOL } from "../../manifest/tool_list.ts";
import type { QuestionRequest } from "../../sessions/types.ts";
import { PermissionGate } from "./permission_gate.ts";

/** A gate whose questions a test sees, and answers with `once`. */
function gate(): {
  asked: QuestionRequest[];
  check: (tool: string, args: Record<string, unknown>) => Promise<unknown>;
} {
  const asked: QuestionRequest[] = [];
  const agent: Agent = {
    name: "beeuni",
    tools: EVERY_TOOL,
    secrets: "none",
    permission: new Map([["*", new Map([["*", "ask"]])]]),
  };
  const one = new PermissionGate({
    root: "/project",
    ask: (question) => (asked.push(question), Promise.resolve("once")),
    mask: (text) => text.replaceAll("hunter2", "***"),
    always: [],
  });
  const { signal } = new AbortController();
  return {
    asked,
    check: async (tool, args) => await one.check({ call: "c1", tool, args, agents: [agent], signal }),
  };
}

Deno.test("a question shows the end of what it is about too, and says what is left out", async () => {
  const { asked, check } = gate();
  await check("bash", { command: `echo ${"a".repeat(5000)} hunter2` });
  await check("other", { text: `${"b".repeat(3000)} and the end` });
  await check("bash", { command: "git status" });
  const [long, args, short] = asked.map(({ text }) => text);
  assert.match(long!, /^echo a+\n\[… 3009 characters are left out here …\]\na+ \*\*\*$/);
  assert.match(args!, /^\{"text":"b+\n\[… \d+ characters are left out here …\]\nb+ and the end"\}$/);
  assert.equal(short, "git status");
});
