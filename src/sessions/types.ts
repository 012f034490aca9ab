import type { HarnessName } from "../agents/may_use.ts";

/** One session, as it is stored. */
export interface SessionRecord {
  id: string;
  /** The agent that answers. */
  agent: string;
  harness: HarnessName;
  /** `<provider>/<model>`; absent = the agent's own. */
  model?: string;
  /** When it was made and when something last happened, ISO 8601. */
  created: string;
  updated: string;
  /** How the last turn ended; `idle` before the first one. */
  state: SessionState;
  /** Beginning of the first prompt, one line; `""` before it. */
  title: string;
}

/** `interrupted`: the daemon ended in the midst of the turn. */
export type SessionState = "idle" | "running" | "completed" | "failed" | "stopped" | "interrupted";

/** Who wrote a message. */
export type Role = "user" | "assistant";

/** How a tool call went (specification 4.4). `refused`: the agent may not, or the answer to a question was no. */
export type ToolStatus = "running" | "completed" | "error" | "aborted" | "refused";

/** One tool call of a message. */
export interface ToolCallRecord {
  /** Id of the call, the model's or the harness's own. */
  call: string;
  tool: string;
  status: ToolStatus;
  /** What the model gave; masked. Not an object when the model wrote none. */
  args: unknown;
  /** What the model got, bounded (2.5). */
  output?: string;
  /** What the model was told went wrong; masked. */
  error?: string;
  /** How long it took, in milliseconds; so far, while it runs. */
  ms: number;
  /** File with the whole output. */
  file?: string;
}

/** One message of a session, with the tool calls it made. The shape of `sessions log --json`. */
export interface MessageRecord {
  id: string;
  role: Role;
  /** ISO 8601. */
  created: string;
  text: string;
  /** Why it ended early; masked. */
  error?: string;
  tools: ToolCallRecord[];
}

/** What a harness asks a person. */
export interface QuestionRequest {
  /** `permission`: may this call go on. `question`: the agent wants to know something. */
  kind: "permission" | "question";
  /** The call it is about. */
  call?: string;
  tool: string;
  /** For a permission what the call touches, such as a command; for a question its text. Masked. */
  text: string;
  /** For a question: the answers to choose from; free text when empty. */
  options?: readonly string[];
}

/** A question that waits for an answer. */
export interface QuestionRecord extends QuestionRequest {
  id: string;
  session: string;
  created: string;
  /** When nobody's answer becomes a no, ISO 8601. */
  deadline: string;
}

/**
 * The answer to a question. For a permission `once`, `always` (for this session) or `reject`, for a question its text;
 * `null` when nobody answered in time.
 */
export type Answer = string | null;

/** Where a harness reports what happens in a turn. Every report is stored, then told to who follows. */
export interface TurnReport {
  /** A message of the agent begins. Returns its id. */
  beginMessage(): string;
  /** More of a message's text, as the model writes it. */
  addText(message: string, delta: string): void;
  /** The message is complete; `text` replaces what was added. It is on disk when this returns. */
  endMessage(message: string, end: { text: string; error?: string }): void;
  /** A message's tool call begins. */
  beginCall(message: string, call: { call: string; tool: string; args: unknown }): void;
  /** It is over. On disk when this returns. `ms` absent = since {@link beginCall}. */
  endCall(
    call: string,
    end: {
      status: Exclude<ToolStatus, "running">;
      output?: string;
      error?: string;
      file?: string;
      ms?: number;
    },
  ): void;
  /**
   * Asks a person; never waits longer than the question's deadline, nor than the turn (`null` too).
   *
   * `always` holds for this session: the harness that asks remembers what it covers, with {@link TurnReport.save}; only
   * it knows the things a call touches one by one, and unmasked.
   */
  ask(question: QuestionRequest, signal: AbortSignal): Promise<Answer>;
  /** Keeps the harness's own state with the session, such as its transcript; given back as {@link Turn.saved}. */
  save(state: string): void;
}

/** One turn: a prompt and all that follows until the agent is done. */
export interface Turn {
  session: SessionRecord;
  prompt: string;
  /** What {@link TurnReport.save} was last given for this session, also by an interrupted turn. */
  saved?: string;
  /** All messages before the prompt: a transcript that was lost can be made of them. */
  history: readonly MessageRecord[];
  /** Aborted when the user stops the turn or the daemon ends. */
  signal: AbortSignal;
  report: TurnReport;
}

/** What runs the turns of sessions: OpenCode, or Beeuni's own loop. */
export interface Harness extends AsyncDisposable {
  readonly name: HarnessName;
  /**
   * Runs a turn; settles when the agent is done and everything was reported.
   *
   * @throws {BeeuniError} `aborted` when `signal` was; `no_model`, `model_key`, `model_failed`, `harness_failed`,
   *   `harness_missing`, `agent_forbidden`.
   */
  run(turn: Turn): Promise<void>;
  /** Whether it can run here. @throws {BeeuniError} `harness_missing` with what to install. */
  check(): Promise<void>;
  /** Removes what it keeps of a session. */
  forget(session: SessionRecord, saved: string | undefined): Promise<void>;
}

/** What happens in a session, as its followers are told (server-sent events of the same names). */
export type SessionEvent =
  /** First, always: all there is of the session at this moment. */
  | {
    type: "snapshot";
    session: SessionRecord;
    messages: MessageRecord[];
    questions: QuestionRecord[];
    /** Why the last turn failed, when this daemon ran it: for who joins when it is over already. */
    failure?: TurnFailure;
  }
  | { type: "message"; message: MessageRecord }
  | { type: "text"; message: string; delta: string }
  | { type: "tool"; message: string; call: ToolCallRecord }
  | { type: "question"; question: QuestionRecord }
  | { type: "answer"; question: string; answer: Answer }
  | { type: "turn_end"; state: SessionState; error?: string; code?: string; hint?: string };

/** A session with the questions that wait for an answer, the oldest first. */
export interface SessionDetail extends SessionRecord {
  questions: QuestionRecord[];
}

/** A prompt, and whether somebody is there to answer questions: without, they wait 60 s, with 10 minutes. */
export interface Prompt {
  prompt: string;
  attended?: boolean;
}

/** What a session is made with. */
export interface NewSession extends Partial<Prompt> {
  /** Default: the project's. */
  agent?: string;
  /** Default: `standard` where it can run, else `experimental`. */
  harness?: HarnessName;
  /** `<provider>/<model>`; default the agent's own. */
  model?: string;
}

/** Why a turn failed. */
export interface TurnFailure {
  /** A sentence, masked. */
  error: string;
  /** Stable word for it. */
  code: string;
  /** What to do. */
  hint?: string;
}

/** Who follows a session. */
export interface Follower {
  /** What happened, at once and in order; the snapshot comes before {@link Sessions.follow} returns. */
  event(event: SessionEvent): void;
  /** Nothing more comes: the session was removed, or the daemon ends. */
  end(): void;
}

/** A turn that is over, for log and metrics. */
export interface TurnEnded {
  session: string;
  agent: string;
  harness: HarnessName;
  state: Exclude<SessionState, "idle" | "running">;
  /** Why it failed. */
  code?: string;
  error?: string;
  ms: number;
}

/**
 * The sessions of a project, as the daemon sees them.
 *
 * Every method throws `session_not_found` for an id that is none, and `state_database` or `unwritable` when the
 * database can't be used.
 */
export interface Sessions extends AsyncDisposable {
  /**
   * Makes a session; with a prompt its first turn runs when this returns.
   *
   * @returns `because`: why this harness, when none was named and the standard one can't run.
   * @throws {BeeuniError} `agent_forbidden`, `bad_request` without a default agent, `harness_missing`, `stopping`.
   */
  create(session: NewSession): Promise<{ session: SessionDetail; because?: string }>;
  /** All of them, the newest first. */
  list(): SessionDetail[];
  get(id: string): SessionDetail;
  /** The last `limit` messages in order; absent = all. */
  messages(id: string, limit?: number): MessageRecord[];
  /**
   * Begins a turn. The prompt is on disk when this returns.
   *
   * @throws {BeeuniError} `turn_running`, `agent_forbidden`, `stopping`.
   */
  prompt(id: string, prompt: Prompt): SessionDetail;
  /** Stops the running turn; it is over within 5 s. @throws {BeeuniError} `no_turn`. */
  stop(id: string): SessionDetail;
  /**
   * Answers a question, the oldest one that waits when none is named. A permission takes `once`, `always` or `reject`.
   *
   * @throws {BeeuniError} `question_not_found`, `bad_request`.
   */
  answer(id: string, answer: { answer: string; question?: string }): QuestionRecord;
  /** Removes a session and all that is kept of it; a running turn is stopped first. */
  remove(id: string): Promise<SessionRecord>;
  /** Tells a follower what happens from now on. @returns Ends that. */
  follow(id: string, follower: Follower): () => void;
  /** Tells of every turn that ends. */
  watch(listener: (turn: TurnEnded) => void): void;
  /** How many turns run. */
  readonly running: number;
  /**
   * Refuses new turns, lets running ones finish for `graceMs`, then aborts them: they are `interrupted`. Called again
   * it cuts the first short. Followers are told the end.
   */
  close(graceMs: number): Promise<void>;
}
