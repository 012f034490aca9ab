import type { HarnessName } from "../../agents/may_use.ts";
import type { Harness, SessionRecord, Turn } from "../types.ts";

/** What a {@link FakeHarness} does with a turn. */
export type FakeTurn = (turn: Turn) => Promise<void>;

/** A harness whose turns are functions: the first prompt's words name which. */
export class FakeHarness implements Harness {
  readonly name: HarnessName;
  /** Every turn it was given. */
  readonly turns: Turn[] = [];
  /** Every session it was told to forget, with what it had saved. */
  readonly forgotten: { session: SessionRecord; saved: string | undefined }[] = [];
  /** What the next turns do; by default one message that repeats the prompt. */
  play: FakeTurn = echo;
  /** What `check` throws. */
  missing: Error | undefined;
  disposed = false;

  constructor(name: HarnessName = "experimental") {
    this.name = name;
  }

  run(turn: Turn): Promise<void> {
    this.turns.push(turn);
    return this.play(turn);
  }

  check(): Promise<void> {
    return this.missing === undefined ? Promise.resolve() : Promise.reject(this.missing);
  }

  forget(session: SessionRecord, saved: string | undefined): Promise<void> {
    this.forgotten.push({ session, saved });
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
    return Promise.resolve();
  }
}

/** Answers with the prompt. */
export function echo({ prompt, report }: Turn): Promise<void> {
  const message = report.beginMessage();
  report.addText(message, prompt);
  report.endMessage(message, { text: prompt });
  return Promise.resolve();
}

/** Goes on until the turn is aborted, then rejects as a harness does. */
export function untilAborted({ signal }: Turn): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
