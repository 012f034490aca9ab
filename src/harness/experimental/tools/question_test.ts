import assert from "node:assert/strict";
import { questionTool } from "./question.ts";
import { CallBench } from "./testing/call_bench.ts";

/** Calls the tool; gives its output and what was asked. */
async function ask(questions: unknown, answers: (string | null)[]) {
  await using bench = await CallBench.make();
  const asked: [text: string, options: readonly string[] | undefined][] = [];
  const output = await bench.call(questionTool, { questions }, {
    ask: (text, options) => {
      asked.push([text, options]);
      return Promise.resolve(answers[asked.length - 1] ?? null);
    },
  });
  return { output, asked };
}

const option = (label: string, description = "") => ({ label, description });

Deno.test("question: each is asked in its turn, with its options", async () => {
  const { output, asked } = await ask([
    { question: "Which colour?", header: "Colour", options: [option("Red", "warm"), option("Blue")] },
    { question: "Which ones?", header: "Ones", options: [option("A"), option("B")], multiple: true },
    { question: "Why?", header: "Why", options: [] },
  ], ["Red", "A, B", 'Because of "it"']);
  assert.deepEqual(asked, [
    ["Which colour?\n- Red: warm", ["Red", "Blue"]],
    ["Which ones?\n(Several answers are fine: separate them with commas.)", ["A", "B"]],
    ["Why?", []],
  ]);
  assert.equal(
    output,
    'The user\'s answers: "Which colour?"="Red", "Which ones?"="A, B", "Why?"="Because of "it"". ' +
      "Go on with these answers in mind.",
  );
});

Deno.test("question: where nobody answers, the others are not asked", async () => {
  const one = (question: string) => ({ question, header: "", options: [] });
  const { output, asked } = await ask([one("1?"), one("2?"), one("3?")], ["yes", null]);
  assert.deepEqual(asked.map(([text]) => text), ["1?", "2?"]);
  assert.equal(
    output,
    'The user\'s answers: "1?"="yes", "2?"=unanswered, "3?"=unanswered. Nobody answered in time: go on as seems best, and ' +
      "say what you assumed.",
  );
});

Deno.test("question: nothing is asked while one of them is wrong", async () => {
  const good = { question: "ok?", header: "", options: [] };
  const cases: [unknown, RegExp][] = [
    [undefined, /"questions" of question is missing: it must be a list/],
    ["ok?", /must be a list, not "ok\?"/],
    [[], /Ask 1 to 10 questions, not 0/],
    [Array(11).fill(good), /not 11/],
    [[good, { header: "x", options: [] }], /Question 2: The argument "question" of question is missing/],
    [[good, "x"], /Question 2: /],
    [[{ ...good, options: "a" }], /Question 1: The argument "options" of question must be a list/],
    [[{ ...good, options: [{}] }], /Question 1: The argument "label" of question is missing/],
  ];
  for (const [questions, message] of cases) {
    const asked: string[] = [];
    await using bench = await CallBench.make();
    const call = bench.call(questionTool, { questions }, {
      ask: (text) => {
        asked.push(text);
        return Promise.resolve("x");
      },
    });
    await assert.rejects(call, message);
    assert.deepEqual(asked, []);
  }
});
