import type { Logger } from "../log/logger.ts";
import type { Followers } from "./followers.ts";
import { maskedJson } from "./masked_json.ts";
import type { OpenQuestions } from "./open_questions.ts";
import { recordId } from "./record_id.ts";
import type { SessionStore, TurnLeftovers } from "./session_store.ts";
import type { Answer, MessageRecord, QuestionRequest, ToolCallRecord, TurnReport } from "./types.ts";

/** How often text of an unfinished message is written, in milliseconds: no more of it is lost when the daemon dies. */
const TEXT_EVERY_MS = 1000;

/** What a {@link TurnRecorder} works with. */
export interface TurnRecorderOptions {
  session: string;
  store: SessionStore;
  followers: Followers;
  questions: OpenQuestions;
  mask: (text: string) => string;
  logger: Logger;
  /** Told when something can't be stored: the turn can't go on. */
  onFailure: (error: unknown) => void;
}

/** A call that runs. */
interface RunningCall {
  seq: number;
  message: string;
  record: ToolCallRecord;
  /** `performance.now()` */
  started: number;
}

/**
 * Stores what a harness reports of one turn, then tells it to who follows. Once the turn is over, and for messages and
 * calls that it does not know, it does nothing: a harness that goes on disturbs nobody.
 *
 * Its methods throw `unwritable` and `state_database`.
 */
export class TurnRecorder implements TurnReport {
  readonly #options: TurnRecorderOptions;
  /** Messages that are not complete. */
  readonly #open = new Map<string, MessageRecord>();
  /** Every message of this turn that may get calls. */
  readonly #messages = new Set<string>();
  readonly #calls = new Map<string, RunningCall>();
  #written = performance.now();
  #lastError: string | undefined;
  #closed = false;

  constructor(options: TurnRecorderOptions) {
    this.#options = options;
  }

  /** The error of the message that ended last. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Text of a message that is not complete, as far as it is known; else `undefined`. */
  textOf(message: string): string | undefined {
    return this.#open.get(message)?.text;
  }

  beginMessage(): string {
    const { session, store, followers } = this.#options;
    const created = new Date().toISOString();
    const message: MessageRecord = { id: recordId("msg"), role: "assistant", created, text: "", tools: [] };
    this.#record("beginMessage", () => {
      store.addMessage(session, message, true);
      this.#open.set(message.id, message);
      this.#messages.add(message.id);
      followers.tell({ type: "message", message: { ...message } });
    });
    return message.id;
  }

  addText(message: string, delta: string): void {
    const open = this.#open.get(message);
    if (this.#closed || open === undefined || delta === "") return;
    open.text += delta;
    this.#options.followers.text(message, delta);
  }

  /** Writes text of unfinished messages, if the last time is long ago; fails the turn when that can't be done. */
  keepText(): void {
    if (this.#closed || performance.now() - this.#written < TEXT_EVERY_MS) return;
    this.#written = performance.now();
    try {
      for (const { id, text } of this.#open.values()) this.#options.store.setText(id, text);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  endMessage(message: string, end: { text: string; error?: string }): void {
    const open = this.#open.get(message);
    if (open === undefined) return this.#ignore("endMessage", message);
    const { session, store, followers, mask } = this.#options;
    this.#record("endMessage", () => {
      const error = end.error === undefined ? undefined : mask(end.error);
      const ended: MessageRecord = { ...open, text: end.text, ...(error === undefined ? {} : { error }) };
      store.transaction(() => {
        store.endMessage(ended);
        store.touch(session, new Date().toISOString());
      });
      this.#open.delete(message);
      this.#lastError = error;
      followers.tell({ type: "message", message: { ...ended, tools: [...open.tools] } });
    });
  }

  beginCall(message: string, given: { call: string; tool: string; args: unknown }): void {
    if (!this.#messages.has(message)) return this.#ignore("beginCall", message);
    const { store, followers, mask } = this.#options;
    this.#record("beginCall", () => {
      const { call, args } = given;
      // A model may write anything where the name of a tool belongs.
      const tool = mask(given.tool);
      const json = maskedJson(args, mask);
      const seq = store.addCall(message, call, tool, json, new Date().toISOString());
      const record: ToolCallRecord = { call, tool, status: "running", args: JSON.parse(json), ms: 0 };
      this.#calls.set(call, { seq, message, record, started: performance.now() });
      this.#open.get(message)?.tools.push(record);
      followers.tell({ type: "tool", message, call: { ...record } });
    });
  }

  endCall(call: string, end: Parameters<TurnReport["endCall"]>[1]): void {
    const running = this.#calls.get(call);
    if (running === undefined) return this.#ignore("endCall", call);
    const { store, followers, mask } = this.#options;
    this.#record("endCall", () => {
      const { status, output, error, file, ms = performance.now() - running.started } = end;
      const ended = {
        status,
        ms: Math.round(ms * 1000) / 1000,
        ...(output === undefined ? {} : { output }),
        ...(error === undefined ? {} : { error: mask(error) }),
        ...(file === undefined ? {} : { file }),
      };
      store.endCall(running.seq, ended);
      this.#calls.delete(call);
      // The same object is in its message while that is open.
      Object.assign(running.record, ended);
      followers.tell({ type: "tool", message: running.message, call: { ...running.record } });
    });
  }

  async ask(question: QuestionRequest, signal: AbortSignal): Promise<Answer> {
    if (this.#closed) return null;
    try {
      return await this.#options.questions.ask(question, signal);
    } catch (error) {
      this.#options.onFailure(error);
      throw error;
    }
  }

  save(state: string): void {
    this.#record("save", () => this.#options.store.save(this.#options.session, state));
  }

  /** The turn is over: nothing is stored any more. */
  close(): void {
    this.#closed = true;
    this.#options.questions.close();
    this.#options.followers.flush();
  }

  /** Stores and tells the end of what is still open; after {@link close}. */
  endAll(leftovers: TurnLeftovers): void {
    const { session, store, followers } = this.#options;
    const now = new Date().toISOString();
    const { callError, messageError } = leftovers;
    const calls = [...this.#calls.values()];
    store.transaction(() => {
      for (const { seq, started } of calls) {
        store.endCall(seq, {
          status: "aborted",
          error: callError,
          ms: Math.round(performance.now() - started),
        });
      }
      for (const message of this.#open.values()) store.setText(message.id, message.text);
    });
    store.endTurns(leftovers, now, session);
    for (const { message, record, started } of calls) {
      Object.assign(record, {
        status: "aborted",
        error: callError,
        ms: Math.round(performance.now() - started),
      });
      followers.tell({ type: "tool", message, call: { ...record } });
    }
    for (const message of this.#open.values()) {
      const error = messageError === undefined ? {} : { error: messageError };
      followers.tell({ type: "message", message: { ...message, ...error, tools: [...message.tools] } });
    }
    if (this.#open.size > 0 && messageError !== undefined) this.#lastError = messageError;
    this.#calls.clear();
    this.#open.clear();
  }

  #record(what: string, work: () => void): void {
    if (this.#closed) return this.#ignore(what, "after the end of the turn");
    try {
      work();
    } catch (error) {
      this.#options.onFailure(error);
      throw error;
    }
  }

  #ignore(what: string, which: string): void {
    const { logger, session } = this.#options;
    logger.debug("a harness reported what can't be stored", { session, what, which });
  }
}
