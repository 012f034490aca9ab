import assert from "node:assert/strict";
import { typedAnswer } from "./given_answer.ts";

Deno.test("an answer typed at a terminal", () => {
  const permission = { kind: "permission" } as const;
  const choice = { kind: "question", options: ["Blue", "Black", "Red"] } as const;
  const free = { kind: "question", options: [] } as const;
  const cases: [Parameters<typeof typedAnswer>[0], string, string | undefined][] = [
    [permission, "once\r", "once"],
    [permission, " Always ", "always"],
    [permission, "r", "reject"],
    [permission, "", undefined],
    [permission, "1", undefined],
    [permission, "yes", undefined],
    [choice, "red", "Red"],
    [choice, "2", "Black"],
    [choice, "0", undefined],
    [choice, "4", undefined],
    [choice, "bl", undefined],
    [choice, "blu", "Blue"],
    [free, " as you like ", "as you like"],
    [free, "  ", undefined],
  ];
  for (const [question, line, answer] of cases) assert.equal(typedAnswer(question, line), answer, line);
});
