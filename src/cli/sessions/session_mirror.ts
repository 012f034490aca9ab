import type { MessageRecord, QuestionRecord, SessionEvent, SessionRecord } from "../../sessions/types.ts";

/** How a turn ended, as the daemon told it. */
export type TurnEnd = Omit<Extract<SessionEvent, { type: "turn_end" }>, "type">;

/** A session as its follower knows it: the first event has all of it, each further one a change. */
export class SessionMirror {
  /** `undefined` before the first event. */
  session: SessionRecord | undefined;
  messages: MessageRecord[] = [];
  /** Those that wait for an answer. */
  questions: QuestionRecord[] = [];
  /** How the last turn ended; `undefined` while one runs. */
  end: TurnEnd | undefined;

  apply(event: SessionEvent): void {
    switch (event.type) {
      case "snapshot": {
        const { session } = event;
        this.session = session;
        this.messages = event.messages;
        this.questions = event.questions;
        // A daemon that was started anew since has forgotten the code; the reason stands with the last message.
        const error = event.messages.findLast(({ role }) => role === "assistant")?.error;
        this.end = session.state === "running"
          ? undefined
          : { state: session.state, ...(error === undefined ? {} : { error }), ...event.failure };
        break;
      }
      case "message": {
        const { message } = event;
        put(this.messages, message, ({ id }) => id === message.id);
        // No event says that a turn begins: its prompt does.
        if (message.role === "user") this.#setState("running");
        break;
      }
      case "text": {
        const message = this.messages.find(({ id }) => id === event.message);
        if (message !== undefined) message.text += event.delta;
        break;
      }
      case "tool": {
        const message = this.messages.find(({ id }) => id === event.message);
        if (message !== undefined) put(message.tools, event.call, ({ call }) => call === event.call.call);
        break;
      }
      case "question":
        put(this.questions, event.question, ({ id }) => id === event.question.id);
        break;
      case "answer":
        this.questions = this.questions.filter(({ id }) => id !== event.question);
        break;
      case "turn_end": {
        const { type: _, ...end } = event;
        this.#setState(end.state);
        this.questions = [];
        this.end = end;
      }
    }
  }

  /** The last turn: its prompt and all that follows. */
  get turn(): MessageRecord[] {
    return this.messages.slice(Math.max(0, this.messages.findLastIndex(({ role }) => role === "user")));
  }

  #setState(state: SessionRecord["state"]): void {
    if (this.session !== undefined) this.session = { ...this.session, state };
    if (state === "running") this.end = undefined;
  }
}

function put<T>(list: T[], item: T, isSame: (other: T) => boolean): void {
  const at = list.findIndex(isSame);
  if (at < 0) list.push(item);
  else list[at] = item;
}
