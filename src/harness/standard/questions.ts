import { permissionParts } from "../../agents/permission.ts";
import type { Agent } from "../../manifest/model.ts";
import type { TurnReport } from "../../sessions/types.ts";
import type { OpenCodeClient } from "./opencode_client.ts";
import type { OpenCodeEvent } from "./opencode_event.ts";
import { alwaysKey } from "./saved_session.ts";

/** How much of what a call touches a question shows, in UTF-16 units. */
const MAX_TEXT = 2000;

type PermissionEvent = Extract<OpenCodeEvent, { type: "permission" }>;
type RepliedEvent = Extract<OpenCodeEvent, { type: "replied" }>;
type QuestionEvent = Extract<OpenCodeEvent, { type: "question" }>;

/** A call that something is asked about. */
export interface AskingCall {
  /** Its id as it is stored. */
  id: string;
  tool: string;
  args: Record<string, unknown>;
  agent: Agent | undefined;
}

/** Options of {@link Questions}. */
export interface QuestionsOptions {
  client: OpenCodeClient;
  ask: TurnReport["ask"];
  mask: (text: string) => string;
  /** Absolute path of the checkout. */
  root: string;
  /** Looks a call up by OpenCode's ids; it may ask before OpenCode tells of the call itself. */
  call: (event: PermissionEvent | QuestionEvent) => Promise<AskingCall | undefined>;
  /** What waits for an answer at this moment, of the turn's sessions. */
  pending: () => Promise<OpenCodeEvent[]>;
  /** What was answered `always` in this session so far, by {@link alwaysKey}. */
  always: { has: (key: string) => boolean; add: (keys: string[]) => void };
  /** Told why a call is refused, before OpenCode is. */
  refuse: (session: string, call: string | undefined, why: string) => void;
  /** Told that a call was allowed, with its arguments where they are known, before OpenCode is. */
  allow: (event: PermissionEvent, args: Record<string, unknown> | undefined) => void;
  /** Told that somebody else allowed what was asked, at OpenCode itself. */
  elsewhere: () => void;
  /** Ends with the turn. */
  signal: AbortSignal;
  /** Told what could not be answered. */
  failed: (error: unknown) => void;
}

/**
 * Answers what OpenCode asks, one after the other.
 *
 * OpenCode's own `always` is never used: it would hold for every session. A no is kept back while others wait, because
 * OpenCode takes it for a no to all that the session waits for.
 */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #seen = new Set<string>();
  /** What was answered from here. */
  readonly #sent = new Set<string>();
  /** Aborted for what was answered otherwise. */
  readonly #closed = new Map<string, AbortController>();
  readonly #refused: { id: string; message: string }[] = [];
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** How often nobody answered: what was asked before the last time is not put to anybody. */
  #unanswered = 0;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Whether something waits for an answer. */
  get open(): boolean {
    return this.#waiting > 0;
  }

  /** Takes what is asked; each once. */
  take(event: PermissionEvent | QuestionEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    this.#waiting++;
    const unanswered = this.#unanswered;
    this.#queue = this.#queue.then(async () => {
      try {
        this.#options.signal.throwIfAborted();
        if (event.type === "permission") await this.#permission(event, unanswered);
        else await this.#question(event, unanswered);
      } catch (error) {
        if (!this.#options.signal.aborted) this.#options.failed(error);
      } finally {
        this.#waiting--;
      }
      if (this.#waiting === 0 && this.#refused.length > 0) await this.#sendRefusals();
    });
  }

  /** Takes that something was answered: what was not answered from here is not put to anybody any more. */
  replied({ id, reply }: RepliedEvent): void {
    if (this.#sent.has(id)) return;
    this.#closedController(id).abort();
    // OpenCode itself answers with a no: for all of a session when one was refused, and at the end of a turn.
    if (reply === "once" || reply === "always") this.#options.elsewhere();
  }

  #closedController(id: string): AbortController {
    const known = this.#closed.get(id) ?? new AbortController();
    this.#closed.set(id, known);
    return known;
  }

  async #permission(event: PermissionEvent, unanswered: number): Promise<void> {
    const { ask, mask, root, signal, always } = this.#options;
    const call = await this.#options.call(event);
    const tool = call?.tool ?? event.permission;
    const parts = call === undefined || foreign(event.permission)
      ? []
      : permissionParts(call.agent?.permission, call.tool, call.args, { root });
    const closed = this.#closedController(event.id).signal;
    if (closed.aborted) return;
    const denied = parts.find(({ action }) => action === "deny");
    if (denied !== undefined) {
      const who = call?.agent?.name ?? "";
      return this.#refuse(
        event,
        `${tool} was refused: the permission rules of agent ${who} deny ${named(denied.subject)}`,
      );
    }
    const asked = parts.filter(({ action }) => action === "ask").map(({ subject }) => subject);
    const own = foreign(event.permission) ? `${event.permission} ` : "";
    const open = [...new Set((asked.length > 0 ? asked : event.patterns).map((subject) => own + subject))]
      .filter((subject) => !always.has(alwaysKey(tool, subject)));
    if (open.length === 0) return await this.#allow(event, call);
    const what = mask(open.map(named).join(", "));
    const nobody = `${tool} was refused: it needs a permission for ${what}, and nobody answered in time`;
    if (unanswered !== this.#unanswered) return this.#refuse(event, nobody);
    // Where nothing is known of what a call touches, a person is shown its arguments.
    const touched = open.map((subject) => subject === "*" ? JSON.stringify(call?.args ?? {}) : subject);
    const answer = await ask({
      kind: "permission",
      ...(call !== undefined && { call: call.id }),
      tool,
      text: mask(touched.join("\n")).slice(0, MAX_TEXT).toWellFormed(),
    }, AbortSignal.any([signal, closed]));
    // The end of the turn is no answer: its call is aborted.
    signal.throwIfAborted();
    if (closed.aborted) return;
    if (answer === "always") always.add(open.map((subject) => alwaysKey(tool, subject)));
    if (answer === "once" || answer === "always") return await this.#allow(event, call);
    if (answer === null) this.#unanswered++;
    this.#refuse(event, answer === null ? nobody : `${tool} was refused: the user said no to ${what}`);
  }

  async #allow(event: PermissionEvent, call: AskingCall | undefined): Promise<void> {
    const { id } = event;
    this.#options.allow(event, call?.args);
    this.#sent.add(id);
    await this.#options.client.request("POST", `/permission/${id}/reply`, { body: { reply: "once" } });
  }

  #refuse({ id, session, call }: PermissionEvent, why: string): void {
    this.#options.refuse(session, call, why);
    this.#refused.push({ id, message: why });
  }

  async #sendRefusals(): Promise<void> {
    for (const event of await this.#options.pending().catch(() => [])) {
      if (event.type === "permission" && !this.#refused.some(({ id }) => id === event.id)) this.take(event);
    }
    // They are sent behind what was asked meanwhile.
    if (this.#waiting > 0) return;
    for (const { id, message } of this.#refused.splice(0)) {
      this.#sent.add(id);
      try {
        // With a message it is an answer to the model; without one OpenCode would end the turn.
        await this.#options.client.request("POST", `/permission/${id}/reply`, {
          body: { reply: "reject", message },
        });
      } catch (error) {
        // The first no of a session was one to all: the others are gone.
        if (!this.#options.signal.aborted) this.#options.failed(error);
      }
    }
  }

  async #question(event: QuestionEvent, unanswered: number): Promise<void> {
    const { ask, mask, signal, client } = this.#options;
    const call = await this.#options.call(event);
    const closed = this.#closedController(event.id).signal;
    const answers: string[][] = [];
    for (const { question, options, multiple } of event.questions) {
      const answer = unanswered !== this.#unanswered ? null : await ask({
        kind: "question",
        ...(call !== undefined && { call: call.id }),
        tool: "question",
        text: mask(question),
        options: options.map(mask),
      }, AbortSignal.any([signal, closed]));
      if (closed.aborted) return;
      if (answer === null) {
        this.#unanswered++;
        unanswered = this.#unanswered - 1;
      }
      answers.push(answer === null || answer.trim() === "" ? [] : chosen(answer, options, multiple));
    }
    signal.throwIfAborted();
    this.#sent.add(event.id);
    // No answer is `Unanswered` for the model, which goes on; a reject would end the turn.
    await client.request("POST", `/question/${event.id}/reply`, { body: { answers } });
  }
}

/** Permissions of OpenCode itself: the rules of the call's tool say nothing about them. */
function foreign(permission: string): boolean {
  return permission === "external_directory" || permission === "doom_loop";
}

function named(subject: string): string {
  return subject === "*" ? "it" : subject.length > 200 ? `${subject.slice(0, 200)}…`.toWellFormed() : subject;
}

/** The labels that an answer names, where several may be chosen; else the answer itself. */
function chosen(answer: string, options: readonly string[], multiple: boolean): string[] {
  const parts = answer.split(",").map((part) => part.trim());
  return multiple && parts.every((part) => options.includes(part)) ? parts : [answer];
}
