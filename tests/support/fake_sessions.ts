import { writeDaemonFile } from "../../src/daemon/daemon_file.ts";
import { lockDaemon } from "../../src/daemon/daemon_lock.ts";
import { daemonKey } from "../../src/daemon/key_file.ts";
import type {
  MessageRecord,
  QuestionRecord,
  SessionEvent,
  SessionRecord,
  ToolCallRecord,
} from "../../src/sessions/types.ts";
import type { Project } from "./project.ts";

/** A request that the fake daemon got, without those for events and health. */
export interface FakeRequest {
  method: string;
  path: string;
  body: unknown;
}

interface FakeSession {
  record: SessionRecord;
  messages: MessageRecord[];
  questions: QuestionRecord[];
  followers: Set<ReadableStreamDefaultController<Uint8Array>>;
  stopped: PromiseWithResolvers<void>;
  answered: PromiseWithResolvers<string>;
}

/** A turn as a test plays it. */
export interface FakeTurn {
  session: SessionRecord;
  prompt: string;
  /** Settles when it was told to stop. */
  stopped: Promise<void>;
  /** Begins a message and answers its id. */
  message(): string;
  text(message: string, delta: string): void;
  call(message: string, call: Partial<ToolCallRecord> & { call: string }): void;
  /** Asks and waits for the answer. */
  ask(question: Partial<QuestionRecord>): Promise<string>;
  end(state: SessionRecord["state"], more?: { error?: string; code?: string }): void;
}

/**
 * What the session routes of a daemon look like from the outside (docs/design-harness.md): holds a project's lock, and
 * plays turns as a test says.
 */
export class FakeSessions implements AsyncDisposable {
  readonly requests: FakeRequest[] = [];
  /** What the answer to a new session says of the harness. */
  because: string | undefined;
  /** Answered to the next request in place of the route. */
  refuse: { status: number; body: unknown } | undefined;
  readonly #play: (turn: FakeTurn) => void | Promise<void>;
  readonly #sessions: FakeSession[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #lock: Disposable;
  #count = 0;

  private constructor(play: (turn: FakeTurn) => void | Promise<void>, lock: Disposable) {
    this.#play = play;
    this.#lock = lock;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => this.#answer(request),
    );
  }

  /** @param play Plays a turn, once for each prompt. */
  static async start(
    project: Project,
    play: (turn: FakeTurn) => void | Promise<void>,
  ): Promise<FakeSessions> {
    Deno.mkdirSync(project.state, { recursive: true, mode: 0o700 });
    const fake = new FakeSessions(play, await lockDaemon(project.state));
    await daemonKey(project.state);
    const url = `http://127.0.0.1:${fake.#server.addr.port}`;
    await writeDaemonFile(project.state, { url, pid: Deno.pid, version: "0" });
    return fake;
  }

  /** Adds a session that is there already. */
  add(messages: MessageRecord[] = [], record: Partial<SessionRecord> = {}): SessionRecord {
    const now = new Date(1_800_000_000_000 + this.#count * 1000).toISOString();
    const session: SessionRecord = {
      id: `ses_${String(++this.#count).padStart(2, "0")}abcdef`,
      agent: "beeuni",
      harness: "experimental",
      created: now,
      updated: now,
      state: "idle",
      title: "",
      ...record,
    };
    this.#sessions.unshift({
      record: session,
      messages,
      questions: [],
      followers: new Set(),
      stopped: Promise.withResolvers(),
      answered: Promise.withResolvers(),
    });
    return session;
  }

  /** Closes the connections of all who follow, as a daemon does with a reader that is too slow. */
  dropFollowers(): void {
    for (const { followers } of this.#sessions) {
      for (const follower of followers) follower.close();
      followers.clear();
    }
  }

  /** Ends as a daemon that is killed: the lock is free, and every connection closed. */
  async die(): Promise<void> {
    this.#lock[Symbol.dispose]();
    this.dropFollowers();
    await this.#server.shutdown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#lock[Symbol.dispose]();
    } catch {
      // It died before.
    }
    this.dropFollowers();
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === "/beeuni/health") return Response.json({ status: "ready" });
    if (request.headers.get("authorization") === null) return Response.json({}, { status: 401 });
    const [, id, verb = ""] = /^\/beeuni\/sessions(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(url.pathname) ?? [];
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text);
    if (verb !== "events") {
      this.requests.push({ method: request.method, path: url.pathname + url.search, body });
    }
    if (this.refuse !== undefined) {
      const { status, body } = this.refuse;
      this.refuse = undefined;
      return Response.json(body, { status });
    }
    if (id === undefined) {
      if (request.method === "GET") {
        return Response.json({
          sessions: this.#sessions.map(({ record, questions }) => ({ ...record, questions })),
        });
      }
      const { agent = "beeuni", harness = "experimental", model, prompt } = body;
      const record = this.add([], { agent, harness, ...(model === undefined ? {} : { model }) });
      const session = this.#find(record.id);
      if (prompt !== undefined && session !== undefined) this.#begin(session, prompt);
      return Response.json({ session: session?.record, because: this.because });
    }
    const session = this.#find(decodeURIComponent(id));
    if (session === undefined) {
      return Response.json({ error: `there is no session ${id}.`, code: "session_not_found" }, {
        status: 404,
      });
    }
    const document = () => ({ session: { ...session.record, questions: session.questions } });
    switch (`${request.method} ${verb}`) {
      case "GET ":
        return Response.json(document());
      case "GET messages": {
        const limit = url.searchParams.get("limit");
        return Response.json({
          messages: limit === null ? session.messages : session.messages.slice(-Number(limit)),
        });
      }
      case "GET events":
        return this.#follow(session);
      case "POST prompt":
        this.#begin(session, body.prompt);
        return Response.json(document(), { status: 202 });
      case "POST stop":
        if (session.record.state !== "running") {
          return Response.json({ error: "no turn runs.", code: "no_turn" }, { status: 409 });
        }
        session.stopped.resolve();
        return Response.json(document(), { status: 202 });
      case "POST answer":
        session.answered.resolve(body.answer);
        return Response.json({ question: session.questions[0] });
      case "DELETE ":
        this.#sessions.splice(this.#sessions.indexOf(session), 1);
        return Response.json(document());
      default:
        return Response.json({ error: "no route.", code: "route_not_found" }, { status: 404 });
    }
  }

  #find(id: string): FakeSession | undefined {
    return this.#sessions.find(({ record }) => record.id === id);
  }

  #follow(session: FakeSession): Response {
    let follower: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        follower = controller;
        session.followers.add(controller);
        const { record, messages, questions } = session;
        controller.enqueue(frame({ type: "snapshot", session: record, messages, questions }));
      },
      cancel() {
        session.followers.delete(follower);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #begin(session: FakeSession, prompt: string): void {
    const tell = (event: SessionEvent) => {
      for (const follower of session.followers) follower.enqueue(frame(event));
    };
    const message = (role: MessageRecord["role"], text: string) => {
      const record: MessageRecord = {
        id: `msg_${session.messages.length}`,
        role,
        created: new Date().toISOString(),
        text,
        tools: [],
      };
      session.messages.push(record);
      tell({ type: "message", message: record });
      return record.id;
    };
    const at = (id: string) => {
      const found = session.messages.find((one) => one.id === id);
      if (found === undefined) throw new Error(`no message ${id}`);
      return found;
    };
    session.record.state = "running";
    session.stopped = Promise.withResolvers();
    message("user", prompt);
    void this.#play({
      session: session.record,
      prompt,
      stopped: session.stopped.promise,
      message: () => message("assistant", ""),
      text(id, delta) {
        at(id).text += delta;
        tell({ type: "text", message: id, delta });
      },
      call(id, call) {
        const { tools } = at(id);
        const old = tools.findIndex((one) => one.call === call.call);
        const record = {
          tool: "lookup_order",
          status: "running",
          args: {},
          ms: 0,
          ...tools[old],
          ...call,
        } as const;
        if (old < 0) tools.push(record);
        else tools[old] = record;
        tell({ type: "tool", message: id, call: record });
      },
      async ask(question) {
        const record: QuestionRecord = {
          id: "q1",
          session: session.record.id,
          kind: "permission",
          tool: "bash",
          text: "git push",
          created: "2026-12-01T10:00:00.000Z",
          deadline: "2026-12-01T10:10:00.000Z",
          ...question,
        };
        session.questions.push(record);
        session.answered = Promise.withResolvers();
        tell({ type: "question", question: record });
        const answer = await session.answered.promise;
        session.questions = [];
        tell({ type: "answer", question: record.id, answer });
        return answer;
      },
      end(state, more = {}) {
        session.record.state = state;
        tell({ type: "turn_end", state, ...more });
      },
    });
  }
}

function frame({ type, ...data }: SessionEvent): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}
