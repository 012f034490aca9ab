import assert from "node:assert/strict";
import type { HarnessName } from "../../src/agents/may_use.ts";
import type {
  MessageRecord,
  QuestionRecord,
  SessionRecord,
  SessionState,
  ToolCallRecord,
} from "../../src/sessions/types.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
import { eventually } from "./eventually.ts";
import { opencode } from "./opencode.ts";
import { processTree } from "./processes.ts";
import { Project, type ProjectOptions } from "./project.ts";
import { pathWithRipgrep } from "./ripgrep.ts";
import { beeuni, type RunOptions, type RunResult } from "./run.ts";
import { offeredTools, type ScriptedModel, type ScriptStep, startScriptedModel } from "./scripted_model.ts";

export const HARNESSES: readonly HarnessName[] = ["standard", "experimental"];

/** The key the scripted model takes. */
export const MODEL_KEY = "model-key-7c41e0";

/** Any provider's name will do where `BEEUNI_MODEL_BASE_URL` is set (specification 4.2). */
export const MODEL = "scripted/model";

/** A session with what is asked of a person. */
export type SessionAnswer = SessionRecord & { questions: QuestionRecord[] };

/** Options of {@link SessionBench.start}. */
export interface SessionBenchOptions extends ProjectOptions {
  daemon?: DaemonOptions;
}

/** A prompt and how it is sent. */
export interface TurnOptions {
  harness: HarnessName;
  agent?: string;
  model?: string;
  /** Whether somebody is there to answer; default yes. */
  attended?: boolean;
  /** Go on with this session. */
  session?: string;
  /** Answers to the questions that come, in order. */
  answers?: readonly string[];
}

/** A turn that is over. */
export interface TurnResult {
  session: SessionAnswer;
  state: SessionState;
  /** The messages of this turn, the prompt first. */
  messages: MessageRecord[];
  /** Its tool calls in order. */
  calls: ToolCallRecord[];
  /** The questions that were answered. */
  questions: QuestionRecord[];
  /** Tools that the turn's first request to the model offered, sorted. */
  offered: string[];
}

/** A project, a daemon on it that knows both harnesses, and the model that both talk to. */
export class SessionBench implements AsyncDisposable {
  readonly project: Project;
  readonly model: ScriptedModel;
  readonly #env: Readonly<Record<string, string>>;
  readonly #options: DaemonOptions;
  /** The daemon that runs now; see {@link restart}. */
  daemon: Daemon;

  private constructor(parts: Pick<SessionBench, "project" | "model" | "daemon">, options: DaemonOptions) {
    this.project = parts.project;
    this.model = parts.model;
    this.daemon = parts.daemon;
    this.#options = options;
    this.#env = options.env ?? {};
  }

  /** Starts all of it on a copy of a fixture or on the files given. */
  static async start(options: SessionBenchOptions): Promise<SessionBench> {
    const project = new Project(options);
    const model = await startScriptedModel({ key: MODEL_KEY });
    const env = await sessionEnvironment(model.url);
    const daemonOptions = { ...options.daemon, env: { ...env, ...options.daemon?.env } };
    try {
      const daemon = await startDaemon(project, daemonOptions);
      return new SessionBench({ project, model, daemon }, daemonOptions);
    } catch (error) {
      await model[Symbol.asyncDispose]();
      project[Symbol.dispose]();
      throw error;
    }
  }

  /** Ends the daemon with a signal and starts another on the same state. */
  async restart(signal: Deno.Signal = "SIGTERM"): Promise<void> {
    await this.daemon.stop(signal);
    this.daemon = await startDaemon(this.project, this.#options);
  }

  /** Runs a `beeuni` command in the daemon's environment. */
  beeuni(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return beeuni(this.project, args, { ...options, env: { ...this.#env, ...options.env } });
  }

  /** Begins a session or its next turn; answers as soon as it runs. */
  async begin(prompt: string, options: TurnOptions): Promise<SessionAnswer> {
    const { session, harness, agent, model = MODEL, attended = true } = options;
    const path = session === undefined ? "/beeuni/sessions" : `/beeuni/sessions/${session}/prompt`;
    const body = session === undefined
      ? { harness, model, prompt, attended, ...(agent === undefined ? {} : { agent }) }
      : { prompt, attended };
    const answer = await this.daemon.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(answer.status < 300, `${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.session;
  }

  /** A new prompt that the model answers as the script says. */
  prompt(script: readonly ScriptStep[]): string {
    const prompt = `Do what script ${crypto.randomUUID()} says.`;
    this.model.on(prompt, script);
    return prompt;
  }

  /** Runs one turn, a script or the words of a prompt, to its end. */
  async turn(script: readonly ScriptStep[] | string, options: TurnOptions): Promise<TurnResult> {
    const prompt = typeof script === "string" ? script : this.prompt(script);
    const seen = this.model.requests.length;
    const before = options.session === undefined ? 0 : (await this.messages(options.session)).length;
    const begun = await this.begin(prompt, options);
    const { session, questions } = await this.#end(begun.id, options.answers ?? []);
    const messages = (await this.messages(session.id)).slice(before);
    const first = this.model.turns(prompt).find((request) => this.model.requests.indexOf(request) >= seen);
    return {
      session,
      state: session.state,
      messages,
      calls: messages.flatMap(({ tools }) => tools),
      questions,
      offered: first === undefined ? [] : offeredTools(first.body),
    };
  }

  /** A session as the daemon gives it. */
  async session(id: string): Promise<SessionAnswer> {
    return (await this.daemon.request(`/beeuni/sessions/${id}`)).body.session;
  }

  /** All messages of a session. */
  async messages(id: string): Promise<MessageRecord[]> {
    return (await this.daemon.request(`/beeuni/sessions/${id}/messages?limit=1000`)).body.messages;
  }

  /** Waits until the session's turn is over, however it ended. */
  async ended(id: string): Promise<SessionAnswer> {
    return (await this.#end(id, [])).session;
  }

  /** Waits until a question of the session waits for an answer. */
  question(id: string): Promise<QuestionRecord> {
    return eventually(async () => {
      const [question] = (await this.session(id)).questions;
      assert.ok(question, "nothing is asked");
      return question;
    }, WAIT);
  }

  /** A request without a body that changes something: `stop`, or with one: `answer`. */
  post(path: string, body?: unknown): ReturnType<Daemon["request"]> {
    return this.daemon.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Process ids of the OpenCode that this daemon has started. */
  opencodes(): number[] {
    return processTree(this.daemon.pid).map(({ pid }) => pid).filter((pid) => {
      try {
        return Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0")[1] === "serve";
      } catch {
        return false; // It has ended.
      }
    });
  }

  async #end(
    id: string,
    answers: readonly string[],
  ): Promise<{ session: SessionAnswer; questions: QuestionRecord[] }> {
    const questions: QuestionRecord[] = [];
    const left = [...answers];
    const session = await eventually(async () => {
      const session = await this.session(id);
      const question = session.questions.find((one) => !questions.some(({ id }) => id === one.id));
      const answer = question === undefined ? undefined : left.shift();
      if (question !== undefined && answer !== undefined) {
        const path = `/beeuni/sessions/${id}/answer`;
        const told = await this.post(path, { answer, question: question.id });
        assert.equal(told.status, 200, JSON.stringify(told.body));
        questions.push(question);
      }
      if (session.state === "running") {
        throw new Error(`the turn of ${id} still runs: ${JSON.stringify(session)}`);
      }
      return session;
    }, WAIT);
    return { session, questions };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon.stop();
    await this.model[Symbol.asyncDispose]();
    this.project[Symbol.dispose]();
  }
}

/** Longest wait for a turn: a first start of OpenCode on a busy machine is most of it. */
const WAIT = { within: 60_000, every: 25 };

/** What a daemon needs for sessions: the scripted model and the real OpenCode. */
export async function sessionEnvironment(modelUrl: string): Promise<Record<string, string>> {
  return {
    BEEUNI_MODEL_BASE_URL: modelUrl,
    BEEUNI_MODEL_API_KEY: MODEL_KEY,
    BEEUNI_OPENCODE: await opencode(),
    PATH: await pathWithRipgrep(),
  };
}
