import assert from "node:assert/strict";
import type { SubagentRequest } from "../harness_tool.ts";
import { taskTool } from "./task.ts";
import { CallBench } from "./testing/call_bench.ts";

const TOOL = taskTool([{ name: "researcher", description: "Reads\n much." }, {
  name: "writer",
  description: "",
}]);
const ARGS = { description: "Do it", prompt: "Find the bug.", subagent_type: "researcher" };

Deno.test("task: the agents stand in its description, and their names in its schema", () => {
  assert.ok(TOOL.description.endsWith("The agents:\n- researcher: Reads much.\n- writer"));
  assert.deepEqual(TOOL.parameters.required, ["description", "prompt", "subagent_type"]);
});

Deno.test("task: the subagent's last message is the output", async () => {
  await using bench = await CallBench.make();
  const asked: SubagentRequest[] = [];
  const answering = (text: string) => ({
    runSubagent: (request: SubagentRequest) => {
      asked.push(request);
      return Promise.resolve(text);
    },
  });
  assert.equal(await bench.call(TOOL, ARGS, answering("It is in a.ts.")), "It is in a.ts.");
  assert.deepEqual(asked, [{ agent: "researcher", prompt: "Find the bug." }]);
  assert.equal(await bench.call(TOOL, ARGS, answering(" ")), "(the agent ended without a message)");
  const { output, file } = await TOOL.execute(ARGS, bench.context(answering("x\n".repeat(3_000))));
  assert.ok(file !== undefined && output.includes(file));
});

Deno.test("task: what is refused", async () => {
  await using bench = await CallBench.make();
  const runSubagent = () => Promise.reject(new Error("The model does not answer."));
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ ...ARGS, subagent_type: "nobody" }, /nobody can't be started\. Use one of: researcher, writer\./],
    [{ ...ARGS, prompt: "" }, /"prompt" of task must not be empty/],
    [{ prompt: "x" }, /"subagent_type" of task is missing/],
    [ARGS, /The model does not answer\./],
  ];
  for (const [args, message] of cases) await assert.rejects(bench.call(TOOL, args, { runSubagent }), message);
  await assert.rejects(bench.call(TOOL, ARGS), /A subagent can't start another one/);
});
