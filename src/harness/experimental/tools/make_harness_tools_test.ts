import assert from "node:assert/strict";
import { checkParameters } from "../../../host/check_parameters.ts";
import { CallBench } from "./testing/call_bench.ts";
import { makeHarnessTools } from "./make_harness_tools.ts";

const NAMES = ["bash", "read", "write", "edit", "glob", "grep", "task", "question", "skill"];

Deno.test("makeHarnessTools: the tools of specification 4.2; task only with an agent to start", async () => {
  await using bench = await CallBench.make();
  const { root } = bench;
  const with_ = await makeHarnessTools({ root, subagents: [{ name: "a", description: "" }] });
  assert.deepEqual(with_.map(({ name }) => name), NAMES);
  const without = await makeHarnessTools({ root, subagents: [] });
  assert.deepEqual(without.map(({ name }) => name), NAMES.filter((name) => name !== "task"));
});

Deno.test("makeHarnessTools: the arguments are OpenCode's", async () => {
  await using bench = await CallBench.make();
  const tools = await makeHarnessTools({ root: bench.root, subagents: [{ name: "a", description: "" }] });
  // As OpenCode 1.18.33 declares them, without what only it has (`task_id` and `command` of task).
  const expected: Record<string, [names: string[], required: string[]]> = {
    bash: [["command", "timeout", "workdir", "description"], ["command"]],
    read: [["filePath", "offset", "limit"], ["filePath"]],
    write: [["content", "filePath"], ["content", "filePath"]],
    edit: [["filePath", "oldString", "newString", "replaceAll"], ["filePath", "oldString", "newString"]],
    glob: [["pattern", "path"], ["pattern"]],
    grep: [["pattern", "path", "include"], ["pattern"]],
    task: [["description", "prompt", "subagent_type"], ["description", "prompt", "subagent_type"]],
    question: [["questions"], ["questions"]],
    skill: [["name"], ["name"]],
  };
  for (const { name, description, parameters } of tools) {
    const [names, required] = expected[name]!;
    assert.deepEqual(Object.keys(parameters.properties as object), names, name);
    assert.deepEqual(parameters.required, required, name);
    assert.equal(parameters.type, "object", name);
    assert.ok(description.length > 50, name);
    assert.equal(await checkParameters(parameters), undefined, name);
  }
});

Deno.test("makeHarnessTools: bash has no secret in its environment", async () => {
  await using bench = await CallBench.make({ "beeuni.yaml": "agents: {}\n" });
  const tools = await makeHarnessTools({
    root: bench.root,
    subagents: [],
    env: { PATH: "/usr/bin:/bin", OPENAI_API_KEY: "sk-1", A: "stored-secret-1", B: "b" },
    mask: (text) => text.replaceAll("stored-secret-1", "***"),
  });
  const tool = (name: string) => tools.find((each) => each.name === name)!;
  assert.equal(await bench.call(tool("bash"), { command: 'echo "$OPENAI_API_KEY-$A-$B"' }), "--b\n");
});
