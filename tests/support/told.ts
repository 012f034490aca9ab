import assert from "node:assert/strict";
import type { Answer } from "./daemon.ts";
import { assertReadable } from "./readable.ts";

/** A check of an answer. */
export type Check = (answer: Answer) => void;

/** The call succeeded with exactly this output, or one that matches. */
export function output(expected: string | RegExp): Check {
  return ({ status, body }) => {
    assert.equal(status, 200, JSON.stringify(body).slice(0, 2_000));
    if (typeof expected === "string") assert.equal(body.output, expected);
    else assert.match(body.output, expected);
  };
}

/** The call failed with this status and code, and a readable message that is or matches `message`. */
export function refusal(status: number, code: string, message: string | RegExp): Check {
  return (answer) => {
    const { body } = answer;
    assert.deepEqual([answer.status, body.code], [status, code], JSON.stringify(body).slice(0, 2_000));
    assertReadable(body.error);
    if (typeof message === "string") assert.equal(body.error, message);
    else assert.match(body.error, message);
  };
}

/** The tool failed (422) with a message. */
export function toolError(message: string | RegExp): Check {
  return refusal(422, "tool_failed", message);
}

/** The call ran into its deadline (504). */
export const timedOut: Check = refusal(504, "timed_out", /./);

/** The sandbox died (502) and the call may be tried again. */
export function died(message: string | RegExp): Check {
  const check = refusal(502, "sandbox_died", message);
  return (answer) => {
    check(answer);
    assert.equal(answer.body.retryable, true);
  };
}

/** One of several outcomes, where the specification leaves the choice. */
export function oneOf(...checks: readonly Check[]): Check {
  return (answer) => {
    const failures: string[] = [];
    for (const check of checks) {
      try {
        return check(answer);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
    assert.fail(failures.join("\nor "));
  };
}
