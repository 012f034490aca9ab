import type { TurnEnd } from "./session_mirror.ts";

/** What a command that waited says of a turn that is over. */
export interface TurnOutcome {
  /** Specification 4.4. */
  exitCode: 0 | 1 | 124 | 130;
  /** What went wrong, a sentence; absent when it ended well. */
  error?: string;
  /** Stable word for it. */
  code?: string;
  /** What to do. */
  hint?: string;
}

/** Why the command itself stopped a turn: `--timeout`, or Ctrl-C. */
export type StopReason = "timeout" | "interrupt";

/**
 * What a turn came to: exit code 0 when it ended well, 124 or 130 when this command stopped it, else 1.
 *
 * @param turn.end How it ended; `undefined` when that could not be waited for.
 * @param turn.timeout `--timeout` as it was given.
 */
export function turnOutcome(
  turn: {
    session: string;
    end: TurnEnd | undefined;
    stopped?: StopReason | undefined;
    timeout?: string | undefined;
  },
): TurnOutcome {
  const { session, end, stopped, timeout } = turn;
  if (end?.state === "completed") return { exitCode: 0 };
  if (stopped === "timeout") {
    return {
      exitCode: 124,
      error: `the turn did not end within ${timeout} and was stopped.`,
      code: "timed_out",
      hint: "Give it more time with --timeout.",
    };
  }
  if (stopped === "interrupt") return { exitCode: 130, error: "the turn was stopped.", code: "aborted" };
  const next = `\`beeuni sessions prompt ${session} --prompt …\``;
  switch (end?.state) {
    case "stopped":
      return { exitCode: 1, error: "the turn was stopped.", code: "aborted", hint: `Go on with ${next}.` };
    case "failed":
      return {
        exitCode: 1,
        error: end.error ?? "the turn failed.",
        code: end.code ?? "harness_failed",
        hint: end.hint ?? `\`beeuni sessions log ${session}\` shows how far it came.`,
      };
    default:
      return {
        exitCode: 1,
        error: "the daemon ended in the midst of the turn.",
        code: "daemon_not_running",
        hint: `Session ${session} goes on with its next prompt: ${next}.`,
      };
  }
}
