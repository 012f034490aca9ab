import type { Message } from "@earendil-works/pi-ai";
import { BeeuniError } from "../../errors/error.ts";
import type { LoadedTool } from "../../host/types.ts";
import type { Agent, Manifest } from "../../manifest/model.ts";
import { resolveModel } from "../../models/resolve_model.ts";
import type { Turn } from "../../sessions/types.ts";
import type { HarnessProject } from "../types.ts";
import { CallIds } from "./call_ids.ts";
import { type CallEnd, callTool, notFound } from "./call_tool.ts";
import type { HarnessTool, HarnessToolContext, SubagentRequest } from "./harness_tool.ts";
import { type LoopEvents, messageText, runLoop } from "./loop.ts";
import { maskedMessage, maskValue } from "./mask_value.ts";
import { type OfferedTool, offeredTools, subagentsOf } from "./offered_tools.ts";
import { CALL_ABORTED, raced } from "./raced.ts";
import { PermissionGate } from "./permission_gate.ts";
import { systemPrompt } from "./system_prompt.ts";
import { readTranscript, SUBAGENT_SEPARATOR, type Transcript, writeTranscript } from "./transcript.ts";

/** What bounds a turn. */
export interface TurnLimits {
  /** A model that sends nothing for so long has failed, in milliseconds. */
  silenceMs: number;
  /** Most requests to a model in one turn, its subagents' included. */
  requests: number;
}

/** Who calls, and with which tools. */
interface Actor {
  agent: Agent;
  /** Set for a subagent: the agent of the session, whose list and rules hold too. */
  caller?: Agent;
  tools: ReadonlyMap<string, OfferedTool>;
  /** The stored message whose calls it makes. */
  message(): string;
}

/** One turn of a session: its tools are those that were loaded when it was made. */
export class ExperimentalTurn {
  readonly #project: HarnessProject;
  readonly #turn: Turn;
  readonly #limits: TurnLimits;
  readonly #own: readonly HarnessTool[];
  readonly #manifest: Manifest;
  readonly #hosted: readonly LoadedTool[];
  readonly #agent: Agent;
  readonly #transcript: Transcript;
  readonly #gate: PermissionGate;
  readonly #ids: CallIds;
  /** How calls of offered tools ended, until they were reported. */
  readonly #ends = new Map<string, CallEnd>();
  /** The stored message of each call that runs. */
  readonly #messages = new Map<string, string>();
  /** What is stored of each message: a turn saves often, and a message never changes. */
  readonly #stored = new WeakMap<Message, string>();
  #requests = 0;

  /**
   * @param own The harness tools, as they were made for this turn.
   * @throws {BeeuniError} `agent_forbidden` when the manifest does not declare the session's agent.
   */
  constructor(project: HarnessProject, turn: Turn, own: readonly HarnessTool[], limits: TurnLimits) {
    this.#project = project;
    this.#turn = turn;
    this.#limits = limits;
    this.#own = own;
    this.#manifest = project.host.manifest();
    this.#hosted = project.host.catalogue().tools;
    this.#agent = sessionAgent(this.#manifest, turn.session.agent);
    this.#transcript = readTranscript(turn.saved, turn.history);
    this.#gate = new PermissionGate({
      root: project.root,
      ask: (question, signal) => turn.report.ask(question, signal),
      mask: (text) => project.host.mask(text),
      always: this.#transcript.always,
    });
    this.#ids = new CallIds(turn.history.flatMap(({ tools }) => tools.map(({ call }) => call)));
  }

  /** Runs the turn; settles when everything of it was reported. */
  async run(): Promise<void> {
    const { session, prompt, report } = this.#turn;
    let message: string | undefined;
    const actor: Actor = {
      agent: this.#agent,
      tools: this.#offered({ agent: this.#agent.name }),
      message: () => message ??= report.beginMessage(),
    };
    await this.#loop(actor, session.model ?? this.#agent.model, this.#transcript.messages, prompt, {
      text: (delta) => report.addText(message ??= report.beginMessage(), delta),
      message: (answer, failure) => {
        // A turn that is stopped before a word came leaves no message.
        if (failure?.code === "aborted" && message === undefined) return;
        message ??= report.beginMessage();
        report.endMessage(message, {
          text: messageText(answer),
          ...(failure !== undefined && { error: failure.message }),
        });
        // With calls it is saved once they are over: until then the history has all of it.
        if (failure === undefined && answer.content.some(({ type }) => type === "toolCall")) return;
        if (failure === undefined) this.#save(message);
        message = undefined;
      },
      results: () => {
        if (message !== undefined) this.#save(message);
        message = undefined;
      },
    });
  }

  #loop(
    actor: Actor,
    model: string | undefined,
    messages: Message[],
    prompt: string,
    events: Pick<LoopEvents, "text" | "message" | "results">,
  ): Promise<string> {
    const { session, signal, report } = this.#turn;
    const { agent, caller, tools } = actor;
    return runLoop({
      endpoint: resolveModel(model, this.#project.models),
      system: systemPrompt(agent, this.#project.root, caller?.name),
      tools: [...tools.values()],
      messages,
      prompt,
      session: session.id,
      signal,
      silenceMs: this.#limits.silenceMs,
      callId: (given) => this.#ids.take(given),
      call: (id, tool, args) => this.#call(actor, id, tool, args),
      events: {
        ...events,
        request: () => this.#countRequest(),
        callStart: ({ id, tool, args }) => {
          const message = actor.message();
          this.#messages.set(id, message);
          const name = caller === undefined ? tool : `${agent.name}${SUBAGENT_SEPARATOR}${tool}`;
          report.beginCall(message, { call: id, tool: name, args: maskValue(args, this.#project.host) });
        },
        callEnd: ({ id, tool, text, isError }) => {
          const end = this.#ends.get(id) ?? this.#withoutRun(tool, text, isError);
          this.#ends.delete(id);
          this.#messages.delete(id);
          const { error } = end;
          report.endCall(id, {
            ...end,
            ...(error !== undefined && { error: this.#project.host.mask(error) }),
          });
        },
      },
    });
  }

  /** How a call ended that never reached {@link #call}. */
  #withoutRun(tool: string, text: string, isError: boolean): CallEnd {
    if (this.#turn.signal.aborted) return { status: "aborted", error: text, ms: 0 };
    if (!isError) return { status: "completed", output: text, ms: 0 };
    const hidden = text === notFound(tool) && this.#exists(tool);
    return { status: hidden ? "refused" : "error", error: text, ms: 0 };
  }

  /** Whether there is a tool of this name, for another agent. */
  #exists(tool: string): boolean {
    return this.#own.some(({ name }) => name === tool) ||
      this.#hosted.some(({ name }) => name === tool);
  }

  async #call(actor: Actor, id: string, name: string, args: Record<string, unknown>): Promise<string> {
    const { signal } = this.#turn;
    const end = await raced(this.#run(actor, id, name, args), signal).catch((error): CallEnd => {
      if (!signal.aborted) throw error;
      return { status: "aborted", error: CALL_ABORTED };
    });
    this.#ends.set(id, end);
    if (end.status === "completed") return end.output ?? "";
    throw new Error(end.error);
  }

  async #run(actor: Actor, id: string, name: string, args: Record<string, unknown>): Promise<CallEnd> {
    const { signal } = this.#turn;
    const { agent, caller, tools } = actor;
    const tool = tools.get(name);
    if (tool === undefined) return { status: "error", error: notFound(name) };
    const agents = caller === undefined ? [agent] : [agent, caller];
    const refusal = await this.#gate.check({ call: id, tool: name, args, agents, signal });
    // A stop answers what was asked with nobody's answer.
    if (signal.aborted) return { status: "aborted", error: CALL_ABORTED };
    if (refusal !== undefined) return { status: "refused", error: refusal };
    return await callTool(tool, {
      host: this.#project.host,
      args,
      context: this.#context(actor, id, name),
    });
  }

  #context(actor: Actor, call: string, tool: string): HarnessToolContext {
    const { root, host } = this.#project;
    const { session, signal, report } = this.#turn;
    return {
      root,
      directory: root,
      session: session.id,
      agent: actor.agent.name,
      call,
      spillFolder: host.spillFolder(session.id),
      signal,
      ask: (text, options = []) =>
        report.ask({ kind: "question", call, tool, text: host.mask(text), options }, signal),
      ...(actor.caller === undefined && {
        runSubagent: (request: SubagentRequest) => this.#runSubagent(call, request),
      }),
    };
  }

  /** Runs a subagent to its end; its calls are reported with those of the message that started it. */
  async #runSubagent(task: string, request: SubagentRequest): Promise<string> {
    const known = subagentsOf(this.#manifest, this.#agent.name).map(({ name }) => name);
    const agent = this.#manifest.agents.get(request.agent);
    if (agent === undefined || !known.includes(agent.name)) {
      const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
      throw new Error(`no subagent named ${request.agent}: ${there}`);
    }
    const message = this.#messages.get(task) ?? "";
    const actor: Actor = {
      agent,
      caller: this.#agent,
      tools: this.#offered({ agent: this.#agent.name, subagent: agent.name }),
      message: () => message,
    };
    const model = agent.model ?? this.#turn.session.model ?? this.#agent.model;
    return await this.#loop(actor, model, [], request.prompt, { message: () => {} });
  }

  #offered(to: { agent: string; subagent?: string }): ReadonlyMap<string, OfferedTool> {
    return new Map(
      offeredTools(this.#manifest, to, this.#hosted, this.#own).map((tool) => [tool.name, tool]),
    );
  }

  #countRequest(): void {
    if (++this.#requests <= this.#limits.requests) return;
    throw new BeeuniError(
      "harness_failed",
      `the turn was ended after ${this.#limits.requests} requests to the model`,
      { hint: "Send another prompt to let it go on." },
    );
  }

  #save(message: string): void {
    this.#transcript.upTo = message;
    this.#turn.report.save(writeTranscript(this.#transcript, (each) => this.#storedText(each)));
  }

  /** What is stored of a message: arguments and errors are masked (specification 2.6), outputs are what tools returned. */
  #storedText(message: Message): string {
    const known = this.#stored.get(message);
    if (known !== undefined) return known;
    const text = JSON.stringify(maskedMessage(message, this.#project.host));
    this.#stored.set(message, text);
    return text;
  }
}

function sessionAgent(manifest: Manifest, name: string): Agent {
  const agent = manifest.agents.get(name);
  if (agent !== undefined) return agent;
  const declared = [...manifest.agents.keys()].join(", ");
  throw new BeeuniError(
    "agent_forbidden",
    `there is no agent ${name}; the project has ${declared || "none"}`,
    {
      hint: "Start a session with one of these, or declare it under `agents` in beeuni.yaml.",
    },
  );
}
