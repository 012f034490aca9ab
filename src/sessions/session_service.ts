import type { HarnessName } from "../agents/may_use.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Logger } from "../log/logger.ts";
import type { StateDatabase } from "../state/database.ts";
import { chooseHarness } from "./choose_harness.ts";
import { Followers } from "./followers.ts";
import { forgetSession } from "./forget_session.ts";
import { noQuestion } from "./open_questions.ts";
import { recordId } from "./record_id.ts";
import { RunningTurn, SETTLE_MS } from "./running_turn.ts";
import { requireAgent, sessionAgent, type SessionAgents } from "./session_agents.ts";
import { SessionStore } from "./session_store.ts";
import { sessionTitle } from "./session_title.ts";
import { interrupted, type TurnOutcome } from "./turn_outcome.ts";
import { writeTurnEnd } from "./write_turn_end.ts";
import type {
  Follower,
  Harness,
  MessageRecord,
  NewSession,
  Prompt,
  QuestionRecord,
  SessionDetail,
  SessionRecord,
  Sessions,
  SessionState,
  TurnEnded,
  TurnFailure,
} from "./types.ts";

/** How long a question waits, in milliseconds (specification 4.1). */
const QUESTION_MS = { attended: 10 * 60_000, unattended: 60_000 };

/** What {@link SessionService} works with. */
export interface SessionServiceOptions {
  /** Its owner closes it, after the service. */
  database: StateDatabase;
  /** The harness of a name, made when it is first asked for; its owner ends it, after the service. */
  harnesses: (name: HarnessName) => Promise<Harness>;
  agents: SessionAgents;
  /** Masks secrets in what is stored of arguments and errors (specification 2.6). */
  mask: (text: string) => string;
  logger: Logger;
  /** Milliseconds that a question waits. */
  questionMs?: { attended: number; unattended: number };
  /** Milliseconds that a harness has to end an aborted turn; default 5,000. */
  settleMs?: number;
}

/** A turn, its end, and who follows. */
interface Running {
  turn: RunningTurn;
  /** Never rejects. */
  over: Promise<void>;
}

/**
 * The sessions of a project (specification 4.4): stores them, runs one turn at a time in each, and lets nothing that a
 * harness does reach another session.
 *
 * When it is made, turns that "run" are those of a daemon that was killed: they are marked interrupted.
 */
export class SessionService implements Sessions {
  readonly #options: SessionServiceOptions;
  readonly #store: SessionStore;
  readonly #running = new Map<string, Running>();
  readonly #followers = new Map<string, Followers>();
  /** Ends of turns that could not be written: tried again before the session's next turn. */
  readonly #unwritten = new Map<string, { state: SessionState; write: () => void }>();
  /** Why the last turn of a session failed; gone with its next one. */
  readonly #failures = new Map<string, TurnFailure>();
  readonly #removed = new Map<string, Promise<SessionRecord>>();
  readonly #listeners: ((turn: TurnEnded) => void)[] = [];
  #closed = false;
  #closing: Promise<void> | undefined;
  readonly #impatient = new AbortController();

  /** @throws {BeeuniError} `state_database`, `unwritable`. */
  constructor(options: SessionServiceOptions) {
    this.#options = options;
    this.#store = new SessionStore(options.database);
    this.#recover();
  }

  get running(): number {
    return this.#running.size;
  }

  async create(given: NewSession): Promise<{ session: SessionDetail; because?: string }> {
    this.#requireOpen();
    const agent = sessionAgent(this.#options.agents, given.agent);
    const { name: harness, because } = await chooseHarness(given.harness, this.#options.harnesses);
    this.#requireOpen();
    const now = new Date().toISOString();
    const session: SessionRecord = {
      id: recordId("ses"),
      agent,
      harness,
      ...(given.model === undefined ? {} : { model: given.model }),
      created: now,
      updated: now,
      state: "idle",
      title: "",
    };
    const { prompt, attended = false } = given;
    if (prompt === undefined) this.#store.addSession(session);
    else this.#begin(session, { prompt, attended }, () => this.#store.addSession(session));
    return { session: this.get(session.id), ...(because === undefined ? {} : { because }) };
  }

  list(): SessionDetail[] {
    return this.#store.sessions().map((session) => this.#detail(session));
  }

  get(id: string): SessionDetail {
    return this.#detail(this.#require(id));
  }

  messages(id: string, limit?: number): MessageRecord[] {
    this.#require(id);
    const messages = this.#store.messages(id, limit === undefined ? {} : { limit });
    const recorder = this.#running.get(id)?.turn.recorder;
    // Of a message that is being written the database may have less.
    for (const message of messages) message.text = recorder?.textOf(message.id) ?? message.text;
    return messages;
  }

  prompt(id: string, prompt: Prompt): SessionDetail {
    this.#requireOpen();
    const session = this.#require(id);
    if (this.#running.has(id)) {
      throw new BeeuniError("turn_running", `a turn runs in session ${id} already.`, {
        hint: `Wait for it, or stop it with \`beeuni sessions stop ${id}\`.`,
      });
    }
    requireAgent(this.#options.agents, session.agent);
    this.#unwritten.get(id)?.write();
    this.#begin(session, prompt);
    return this.get(id);
  }

  stop(id: string): SessionDetail {
    this.#require(id);
    const running = this.#running.get(id);
    if (running === undefined) {
      throw new BeeuniError("no_turn", `no turn runs in session ${id}.`, {
        hint: `Its messages are shown by \`beeuni sessions log ${id}\`.`,
      });
    }
    running.turn.abort({ by: "user" });
    return this.get(id);
  }

  answer(id: string, { answer, question }: { answer: string; question?: string }): QuestionRecord {
    this.#require(id);
    const running = this.#running.get(id);
    if (running === undefined) throw noQuestion(question);
    return running.turn.questions.answer(answer, question);
  }

  remove(id: string): Promise<SessionRecord> {
    const session = this.#require(id);
    const removing = this.#remove(session).finally(() => this.#removed.delete(id));
    this.#removed.set(id, removing);
    return removing;
  }

  follow(id: string, follower: Follower): () => void {
    this.#requireOpen();
    const session = this.#require(id);
    const followers = this.#followersOf(id);
    // What was gathered is in the snapshot already.
    followers.flush();
    const { questions, ...record } = this.#detail(session);
    const failure = this.#failures.get(id);
    follower.event({
      type: "snapshot",
      session: record,
      messages: this.messages(id),
      questions,
      ...(failure === undefined ? {} : { failure }),
    });
    followers.add(follower);
    return () => {
      followers.remove(follower);
      this.#forgetFollowers(id);
    };
  }

  watch(listener: (turn: TurnEnded) => void): void {
    this.#listeners.push(listener);
  }

  close(graceMs: number): Promise<void> {
    this.#closed = true;
    if (graceMs <= 0) this.#impatient.abort();
    return this.#closing ??= this.#close(graceMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(0);
  }

  #begin(session: SessionRecord, { prompt, attended = false }: Prompt, first: () => void = () => {}): void {
    const store = this.#store;
    const now = new Date().toISOString();
    const message: MessageRecord = {
      id: recordId("msg"),
      role: "user",
      created: now,
      text: prompt,
      tools: [],
    };
    const title = session.title === "" ? sessionTitle(this.#options.mask(prompt)) : session.title;
    const begun: SessionRecord = { ...session, state: "running", title, updated: now };
    const promptSeq = store.transaction(() => {
      first();
      store.setState(session.id, begun);
      return store.addMessage(session.id, message, false);
    });
    this.#failures.delete(session.id);
    const { harnesses, mask, logger, questionMs = QUESTION_MS, settleMs = SETTLE_MS } = this.#options;
    const followers = this.#followersOf(session.id);
    const turn = new RunningTurn({
      session: begun,
      prompt,
      promptSeq,
      store,
      followers,
      mask,
      logger,
      harness: () => harnesses(session.harness),
      questionMs: attended ? questionMs.attended : questionMs.unattended,
      settleMs,
    });
    followers.tell({ type: "message", message });
    const over = turn.run().then((outcome) => this.#end(turn, outcome));
    this.#running.set(session.id, { turn, over });
  }

  /** Stores and tells how a turn ended; the session is free again whatever fails. */
  #end(turn: RunningTurn, outcome: TurnOutcome): void {
    const { id, agent, harness } = turn.session;
    const { mask, logger } = this.#options;
    const followers = this.#followersOf(id);
    let { state, error } = outcome;
    const masked = {
      ...outcome,
      ...(outcome.messageError === undefined ? {} : { messageError: mask(outcome.messageError) }),
    };
    const write = () => writeTurnEnd(turn, masked, { store: this.#store, followers });
    try {
      write();
    } catch (cause) {
      logger.error("the end of a turn could not be stored", { session: id, reason: String(cause) });
      if (error === undefined) {
        state = "failed";
        error = cause instanceof BeeuniError
          ? cause
          : new BeeuniError("internal", "the turn's end could not be stored.", { cause });
      }
      this.#unwritten.set(id, {
        state,
        write: () => {
          write();
          this.#unwritten.delete(id);
        },
      });
    }
    this.#running.delete(id);
    const failure: TurnFailure | undefined = error && {
      error: mask(error.message),
      code: error.code,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
    if (failure !== undefined) this.#failures.set(id, failure);
    followers.tell({ type: "turn_end", state, ...failure });
    this.#forgetFollowers(id);
    const ended: TurnEnded = {
      session: id,
      agent,
      harness,
      state,
      ...(failure === undefined ? {} : { error: failure.error, code: failure.code }),
      ms: performance.now() - turn.started,
    };
    for (const listener of this.#listeners) listener(ended);
  }

  async #remove(session: SessionRecord): Promise<SessionRecord> {
    const { id } = session;
    const running = this.#running.get(id);
    running?.turn.abort({ by: "user" });
    await running?.over;
    const last = this.#store.session(id) ?? session;
    const { harnesses, mask, logger } = this.#options;
    const saved = this.#store.saved(id);
    await forgetSession({ session: last, saved, harness: () => harnesses(last.harness), mask, logger });
    this.#store.removeSession(id);
    this.#unwritten.delete(id);
    this.#failures.delete(id);
    this.#followers.get(id)?.end();
    this.#followers.delete(id);
    return last;
  }

  async #close(graceMs: number): Promise<void> {
    const over = () => Promise.all([...this.#running.values()].map(({ over }) => over));
    const { signal } = this.#impatient;
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(waited.resolve, graceMs);
    signal.addEventListener("abort", () => waited.resolve(), { once: true });
    if (!signal.aborted) await Promise.race([over(), waited.promise]);
    clearTimeout(timer);
    for (const { turn } of this.#running.values()) turn.abort({ by: "daemon" });
    await over();
    await Promise.allSettled(this.#removed.values());
    for (const followers of this.#followers.values()) followers.end();
    this.#followers.clear();
  }

  #recover(): void {
    const { state, callError, messageError } = interrupted();
    const ended = this.#store.endTurns({ state, callError, messageError }, new Date().toISOString());
    if (ended > 0) {
      this.#options.logger.warn("turns were interrupted by the end of the daemon", { sessions: ended });
    }
  }

  #require(id: string): SessionRecord {
    const session = this.#removed.has(id) ? undefined : this.#store.session(id);
    if (session !== undefined) return session;
    throw new BeeuniError("session_not_found", `there is no session ${id.slice(0, 128)}.`, {
      hint: "The sessions are listed by `beeuni sessions ls`.",
    });
  }

  #requireOpen(): void {
    if (this.#closed) throw new BeeuniError("stopping", "the daemon is stopping.");
  }

  #detail(session: SessionRecord): SessionDetail {
    const state = this.#unwritten.get(session.id)?.state ?? session.state;
    return { ...session, state, questions: this.#running.get(session.id)?.turn.questions.list ?? [] };
  }

  #followersOf(id: string): Followers {
    let followers = this.#followers.get(id);
    if (followers === undefined) {
      followers = new Followers(() => this.#running.get(id)?.turn.recorder.keepText());
      this.#followers.set(id, followers);
    }
    return followers;
  }

  #forgetFollowers(id: string): void {
    if (this.#followers.get(id)?.size === 0 && !this.#running.has(id)) this.#followers.delete(id);
  }
}
