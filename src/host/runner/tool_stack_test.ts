import assert from "node:assert/strict";
import { toolStack } from "./tool_stack.ts";

const OURS = "file:///opt/engine/host/";

Deno.test("toolStack: only the frames of the tool and its packages stay", () => {
  const cases: [stack: string[], left: string[]][] = [
    [
      [
        "Error: orders API answered 404",
        "    at Object.execute (file:///project/tools/lookup_order.ts:12:29)",
        "    at async ToolCalls.run (file:///opt/engine/host/runner/bootstrap.js:107:1492)",
      ],
      [
        "Error: orders API answered 404",
        "    at Object.execute (file:///project/tools/lookup_order.ts:12:29)",
      ],
    ],
    [
      [
        "TypeError: fetch failed",
        "    at async fetch (ext:deno_fetch/26_fetch.js:2:7360)",
        "    at async file:///project/host/runner/tool.ts:8:22",
        "    at file:///opt/engine/host/runner/bootstrap.js:1:1",
      ],
      ["TypeError: fetch failed", "    at async file:///project/host/runner/tool.ts:8:22"],
    ],
    [["NotJsonError: no", "    at lost (file:///opt/engine/host/runner/bootstrap.js:1:1)"], [
      "NotJsonError: no",
    ]],
    [["Error: see ext:deno and file:///opt/engine/host/", "", "last"], [
      "Error: see ext:deno and file:///opt/engine/host/",
      "",
      "last",
    ]],
    [[""], [""]],
    [["Error: x", ""], ["Error: x", ""]],
  ];
  for (const [stack, left] of cases) assert.equal(toolStack(stack.join("\n"), OURS), left.join("\n"));
});

Deno.test("toolStack: ours are the files of the host's folder", () => {
  assert.doesNotMatch(toolStack(new Error("here").stack ?? ""), /tool_stack_test/);
});
