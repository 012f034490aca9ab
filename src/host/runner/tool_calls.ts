import { AsyncLocalStorage } from "node:async_hooks";
import type { CallBody, DaemonFrame } from "../protocol.ts";
import { answerError, answerOutput, type Post } from "./answer.ts";
import type { ToolModule } from "./contract.ts";
import type { ToTool } from "./messages.ts";
import type { OutputSender } from "./output_sender.ts";
import {
  append,
  atomicsLoad,
  jsonParse,
  objectCreate,
  reflectApply,
  uncurryGetter,
  uncurryThis,
} from "./primordials.ts";
import { explainRefusals, type RefusalContext } from "./refusal.ts";
import { OutputTooLargeError, resultText } from "./result_text.ts";
import { learnMaskForms } from "./secret_mask.ts";
import { detailOf, sentenceOf } from "./sentence.ts";
import { CALL_LOG, IDLE_LOG, type LogStream, ToolLog } from "./tool_log.ts";

type CallMessage = Extract<ToTool, { kind: "call" }>;
type AbortBody = Extract<DaemonFrame, { kind: "abort" }>["body"];

/** A call that was started and has not been answered. */
interface RunningCall {
  readonly id: number;
  readonly controller: AbortController;
  readonly log: ToolLog;
  isOver: boolean;
}

/** `context` of `execute(args, context)` (specification 2.1). */
interface ToolContext {
  sessionId: string;
  agent: string;
  directory: string;
  env: Record<string, string>;
  signal: AbortSignal;
}

const newController = AbortController;
const abort = uncurryThis<AbortController, [reason: unknown], void>(AbortController.prototype.abort);
const signalOf = uncurryGetter(AbortController.prototype, "signal");
const newDOMException = DOMException;
const decoder = new TextDecoder();
const decode = uncurryThis<TextDecoder, [bytes: Uint8Array], string>(TextDecoder.prototype.decode);
const runIn = uncurryThis<AsyncLocalStorage<RunningCall>, [call: RunningCall, run: () => void], void>(
  AsyncLocalStorage.prototype.run,
);
const storeOf = uncurryThis<AsyncLocalStorage<RunningCall>, [], RunningCall | undefined>(
  AsyncLocalStorage.prototype.getStore,
);

/** The calls of one tool: starts them, aborts them, answers each exactly once, and knows to which one code belongs. */
export class ToolCalls {
  readonly #context = new AsyncLocalStorage<RunningCall>();
  readonly #running: Record<number, RunningCall> = objectCreate(null);
  /** Long answers that are on their way, by call. */
  readonly #sending: Record<number, OutputSender> = objectCreate(null);
  readonly #idleLog: ToolLog;
  /** Calls that came before the module was loaded, or while an abort was on its way. */
  #waiting: CallMessage[] = [];
  #env: Record<string, string> = {};
  #tool: ToolModule | undefined;
  #abortsSeen = 0;

  /**
   * @param aborts How many aborts the carrier has posted: a call whose abort is on its way is not started.
   * @param rights For the messages about refused rights.
   */
  constructor(
    private readonly post: Post,
    private readonly aborts: Int32Array<SharedArrayBuffer>,
    private readonly rights: RefusalContext,
  ) {
    this.#idleLog = new ToolLog(IDLE_LOG, this.#sender(0));
  }

  /** Starts what waits for the module, and from now on each call as it comes. */
  serve(tool: ToolModule): void {
    this.#tool = tool;
    this.#startWaiting();
  }

  /** Carries out a message of the carrier. */
  receive(message: ToTool): void {
    switch (message.kind) {
      case "env":
        this.#env = jsonParse(message.json);
        if (message.mask !== undefined) learnMaskForms(message.mask);
        break;
      case "call":
        append(this.#waiting, message);
        this.#startWaiting();
        break;
      case "abort":
        this.#abortsSeen++;
        this.#abort(message.id, jsonParse(message.json));
        this.#startWaiting();
        break;
      case "spill_next":
        this.#sendNext(message.id, message.buffer);
    }
  }

  /** The call that the running code belongs to, unless it has been answered. */
  current(): RunningCall | undefined {
    const call = storeOf(this.#context);
    return call === undefined || call.isOver ? undefined : call;
  }

  /** Logs what tool code prints, with the call it belongs to even when that is over. */
  log(stream: LogStream, text: string): void {
    const call = storeOf(this.#context);
    const log = call?.log ?? this.#idleLog;
    log.write(stream, text);
    // Nothing comes after the end of a call that would complete a line.
    if (call?.isOver === true) log.flush();
  }

  /** Answers a call with an error; nothing happens when it has been answered. */
  fail(call: RunningCall, thrown: unknown): void {
    if (!this.#end(call)) return;
    const code = thrown instanceof OutputTooLargeError ? "output_too_large" : "tool_failed";
    const message = explainRefusals(sentenceOf(thrown), this.rights);
    const detail = detailOf(thrown);
    this.#keepSending(
      call.id,
      answerError(this.post, call.id, { code, message, ...(detail !== undefined && { detail }) }),
    );
  }

  #keepSending(id: number, sender: OutputSender | undefined): void {
    if (sender !== undefined) this.#sending[id] = sender;
  }

  #sendNext(id: number, buffer: ArrayBuffer): void {
    if (this.#sending[id]?.next(buffer) === false) delete this.#sending[id];
  }

  #startWaiting(): void {
    const tool = this.#tool;
    if (tool === undefined || atomicsLoad(this.aborts, 0) !== this.#abortsSeen) return;
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (let index = 0; index < waiting.length; index++) this.#start(tool, waiting[index]!);
  }

  #start(tool: ToolModule, { id, json }: CallMessage): void {
    const { args, sessionId, agent, directory }: CallBody = jsonParse(
      typeof json === "string" ? json : decode(decoder, json),
    );
    const controller = new newController();
    const call: RunningCall = { id, controller, log: new ToolLog(CALL_LOG, this.#sender(id)), isOver: false };
    this.#running[id] = call;
    const env = { ...this.#env };
    const context: ToolContext = { sessionId, agent, directory, env, signal: signalOf(controller) };
    runIn(this.#context, call, () => void this.#run(tool, call, args, context));
  }

  async #run(tool: ToolModule, call: RunningCall, args: unknown, context: ToolContext): Promise<void> {
    try {
      const value = await reflectApply(tool.execute, tool.self, [args, context]);
      if (call.isOver) return;
      const { text, json } = resultText(value);
      call.log.flush();
      this.#keepSending(call.id, answerOutput(this.post, call.id, text, json));
      this.#end(call);
    } catch (error) {
      this.fail(call, error);
    }
  }

  #abort(id: number, { reason, message }: AbortBody): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let index = 0; index < waiting.length; index++) {
      if (waiting[index]!.id !== id) append(this.#waiting, waiting[index]!);
      else {answerError(this.post, id, {
          code: "tool_failed",
          message: "the call was aborted before it started",
        });}
    }
    const call = this.#running[id];
    if (call === undefined) return;
    const name = reason === "timeout" ? "TimeoutError" : "AbortError";
    abort(call.controller, new newDOMException(message, name));
  }

  /** Whether the call was running up to now. */
  #end(call: RunningCall): boolean {
    if (call.isOver) return false;
    call.log.flush();
    call.isOver = true;
    delete this.#running[call.id];
    return true;
  }

  #sender(id: number): (stream: LogStream, text: string) => void {
    return (stream, text) => this.post({ kind: "log", id, stream, text });
  }
}
