import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { MemoryHost, type MemoryHostOptions } from "../../src/daemon/testing/memory_host.ts";
import { BeeuniError } from "../../src/errors/error.ts";
import { BenchReport } from "../../src/harness/experimental/testing/turn_bench.ts";
import { createStandardHarness, type StandardHarness } from "../../src/harness/standard/harness.ts";
import type { PluginCall } from "../../src/harness/standard/types.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Agent, Manifest } from "../../src/manifest/model.ts";
import type { Answer, QuestionRequest } from "../../src/sessions/types.ts";
import { opencode } from "./opencode.ts";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "./scripted_model.ts";

/** What the daemon alone may know. */
export const BENCH_KEY = "model-key-of-the-daemon";

/** Options of {@link StandardBench.start}. */
export interface StandardBenchOptions extends MemoryHostOptions {
  /** Changes agents of the manifest that {@link MemoryHost} makes, by name. */
  declared?: Readonly<Record<string, Partial<Agent>>>;
  /** Environment of the daemon besides the model's and OpenCode's. */
  env?: Readonly<Record<string, string | undefined>>;
  /** How long a turn that needs a reload waits for others, in milliseconds. */
  waitMs?: number;
  /** The folder of an earlier bench, whose state is gone on with. */
  folder?: string;
}

class BenchHost extends MemoryHost {
  generation = 1;
  /** Tools that a reload takes away. */
  readonly gone = new Set<string>();
  readonly declared: Record<string, Partial<Agent>>;

  constructor(options: StandardBenchOptions) {
    super(options);
    this.declared = { ...options.declared };
  }

  override catalogue(): ReturnType<MemoryHost["catalogue"]> {
    const all = super.catalogue();
    return {
      ...all,
      generation: this.generation,
      tools: all.tools.filter(({ name }) => !this.gone.has(name)),
    };
  }

  override manifest(): Manifest {
    const manifest = super.manifest();
    const agents = [...manifest.agents].map(([name, agent]): [string, Agent] => [
      name,
      { ...agent, ...this.declared[name] },
    ]);
    return { ...manifest, agents: new Map(agents) };
  }
}

/** A session of the bench: what was reported of it. */
export class BenchSession extends BenchReport {
  readonly id: string;
  readonly agent: string;

  #open = Promise.withResolvers<Answer>();

  constructor(id: string, agent: string) {
    super();
    this.id = id;
    this.agent = agent;
  }

  /** Answers from {@link answers}; without one it waits for {@link release}, or the end of the turn. */
  override async ask(question: QuestionRequest, signal: AbortSignal): Promise<Answer> {
    if (this.answers.length > 0) return await super.ask(question, signal);
    this.questions.push(question);
    const ended = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => ended.reject(signal.reason));
    const answer = await Promise.race([this.#open.promise, ended.promise]);
    this.#open = Promise.withResolvers();
    return answer;
  }

  /** Answers the question that waits. */
  release(answer: Answer): void {
    this.#open.resolve(answer);
  }
}

/** The standard harness with the real OpenCode, a host without processes, and a model that does what a script says. */
export class StandardBench implements AsyncDisposable {
  readonly host: BenchHost;
  readonly model: ScriptedModel;
  readonly harness: StandardHarness;
  /** A checkout and a state directory. */
  readonly folder: string;
  readonly lines: string[] = [];
  /** Calls of the plugin that belong to no turn. */
  readonly refused: PluginCall[] = [];
  readonly #routes: ReturnType<typeof createServer>;
  #ids = 0;

  private constructor(
    parts: Pick<StandardBench, "model" | "folder">,
    path: string,
    options: StandardBenchOptions,
  ) {
    this.model = parts.model;
    this.folder = parts.folder;
    this.host = new BenchHost(options);
    this.#routes = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    const env: Record<string, string | undefined> = {
      PATH: Deno.env.get("PATH"),
      BEEUNI_OPENCODE: path,
      BEEUNI_MODEL_BASE_URL: this.model.url,
      BEEUNI_MODEL_API_KEY: BENCH_KEY,
      ...options.env,
    };
    this.harness = createStandardHarness(
      {
        root: join(this.folder, "checkout"),
        stateDir: join(this.folder, "state"),
        host: this.host,
        models: { env: (name) => env[name], secret: () => undefined },
        logger: createLogger({
          level: "debug",
          write: (bytes) => {
            this.lines.push(new TextDecoder().decode(bytes));
            return Promise.resolve(bytes.length);
          },
        }),
      },
      { url: () => `http://127.0.0.1:${(this.#routes.address() as AddressInfo).port}` },
      options.waitMs === undefined ? {} : { waitMs: options.waitMs },
    );
  }

  static async start(options: StandardBenchOptions = {}): Promise<StandardBench> {
    const folder = options.folder ?? await Deno.makeTempDir({ prefix: "beeuni-standard-" });
    await Deno.mkdir(join(folder, "checkout"), { recursive: true });
    await Deno.mkdir(join(folder, "state"), { recursive: true, mode: 0o700 });
    const model = await startScriptedModel({ key: BENCH_KEY });
    const bench = new StandardBench({ model, folder }, await opencode(), options);
    await new Promise<void>((done) => bench.#routes.listen(0, "127.0.0.1", done));
    return bench;
  }

  session(agent = "beeuni"): BenchSession {
    return new BenchSession(`session-${++this.#ids}`, agent);
  }

  /** Runs one turn, a script or a prompt, to its end. */
  async turn(
    session: BenchSession,
    steps: readonly ScriptStep[],
    options: { signal?: AbortSignal; model?: string } = {},
  ): Promise<void> {
    const prompt = `Do what script ${crypto.randomUUID()} says.`;
    this.model.on(prompt, steps);
    const history = structuredClone(session.messages);
    session.user(prompt);
    await this.harness.run({
      session: {
        id: session.id,
        agent: session.agent,
        harness: "standard",
        model: options.model ?? "scripted/model",
        created: "",
        updated: "",
        state: "running",
        title: "",
      },
      prompt,
      ...(session.saved !== undefined && { saved: session.saved }),
      history,
      signal: options.signal ?? new AbortController().signal,
      report: session,
    });
  }

  /** Id of the OpenCode that was started last. */
  async pid(): Promise<number> {
    return JSON.parse(await Deno.readTextFile(join(this.folder, "state/opencode/process.json"))).pid;
  }

  /** What the daemon does for the plugin. */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url ?? "";
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!this.harness.knowsToken(token)) return send(401, { error: "the token is wrong" });
    const model = /^\/beeuni\/models\/[^/]+(\/.*)$/.exec(path)?.[1];
    if (model !== undefined) return await this.#toModel(model, text, response);
    if (request.method === "GET" && path === "/beeuni/tools") {
      return send(200, { tools: this.host.catalogue().tools });
    }
    const tool = /^\/beeuni\/tools\/(\w+)$/.exec(path)?.[1] ?? "";
    const { args, ...ids } = JSON.parse(text);
    const call: PluginCall = { tool, session: ids.session, agent: ids.agent, call: ids.call };
    const caller = await this.harness.callerOf(call);
    if (caller === undefined) {
      this.refused.push(call);
      return send(403, { error: "no turn of this agent runs", code: "agent_forbidden" });
    }
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const { session, agent } = caller;
      const result = await this.host.call({ tool, args, agent, session, signal: gone.signal });
      send(200, { output: result.output });
    } catch (error) {
      const known = error instanceof BeeuniError ? error : new BeeuniError("internal", String(error));
      if (known.code === "agent_forbidden") this.harness.callEnded(call, { status: "refused" });
      send(known.status, { error: known.message, code: known.code });
    }
  }

  async #toModel(path: string, body: string, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const answer = await fetch(this.model.url + path.replace(/^\/v1/, ""), {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${BENCH_KEY}` },
      body,
      signal: gone.signal,
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  }

  /** Ends the harness and leaves the folder. */
  async end(): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    this.#routes.closeAllConnections();
    await new Promise((done) => this.#routes.close(done));
    await this.model[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await Deno.remove(this.folder, { recursive: true });
  }
}
