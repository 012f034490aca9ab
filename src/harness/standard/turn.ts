import { BeeuniError } from "../../errors/error.ts";
import { longTimeout } from "../../host/long_timeout.ts";
import { isRecord } from "../../host/is_record.ts";
import { withinMs } from "../../host/within_ms.ts";
import { modelError } from "../../models/model_failure.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import type { Turn } from "../../sessions/types.ts";
import type { HarnessProject } from "../types.ts";
import { AllowedCalls } from "./allowed_calls.ts";
import type { EventFeed } from "./event_feed.ts";
import { type OpenCodeClient, OpenCodeRefusal } from "./opencode_client.ts";
import {
  type OpenCodeEvent,
  type OpenCodeFailure,
  readEvent,
  readMessage,
  readPart,
} from "./opencode_event.ts";
import { openSession } from "./opencode_session.ts";
import { Questions } from "./questions.ts";
import { readSaved } from "./saved_session.ts";
import { retriesExhausted, turnFailure, turnStopped } from "./turn_failure.ts";
import { TurnRecord } from "./turn_record.ts";

/** A model that sends nothing for so long has failed, in milliseconds. */
const SILENCE_MS = 5 * 60_000;

/** OpenCode tries again for ever; after so many times the model has failed. */
const MAX_TRIES = 3;

/** What OpenCode gets to end a turn that was stopped, in milliseconds: it is over within 5 s for the user. */
const ABORT_MS = 3_000;

/** When nothing was heard for so long, OpenCode is asked whether the turn still runs. In milliseconds. */
const ASK_MS = 10_000;

/** How long a question waits for what OpenCode tells of its call, in milliseconds. */
const CALL_MS = 1_000;

/** How long it takes to know that a process has ended, in milliseconds. */
const END_MS = 500;

/** What a turn runs on. */
export interface TurnServer {
  client: OpenCodeClient;
  feed: EventFeed;
  /** Aborted with the reason when OpenCode ends. */
  gone: AbortSignal;
  model(endpoint: ModelEndpoint): { providerID: string; modelID: string };
  /** Ends OpenCode, and every turn on it with `reason`. */
  distrust(reason: BeeuniError): void;
}

/** Options of {@link StandardTurn}. */
export interface StandardTurnOptions {
  project: HarnessProject;
  server: TurnServer;
  turn: Turn;
  endpoint: ModelEndpoint;
  /** Told OpenCode's id of the session before the prompt is sent. */
  opened: (session: string, record: TurnRecord, allowed: AllowedCalls) => void;
}

/** Runs a turn in OpenCode: sends the prompt and follows the events until the session is idle. */
export class StandardTurn {
  readonly #options: StandardTurnOptions;
  readonly #done = Promise.withResolvers<void>();
  readonly #over = new AbortController();
  #session = "";
  #record: TurnRecord | undefined;
  #questions: Questions | undefined;
  readonly #allowed = new AllowedCalls();
  #heard = performance.now();
  /** Events that came while missed ones are read, and whether the stream broke once more meanwhile. */
  #held: OpenCodeEvent[] | undefined;
  #again = false;
  /** A failure that comes without a message. */
  #failure: OpenCodeFailure | undefined;
  /** Whether OpenCode has the prompt. */
  #sent = false;
  /** Why it was ended from here. */
  #givenUp: BeeuniError | undefined;

  constructor(options: StandardTurnOptions) {
    this.#options = options;
  }

  /**
   * @returns False when OpenCode had ended before it had the prompt: nothing happened, and another may run the turn.
   * @throws {BeeuniError} As `Harness.run`.
   */
  async run(): Promise<boolean> {
    const { turn: { signal }, server: { gone } } = this.#options;
    try {
      await this.#start();
      const ended = () => this.#done.resolve();
      const either = AbortSignal.any([signal, gone]);
      either.addEventListener("abort", ended, { once: true });
      if (either.aborted) ended();
      try {
        await this.#done.promise;
      } finally {
        either.removeEventListener("abort", ended);
      }
      gone.throwIfAborted();
      if (signal.aborted) await this.#abort();
      signal.throwIfAborted();
      if (this.#givenUp !== undefined) throw this.#givenUp;
      const failure = this.#record?.failure ?? this.#failure;
      if (failure !== undefined) throw turnFailure(this.#options.endpoint, failure);
      this.#record?.end(undefined);
      return true;
    } catch (error) {
      if (!this.#sent && !signal.aborted && await this.#died()) return false;
      throw this.#fail(error);
    } finally {
      this.#over.abort();
    }
  }

  /** Whether OpenCode has ended; that it has may be known a moment after it stopped answering. */
  async #died(): Promise<boolean> {
    const { gone } = this.#options.server;
    for (let waited = 0; waited < END_MS && !gone.aborted; waited += 20) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return gone.aborted;
  }

  #fail(error: unknown): unknown {
    const { turn: { signal } } = this.#options;
    const failure = signal.aborted ? turnStopped() : failed(error);
    this.#record?.end({ message: failure.message, stopped: failure.code === "aborted" });
    return failure;
  }

  async #start(): Promise<void> {
    const { project, server, turn, endpoint } = this.#options;
    const { client, feed } = server;
    const { report, signal, session: { agent }, history } = turn;
    const saved = readSaved(turn.saved);
    const isHosted = (tool: string) => project.host.catalogue().tools.some(({ name }) => name === tool);
    const { id, before } = await openSession(client, turn, saved, project.logger);
    this.#session = id;
    const record = this.#record = new TurnRecord({
      session: id,
      report,
      after: await this.#lastMessage(),
      calls: history.flatMap(({ tools }) => tools.map(({ call }) => call)),
      isHosted,
      mask: (text) => project.host.mask(text),
      stopped: () => signal.aborted,
    });
    this.#questions = new Questions({
      client,
      ask: (question, signal) => report.ask(question, signal),
      mask: (text) => project.host.mask(text),
      root: project.root,
      call: async (event) => {
        const found = await this.#findCall(event.session, event.call);
        if (found === undefined) return undefined;
        // What the plugin will send, and not what the model wrote, is what a person is asked about.
        const sent = event.type === "permission" && isHosted(found.tool) ? event.args : undefined;
        const agent = project.host.manifest().agents.get(found.agent);
        return { ...found, args: sent ?? found.args, agent };
      },
      allow: ({ session, call, args }, asked) => {
        if (call !== undefined) this.#allowed.add(session, call, asked ?? args);
      },
      // What was allowed so may hold for every session, until the process ends.
      elsewhere: () => server.distrust(answeredElsewhere()),
      pending: () => this.#pending(this.#over.signal),
      always: {
        has: (key) => saved.always.includes(key),
        add: (keys) => {
          saved.always.push(...keys);
          report.save(JSON.stringify(saved));
        },
      },
      refuse: (session, call, why) => record.refuse(session, call, why),
      signal: AbortSignal.any([this.#over.signal, signal, server.gone]),
      failed: (error) =>
        project.logger.warn("a question of OpenCode could not be answered", { error: String(error) }),
    });
    const unsubscribe = feed.subscribe((event) => this.#take(event));
    const stopWatch = this.#watch();
    this.#over.signal.addEventListener("abort", () => {
      unsubscribe();
      stopWatch();
    }, { once: true });
    this.#options.opened(id, record, this.#allowed);
    await client.request("POST", `/session/${id}/prompt_async`, {
      body: {
        agent,
        model: server.model(endpoint),
        parts: [
          ...before === undefined ? [] : [{ type: "text", text: before, synthetic: true }],
          { type: "text", text: turn.prompt },
        ],
      },
      signal: AbortSignal.any([signal, server.gone]),
    });
    this.#sent = true;
  }

  async #lastMessage(): Promise<string> {
    const { server: { client }, turn } = this.#options;
    const last = await client.request("GET", `/session/${this.#session}/message?limit=1`, {
      signal: turn.signal,
    });
    return Array.isArray(last) && isRecord(last.at(-1)) ? readMessage(last.at(-1).info).id : "";
  }

  #take(event: OpenCodeEvent): void {
    const record = this.#record;
    if (record === undefined || this.#over.signal.aborted) return;
    if (event.type === "gap") return this.#catchUp();
    // A message that is complete says nothing of its text: what was missed has to be read first.
    if (this.#held !== undefined) return void this.#held.push(event);
    this.#handle(event);
  }

  #handle(event: OpenCodeEvent): void {
    const record = this.#record;
    if (record === undefined || this.#over.signal.aborted) return;
    if (!record.take(event)) return;
    this.#heard = performance.now();
    switch (event.type) {
      case "permission":
      case "question":
        this.#questions?.take(event);
        break;
      case "replied":
        this.#questions?.replied(event);
        break;
      case "failure":
        if (event.session === this.#session) this.#failure = event.failure;
        break;
      case "status":
        this.#status(event);
    }
  }

  #status({ session, status, attempt, reason }: Extract<OpenCodeEvent, { type: "status" }>): void {
    if (status === "retry" && attempt >= MAX_TRIES) {
      return this.#giveUp(retriesExhausted(this.#options.endpoint, attempt, reason));
    }
    if (session !== this.#session) return;
    // An idle of the turn before may come late: it ends this one only when this one has begun.
    if (status === "busy") this.#record!.begun = true;
    else if (status === "idle" && (this.#record!.begun || this.#failure !== undefined)) this.#confirmIdle();
  }

  /** An idle of a turn that was stopped may come when this one is at work already: OpenCode itself knows. */
  async #confirmIdle(): Promise<void> {
    const { client, gone } = this.#options.server;
    try {
      const status = await client.request("GET", "/session/status", { signal: gone, timeoutMs: ASK_MS });
      if (isRecord(status) && this.#session in status) return;
    } catch {
      // It has said that the turn is over, and says no more.
    }
    this.#done.resolve();
  }

  #giveUp(error: BeeuniError): void {
    if (this.#givenUp !== undefined) return;
    this.#givenUp = error;
    this.#abort().then(() => this.#done.resolve());
  }

  /** Looks after a turn of which nothing is heard. @returns Ends that. */
  #watch(): () => void {
    let stop = () => {};
    const next = () => {
      stop = longTimeout(() => {
        const silent = performance.now() - this.#heard;
        const waits = this.#questions?.open || this.#record?.busy;
        if (silent >= SILENCE_MS && !waits) {
          return this.#giveUp(modelError(this.#options.endpoint, { kind: "silence", ms: SILENCE_MS }));
        }
        if (silent >= ASK_MS) this.#sync();
        next();
      }, ASK_MS);
    };
    next();
    return () => stop();
  }

  /** Events may have been missed: they are read, while those that come now wait. */
  #catchUp(): void {
    if (this.#held !== undefined) return void (this.#again = true);
    this.#held = [];
    this.#sync().then(() => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const event of held) this.#take(event);
      if (!this.#again) return;
      this.#again = false;
      this.#catchUp();
    });
  }

  /** Reads what events may have been missed: messages, questions, and whether the turn is over. */
  async #sync(): Promise<void> {
    const { server: { client }, project } = this.#options;
    const signal = AbortSignal.any([this.#over.signal, this.#options.server.gone]);
    try {
      const status = await client.request("GET", "/session/status", { signal });
      for (const session of this.#record?.sessions ?? []) await this.#readMessages(session, signal);
      for (const event of await this.#pending(signal)) this.#handle(event);
      const idle = isRecord(status) && !(this.#session in status);
      if (idle && (this.#record?.begun || this.#failure !== undefined)) this.#done.resolve();
    } catch (error) {
      if (!signal.aborted) {
        project.logger.warn("OpenCode could not be asked about a turn", { error: String(error) });
      }
    }
  }

  /** What waits for an answer. */
  async #pending(signal: AbortSignal): Promise<OpenCodeEvent[]> {
    const { client } = this.#options.server;
    const found: OpenCodeEvent[] = [];
    for (const kind of ["permission", "question"]) {
      const open = await client.request("GET", `/${kind}`, { signal });
      for (const properties of Array.isArray(open) ? open : []) {
        const event = readEvent({ type: `${kind}.asked`, properties });
        if (event !== undefined && "session" in event && this.#record?.owns(event.session)) found.push(event);
      }
    }
    return found;
  }

  /** A call asks at once; that it runs, with which arguments, OpenCode tells a moment later. */
  async #findCall(session: string, call: string | undefined) {
    if (call === undefined) return undefined;
    for (let waited = 0; waited < CALL_MS && !this.#over.signal.aborted; waited += 20) {
      const found = this.#record?.call(session, call);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return undefined;
  }

  async #readMessages(session: string, signal: AbortSignal): Promise<void> {
    const messages = await this.#options.server.client.request(
      "GET",
      `/session/${session}/message?limit=100`,
      {
        signal,
      },
    );
    for (const message of Array.isArray(messages) ? messages : []) {
      if (!isRecord(message) || !Array.isArray(message.parts)) continue;
      const info = readMessage(message.info);
      // Its parts first: a message that is complete takes no more text.
      this.#record?.message({ ...info, completed: false });
      for (const part of message.parts) this.#record?.part(readPart(part), true);
      this.#record?.message(info);
    }
  }

  /** Ends the turn in OpenCode and waits until it is idle, for a bounded time. */
  async #abort(): Promise<void> {
    if (this.#session === "") return;
    const { client, feed, gone } = this.#options.server;
    const idle = Promise.withResolvers<void>();
    const unsubscribe = feed.subscribe((event) => {
      if (event.type === "status" && event.session === this.#session && event.status === "idle") {
        idle.resolve();
      }
    });
    try {
      await client.request("POST", `/session/${this.#session}/abort`, { signal: gone, timeoutMs: ABORT_MS });
      await withinMs(ABORT_MS, idle.promise);
    } catch {
      // It does not answer: whoever waits is told the turn's own end.
    } finally {
      unsubscribe();
    }
  }
}

function answeredElsewhere(): BeeuniError {
  return new BeeuniError(
    "harness_failed",
    "OpenCode was ended: a question of it was answered, and not through Beeuni",
    { hint: "see what the agent's `bash` has run: it may have found the password of OpenCode's server" },
  );
}

function failed(error: unknown): BeeuniError {
  if (error instanceof BeeuniError) return error;
  const message = error instanceof OpenCodeRefusal
    ? `OpenCode refused the turn (HTTP ${error.status})`
    : "the turn could not be run in OpenCode";
  return new BeeuniError("harness_failed", message, { hint: "send the prompt again", cause: error });
}
