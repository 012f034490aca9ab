import assert from "node:assert/strict";
import { exactPayload, type ToolDeclaration } from "./request_payload.ts";

const ODD: ToolDeclaration = {
  name: "odd",
  description: "",
  parameters: { type: "object", $defs: { N: {} }, title: "T" },
};

Deno.test("exactPayload: a tool's own schema and output, and no bound on the answer", () => {
  const payload = {
    model: "m",
    max_completion_tokens: 5,
    max_tokens: 5,
    tools: [{ type: "function", function: { name: "odd", parameters: { type: "object" } } }],
    messages: [
      { role: "tool", tool_call_id: "c1", content: "(no tool output)" },
      { role: "tool", tool_call_id: "c2", content: "(no tool output)" },
      { role: "tool", tool_call_id: "c3", content: "x" },
      { role: "user", content: "(no tool output)" },
    ],
  };
  // The output of c2 was these very words.
  exactPayload(payload, "openai-completions", [ODD], new Map([["c1", " \n"]]));
  assert.deepEqual(payload, {
    model: "m",
    tools: [{ type: "function", function: { name: "odd", parameters: ODD.parameters } }],
    messages: [
      { role: "tool", tool_call_id: "c1", content: " \n" },
      { role: "tool", tool_call_id: "c2", content: "(no tool output)" },
      { role: "tool", tool_call_id: "c3", content: "x" },
      { role: "user", content: "(no tool output)" },
    ],
  } as unknown);
});

Deno.test("exactPayload: Anthropic's API gets the schema unless it would refuse the request for it", () => {
  for (
    const [parameters, unchanged] of [
      [ODD.parameters, true],
      [{ type: "object", anyOf: [] }, false],
      [{ type: "object", oneOf: [] }, false],
      [{ type: "object", allOf: [] }, false],
      [{ required: ["a"] }, false],
      [{ type: "object", properties: { a: { anyOf: [] } } }, true],
    ] as const
  ) {
    const payload = { max_tokens: 5, tools: [{ name: "odd", input_schema: { type: "object" } as unknown }] };
    exactPayload(payload, "anthropic-messages", [{ ...ODD, parameters }], new Map());
    assert.equal(payload.max_tokens, 5);
    assert.equal(payload.tools[0]!.input_schema === parameters, unchanged, JSON.stringify(parameters));
  }
});

Deno.test("exactPayload: another form of request is left alone", () => {
  for (const payload of [null, "x", [], { tools: {} }, { tools: [null, {}], messages: [null] }]) {
    const before = structuredClone(payload);
    exactPayload(payload, "openai-completions", [ODD], new Map());
    assert.deepEqual(payload, before);
  }
});
