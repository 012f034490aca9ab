import assert from "node:assert/strict";
import type { HarnessName } from "../../src/agents/may_use.ts";
import type { SessionState, ToolCallRecord, ToolStatus } from "../../src/sessions/types.ts";
import { assertReadable } from "./readable.ts";
import type { ScriptStep } from "./scripted_model.ts";
import { HARNESSES, type SessionBench, type TurnResult } from "./sessions.ts";

/** How a tool call of a scenario has to go. */
export interface ExpectedCall {
  tool: string;
  status: ToolStatus;
  /** Its whole output, or what the output matches; anything without. */
  output?: string | RegExp;
  /** Its whole error, or what the error matches; none without. */
  error?: string | RegExp;
}

/** One turn that runs on both harnesses, and how it has to go on each. */
export interface Scenario {
  name: string;
  /** Default the project's. */
  agent?: string;
  steps: readonly ScriptStep[];
  /** Answers to questions, in order; none may be asked besides. */
  answers?: readonly string[];
  /** The same on both harnesses, unless it is a function: then the calls of the two are not compared. */
  calls: readonly ExpectedCall[] | ((harness: HarnessName) => readonly ExpectedCall[]);
  /** Default `completed`. */
  state?: SessionState;
  /** The harnesses take turns: the tools change the same files. Called before each. */
  alone?: (bench: SessionBench) => void;
  /** Anything else that has to hold after the turn. */
  check?: (turn: TurnResult, bench: SessionBench, harness: HarnessName) => void | Promise<void>;
}

/** Runs a scenario on both harnesses; what the tools gave has to be what is expected, and the same on both. */
export async function runScenario(bench: SessionBench, scenario: Scenario): Promise<void> {
  const { agent, answers = [] } = scenario;
  const run = (harness: HarnessName) =>
    bench.turn(scenario.steps, { harness, answers, ...(agent === undefined ? {} : { agent }) });
  const turns: TurnResult[] = [];
  if (scenario.alone === undefined) {
    turns.push(...await Promise.all(HARNESSES.map(run)));
  } else {
    for (const harness of HARNESSES) {
      scenario.alone(bench);
      turns.push(await run(harness));
      await scenario.check?.(turns.at(-1)!, bench, harness);
    }
  }
  for (const [index, harness] of HARNESSES.entries()) {
    const turn = turns[index]!;
    assertTurn(turn, scenario, harness);
    if (scenario.alone === undefined) await scenario.check?.(turn, bench, harness);
  }
  if (typeof scenario.calls !== "function") {
    const [first, second] = turns;
    assert.deepEqual(comparable(first!), comparable(second!), "the harnesses differ");
  }
}

function assertTurn(turn: TurnResult, scenario: Scenario, harness: HarnessName): void {
  const { calls, state = "completed", answers = [] } = scenario;
  const expected = typeof calls === "function" ? calls(harness) : calls;
  const told = `on ${harness}: ${JSON.stringify(turn.messages, null, 1).slice(0, 6_000)}`;
  assert.equal(turn.state, state, told);
  assert.deepEqual(
    turn.calls.map(({ tool, status }) => [tool, status]),
    expected.map(({ tool, status }) => [tool, status]),
    told,
  );
  turn.calls.forEach((call, index) => assertCall(call, expected[index]!, told));
  assert.equal(turn.questions.length, answers.length, `not all was asked ${told}`);
  const [prompt, ...rest] = turn.messages;
  assert.equal(prompt?.role, "user", told);
  assert.ok(rest.every(({ role }) => role === "assistant"), told);
}

function assertCall(call: ToolCallRecord, expected: ExpectedCall, told: string): void {
  assertText(call.output, expected.output, `output ${told}`);
  if (expected.error === undefined) assert.equal(call.error, undefined, told);
  else assertReadable(call.error ?? "");
  assertText(call.error, expected.error, `error ${told}`);
  assert.ok(call.ms >= 0 && Number.isFinite(call.ms), told);
}

function assertText(text: string | undefined, expected: string | RegExp | undefined, told: string): void {
  if (expected === undefined) return;
  if (typeof expected === "string") assert.equal(text, expected, told);
  else assert.match(text ?? "", expected, told);
}

/** What both harnesses have to give alike: calls without times, random names and the session's own paths. */
export function comparable({ session, calls }: TurnResult): unknown {
  const plain = (text: string | undefined) =>
    text?.replaceAll(session.id, "<session>")
      .replace(/(<session>\/[a-z0-9_]+)-[\w.-]+?\.(txt|json)/g, "$1-<random>.$2")
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
  return calls.map(({ tool, status, args, output, error, file }) => ({
    tool,
    status,
    args: plain(JSON.stringify(args)),
    output: plain(output),
    error: plain(error),
    file: plain(file),
  }));
}
