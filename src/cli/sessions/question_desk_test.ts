import assert from "node:assert/strict";
import { BeeuniError } from "../../errors/error.ts";
import type { QuestionRecord } from "../../sessions/types.ts";
import { InputLines } from "./input_lines.ts";
import { QuestionDesk } from "./question_desk.ts";

const PERMISSION: QuestionRecord = {
  id: "q1",
  session: "ses_1",
  kind: "permission",
  tool: "bash",
  text: "git push\x1b[1A",
  created: "2026-12-01T10:00:00.000Z",
  deadline: "2026-12-01T10:01:00.123Z",
};
const CHOICE: QuestionRecord = {
  ...PERMISSION,
  id: "q2",
  kind: "question",
  tool: "question",
  text: "Which colour?",
  options: ["blue", "dark red"],
};

/** A desk at which `typed` is typed, one line for each wait; the last wait goes on for ever. */
function desk(typed: (string | undefined)[] | undefined, fails = false) {
  const notes: string[] = [];
  const answers: string[] = [];
  const options = {
    note: (text: string) => void notes.push(text),
    answer: (question: QuestionRecord, answer: string) => {
      if (fails) return Promise.reject(new BeeuniError("question_not_found", "it is over."));
      answers.push(`${question.id} ${answer}`);
      return Promise.resolve();
    },
  };
  const input = {
    next: (signal: AbortSignal) => {
      if (typed !== undefined && typed.length > 0) return Promise.resolve(typed.shift());
      return new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    },
  };
  return { notes, answers, desk: new QuestionDesk(typed === undefined ? options : { ...options, input }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("where nobody sits it is said how to answer, and until when; once", () => {
  const { desk: one, notes } = desk(undefined);
  one.update([PERMISSION]);
  one.update([PERMISSION, CHOICE, { ...CHOICE, id: "q3", options: [] }]);
  assert.deepEqual(notes, [
    "beeuni: bash needs your permission: git push\\x1b[1A",
    "  → Answer with `beeuni sessions answer ses_1 once|always|reject` until 2026-12-01T10:01:00Z.",
    "beeuni: the agent asks: Which colour?",
    "  1. blue",
    "  2. dark red",
    '  → Answer with `beeuni sessions answer ses_1 blue|"dark red"` until 2026-12-01T10:01:00Z.',
    "beeuni: the agent asks: Which colour?",
    "  → Answer with `beeuni sessions answer ses_1 <text>` until 2026-12-01T10:01:00Z.",
  ]);
});

Deno.test("at a terminal each question is asked, one after the other, until there is an answer", async () => {
  const { desk: one, notes, answers } = desk(["what?", "always", "2"]);
  one.update([PERMISSION, CHOICE]);
  await settled();
  assert.deepEqual(answers, ["q1 always", "q2 dark red"]);
  assert.deepEqual(notes, [
    "beeuni: bash needs your permission: git push\\x1b[1A",
    "  → once, always or reject? (until 2026-12-01T10:01:00Z)",
    "  → once, always or reject?",
    "beeuni: the agent asks: Which colour?",
    "  1. blue",
    "  2. dark red",
    "  → Its number or its words? (until 2026-12-01T10:01:00Z)",
  ]);
});

Deno.test("a question that was answered elsewhere is not asked any further; the next one is", async () => {
  const { desk: one, notes, answers } = desk([]);
  one.update([PERMISSION, CHOICE]);
  await settled();
  one.update([CHOICE]);
  await settled();
  assert.deepEqual(answers, []);
  assert.equal(notes[2], "  (answered elsewhere, or too late)");
  assert.equal(notes[3], "beeuni: the agent asks: Which colour?");
});

Deno.test("an input that ended, and an answer that comes too late, are told", async () => {
  const ended = desk([undefined]);
  ended.desk.update([PERMISSION]);
  await settled();
  assert.match(
    ended.notes.at(-1) ?? "",
    /^ {2}→ Answer with `beeuni sessions answer ses_1 once\|always\|reject`/,
  );
  const late = desk(["once"], true);
  late.desk.update([PERMISSION]);
  await settled();
  assert.equal(late.notes.at(-1), "beeuni: the answer did not arrive: it is over.");
});

Deno.test("a line that was typed while nothing was asked answers nothing", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const type = (text: string) => writer.write(new TextEncoder().encode(text));
  const lines = new InputLines(() => readable);
  const { signal } = new AbortController();
  const first = lines.next(signal);
  await type("on");
  await type("ce\nalways\n");
  assert.equal(await first, "once");
  await settled();
  const second = lines.next(signal);
  await settled();
  await type("reject\n");
  assert.equal(await second, "reject");
  const over = new AbortController();
  const third = lines.next(over.signal);
  over.abort();
  assert.equal(await third, undefined);
  const fourth = lines.next(signal);
  await writer.close();
  assert.equal(await fourth, undefined);
  assert.equal(await lines.next(signal), undefined);
});
