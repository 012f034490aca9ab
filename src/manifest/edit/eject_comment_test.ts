import assert from "node:assert/strict";
import { ejectComments } from "./eject_comment.ts";

Deno.test("ejectComments reads the comment of the tool's own line", () => {
  const cases: [text: string, tool: string, from: string | undefined][] = [
    ["tools:\n  memory: tools/memory.ts  # ejected from beeuni:memory\n", "memory", "memory"],
    ["tools:\r\n  memory: tools/memory.ts  # ejected from beeuni:memory\r\n", "memory", "memory"],
    ["tools:\n  memory: 'tools/memory.ts'  # ejected from beeuni:memory", "memory", "memory"],
    ["tools:\n  memory:\n    tools/memory.ts  # ejected from beeuni:memory\n", "memory", "memory"],
    ["tools:\n  ? memory\n  : tools/memory.ts  # ejected from beeuni:memory\n", "memory", "memory"],
    ["tools:\n  notes: tools/memory.ts  # ejected from beeuni:memory\n", "notes", "memory"],
    ["tools: {memory: m.ts, show: s.ts}  # ejected from beeuni:memory\n", "memory", "memory"],
    ["tools: {memory: m.ts, show: s.ts}  # ejected from beeuni:memory\n", "show", undefined],
    ["tools: {notes: m.ts}  # ejected from beeuni:memory\n", "notes", "memory"],
    [
      "tools: {\n  memory: m.ts,  # ejected from beeuni:memory\n  show: s.ts\n}\n",
      "show",
      undefined,
    ],
    ["tools:\n  memory: tools/memory.ts  # mine\n", "memory", undefined],
    ["tools:\n  memory: tools/memory.ts\n  # ejected from beeuni:memory\n", "memory", undefined],
    ["# ejected from beeuni:memory\ntools:\n  memory: tools/memory.ts\n", "memory", undefined],
    ["tools:\n  memory: '# ejected from beeuni:memory'\n", "memory", undefined],
    ["tools:\n  memory: tools/memory.ts  # ejected from beeuni:other\n", "memory", undefined],
    ["tools:\n  memory: tools/memory.ts  # ejected from beeuni:memory, then changed\n", "memory", undefined],
    ["agents: {}  # ejected from beeuni:memory\n", "memory", undefined],
  ];
  for (const [text, tool, from] of cases) assert.equal(ejectComments(text).get(tool), from, text);
});
