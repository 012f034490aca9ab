import { MemoryHost, type MemoryHostOptions } from "../../../daemon/testing/memory_host.ts";
import { createLogger } from "../../../log/logger.ts";
import type { LoadedTool } from "../../../host/types.ts";
import type { Agent, Manifest } from "../../../manifest/model.ts";
import type { Answer, Harness, MessageRecord, QuestionRequest, TurnReport } from "../../../sessions/types.ts";
import {
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
} from "../../../../scripts/scripted_model/scripted_model.ts";
import { createExperimentalHarness } from "../harness.ts";
import type { HarnessTool } from "../harness_tool.ts";
import type { TurnLimits } from "../turn.ts";

/** Options of {@link TurnBench.start}. */
export interface TurnBenchOptions extends MemoryHostOptions {
  harnessTools?: readonly HarnessTool[];
  /** Changes agents of the manifest that {@link MemoryHost} makes, by name. */
  declared?: Readonly<Record<string, Partial<Agent>>>;
  /** Schema by tool; default `{ type: "object" }`. */
  schemas?: Readonly<Record<string, Record<string, unknown>>>;
  limits?: Partial<TurnLimits>;
  key?: string;
  /** Environment of the daemon besides the scripted model's address. */
  env?: Readonly<Record<string, string>>;
}

/** A tool host whose agents, schemas and masking a test decides. */
class BenchHost extends MemoryHost {
  generation = 1;
  /** Names that a reload took away. */
  readonly gone = new Set<string>();
  readonly secrets = new Set<string>();
  readonly #options: TurnBenchOptions;

  constructor(options: TurnBenchOptions) {
    super(options);
    this.#options = options;
  }

  override catalogue(): ReturnType<MemoryHost["catalogue"]> {
    const { schemas = {} } = this.#options;
    const all = super.catalogue();
    const tools = all.tools.filter(({ name }) => !this.gone.has(name)).map((tool): LoadedTool => ({
      ...tool,
      parameters: schemas[tool.name] ?? { type: "object" },
    }));
    return { ...all, generation: this.generation, tools };
  }

  override manifest(): Manifest {
    const { declared = {} } = this.#options;
    const manifest = super.manifest();
    const agents = [...manifest.agents].map(([name, agent]): [string, Agent] => [name, {
      ...agent,
      ...declared[name],
    }]);
    return { ...manifest, agents: new Map(agents) };
  }

  override mask(text: string): string {
    return [...this.secrets].reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
  }
}

/** What is reported of a session, kept as a store keeps it. */
export class BenchReport implements TurnReport {
  readonly messages: MessageRecord[];
  readonly questions: QuestionRequest[] = [];
  readonly log: string[] = [];
  saved: string | undefined;
  answers: Answer[] = [];
  /** Called at the beginning of each call. */
  onCall: (call: string) => void = () => {};
  #ids: number;

  /** @param messages What the session has already. */
  constructor(messages: MessageRecord[] = []) {
    this.messages = messages;
    this.#ids = messages.length;
  }

  user(text: string): MessageRecord {
    const message = this.#add("user");
    message.text = text;
    return message;
  }

  beginMessage(): string {
    this.log.push("message");
    return this.#add("assistant").id;
  }

  #add(role: MessageRecord["role"]): MessageRecord {
    const message = {
      id: `m${++this.#ids}`,
      role,
      created: "2026-12-01T00:00:00.000Z",
      text: "",
      tools: [],
    } satisfies MessageRecord;
    this.messages.push(message);
    return message;
  }

  addText(message: string, delta: string): void {
    this.#message(message).text += delta;
  }

  endMessage(message: string, end: { text: string; error?: string }): void {
    Object.assign(this.#message(message), end);
  }

  beginCall(message: string, call: { call: string; tool: string; args: unknown }): void {
    if (this.#find(call.call) !== undefined) throw new Error(`the call ${call.call} began twice`);
    this.#message(message).tools.push({ ...call, status: "running", ms: 0 });
    this.log.push(`begin ${call.tool}`);
    this.onCall(call.call);
  }

  endCall(call: string, end: Parameters<TurnReport["endCall"]>[1]): void {
    const record = this.#find(call);
    if (record === undefined) throw new Error(`the call ${call} never began`);
    if (record.status !== "running") throw new Error(`the call ${call} ended twice`);
    Object.assign(record, end);
    this.log.push(`end ${record.tool}`);
  }

  ask(question: QuestionRequest, signal: AbortSignal): Promise<Answer> {
    this.questions.push(question);
    if (this.answers.length > 0) return Promise.resolve(this.answers.shift()!);
    return new Promise((answered) => signal.addEventListener("abort", () => answered(null)));
  }

  save(state: string): void {
    this.saved = state;
    this.log.push("save");
  }

  #message(id: string): MessageRecord {
    const message = this.messages.find((each) => each.id === id);
    if (message === undefined) throw new Error(`no message ${id}`);
    return message;
  }

  #find(call: string) {
    return this.messages.flatMap(({ tools }) => tools).find((each) => each.call === call);
  }
}

/** Options of {@link TurnBench.turn}. */
export interface BenchTurnOptions {
  agent?: string;
  model?: string;
  signal?: AbortSignal;
}

/** The experimental harness on a host without processes, and a model that does what a script says. */
export class TurnBench implements AsyncDisposable {
  readonly host: BenchHost;
  readonly model: ScriptedModel;
  readonly harness: Harness;
  /** Of one session; a test may replace it to begin another. */
  report = new BenchReport();
  /** Lines of the log. */
  readonly lines: string[] = [];
  #prompts = 0;

  private constructor(model: ScriptedModel, options: TurnBenchOptions) {
    this.model = model;
    this.host = new BenchHost(options);
    const env: Record<string, string | undefined> = {
      BEEUNI_MODEL_BASE_URL: model.url,
      ...(options.key !== undefined && { BEEUNI_MODEL_API_KEY: options.key }),
      ...options.env,
    };
    this.harness = createExperimentalHarness({
      root: "/project",
      stateDir: "/state",
      host: this.host,
      models: { env: (name) => env[name], secret: () => undefined },
      logger: createLogger({
        write: (bytes) => {
          this.lines.push(new TextDecoder().decode(bytes));
          return Promise.resolve(bytes.length);
        },
      }),
    }, {
      makeTools: () => Promise.resolve([...options.harnessTools ?? []]),
      limits: { silenceMs: 5000, requests: 200, ...options.limits },
    });
  }

  /** Starts the model and makes the harness. */
  static async start(options: TurnBenchOptions = {}): Promise<TurnBench> {
    return new TurnBench(await startScriptedModel(), options);
  }

  /** Runs one turn of the session with what the model does in it. */
  async turn(steps: readonly ScriptStep[], options: BenchTurnOptions = {}): Promise<void> {
    const { report } = this;
    const prompt = `prompt ${++this.#prompts}.`;
    this.model.on(prompt, steps);
    const history = structuredClone(report.messages);
    report.user(prompt);
    await this.harness.run({
      session: {
        id: "s1",
        agent: options.agent ?? "beeuni",
        harness: "experimental",
        model: options.model ?? "scripted/model",
        created: "",
        updated: "",
        state: "running",
        title: "",
      },
      prompt,
      ...(report.saved !== undefined && { saved: report.saved }),
      history,
      signal: options.signal ?? new AbortController().signal,
      report,
    });
  }

  /** Messages of a request to the model, without the system prompt; the last request's when left out. */
  sent(request = this.model.requests.at(-1)!): { role: string; content?: unknown; tool_call_id?: string }[] {
    return request.body.messages.filter(({ role }) => role !== "system");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
  }
}
