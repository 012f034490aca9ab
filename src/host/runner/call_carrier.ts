import { type CallRoute, encodeRawFrame, MAX_RUNNER_FRAME_BYTES, readFrameHeader } from "../protocol.ts";
import { MAX_SPILL_BYTES } from "./bound_output.ts";
import type { FromTool, SpilledOutput, ToCarrier, ToMain, ToTool } from "./messages.ts";
import { whenThreadEnds } from "./thread_lock.ts";

/** A tool's worker as the carrier knows it. */
interface WorkerState {
  readonly id: number;
  readonly port: MessagePort;
  /** Number of aborts posted to it. */
  readonly aborts: Int32Array<SharedArrayBuffer>;
  /** Its calls that have not been answered. */
  readonly calls: Set<number>;
  /** The set of variables it was given last. */
  env: number | undefined;
  isAlive: boolean;
  isLoaded: boolean;
  isRetiring: boolean;
}

/** An announced call that has not been answered. */
interface CallState {
  readonly worker: WorkerState;
  readonly route: CallRoute;
  /** Bytes of its output that came before the end of it. */
  pieces: number;
  /** Whether all of its output came and is being written to a file: its worker may not answer again. */
  isSpilling: boolean;
}

/** What the carrier is connected to. */
export interface CarrierLinks {
  /** Sends a frame to the daemon, its newline included. */
  toDaemon: (frame: string) => void;
  toMain: (message: ToMain, transfer?: Transferable[]) => void;
}

/** How long a thread may take to end after `terminate()`, in milliseconds. */
const TERMINATE_MS = 1_000;
/** Longest body that is handed on as text; the bytes of a longer one change hands unread. */
const MAX_TEXT_BODY = 64 * 1024;
/** Longest text of a log piece, in UTF-16 units. */
const MAX_LOG_PIECE = 64 * 1024;

const decoder = new TextDecoder();

/**
 * Routes frames between the daemon, the main thread and the tools' workers, by kind and id: the body of a call or an
 * answer is not parsed here. It checks that a worker answers its own calls only, each once.
 */
export class CallCarrier {
  readonly #workers = new Map<number, WorkerState>();
  readonly #calls = new Map<number, CallState>();
  /** Variables for `context.env`, as JSON. */
  readonly #envs = new Map<number, string>();
  /** What is to be masked of each, as JSON. */
  readonly #masks = new Map<number, string>();

  constructor(private readonly links: CarrierLinks) {}

  /** Carries out a frame of the daemon. @param line Without its newline; used before the next one is asked for. */
  fromDaemon(line: Uint8Array): void {
    const header = readFrameHeader(line);
    if (header === undefined) return;
    const { kind, id, bodyStart } = header;
    const body = line.subarray(bodyStart);
    switch (kind) {
      case "worker":
        return this.#makeWorker(id, decoder.decode(body));
      case "env":
        this.#envs.set(id, decoder.decode(body));
        for (const worker of this.#workers.values()) if (worker.env === id) worker.env = undefined;
        return;
      case "mask":
        this.#masks.set(id, decoder.decode(body));
        return;
      case "begin":
        return this.#begin(id, JSON.parse(decoder.decode(body)));
      case "call":
        return this.#call(id, body);
      case "abort":
        return this.#abort(id, decoder.decode(body));
      case "retire":
        return this.#retire(id);
    }
  }

  /** Carries out a message of the main thread. */
  fromMain(message: ToCarrier): void {
    switch (message.kind) {
      case "failed": {
        const worker = this.#workers.get(message.id);
        if (worker === undefined || worker.isRetiring) return;
        if (worker.isLoaded) this.#end(worker, message.reason);
        else this.#loadFailed(worker, JSON.stringify({ reason: message.reason, graph: [] }));
        return;
      }
      case "spilled": {
        if (!this.#finish(message.id)) return;
        return this.#send(message.frame, message.id, message.json);
      }
      case "piece_written": {
        const { id, buffer } = message;
        // Its worker may be gone.
        const worker = this.#calls.get(id)?.worker;
        if (worker !== undefined) this.#post(worker, { kind: "spill_next", id, buffer }, [buffer]);
        return;
      }
    }
  }

  #makeWorker(id: number, spec: string): void {
    const { port1, port2 } = new MessageChannel();
    const aborts = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker: WorkerState = {
      id,
      port: port1,
      aborts: new Int32Array(aborts),
      calls: new Set(),
      env: undefined,
      isAlive: false,
      isLoaded: false,
      isRetiring: false,
    };
    this.#workers.set(id, worker);
    const lock = `worker-${id}-${crypto.randomUUID()}`;
    // Deno hands each message to the port's own `dispatchEvent`: one of ours takes less than going through listeners.
    const dispatchEvent = (event: MessageEvent<FromTool>) => {
      // It gets the port's `close` and `messageerror` too.
      if (event.type === "message") this.#fromTool(worker, lock, event.data);
    };
    Object.defineProperty(port1, "dispatchEvent", { value: dispatchEvent });
    // Starts the port.
    port1.onmessage = () => {};
    this.links.toMain({ kind: "create", id, spec, port: port2, lock, aborts }, [port2]);
  }

  #begin(id: number, route: CallRoute): void {
    const worker = this.#workers.get(route.worker);
    if (worker === undefined || worker.isRetiring) {
      return this.#sendError(id, "worker_gone", "the worker of this call is gone");
    }
    this.#calls.set(id, { worker, route, pieces: 0, isSpilling: false });
    worker.calls.add(id);
  }

  #call(id: number, body: Uint8Array): void {
    const call = this.#calls.get(id);
    // Without `begin`, or its worker ended in between: answered already.
    if (call === undefined) return;
    const { worker, route } = call;
    if (worker.env !== route.env) {
      worker.env = route.env;
      const mask = this.#masks.get(route.env);
      const json = this.#envs.get(route.env) ?? "{}";
      this.#post(worker, { kind: "env", id: route.env, json, ...(mask !== undefined && { mask }) });
    }
    if (body.length <= MAX_TEXT_BODY) {
      return this.#post(worker, { kind: "call", id, json: decoder.decode(body) });
    }
    const bytes = body.slice();
    this.#post(worker, { kind: "call", id, json: bytes }, [bytes.buffer]);
  }

  #abort(id: number, json: string): void {
    const worker = this.#calls.get(id)?.worker;
    if (worker === undefined) return;
    Atomics.add(worker.aborts, 0, 1);
    this.#post(worker, { kind: "abort", id, json });
  }

  #retire(id: number): void {
    const worker = this.#workers.get(id);
    if (worker === undefined) return this.#send("retired", id, '{"stopped":true}');
    if (worker.isRetiring) return;
    worker.isRetiring = true;
    this.#dropCalls(worker, "the worker of this call was ended");
    this.links.toMain({ kind: "terminate", id });
    // A thread that was never alive has not run tool code, so it stops where it is.
    if (!worker.isAlive) return this.#retired(worker, true);
    setTimeout(() => this.#retired(worker, false), TERMINATE_MS);
  }

  #retired(worker: WorkerState, stopped: boolean): void {
    if (this.#workers.get(worker.id) !== worker) return;
    this.#forget(worker);
    this.#send("retired", worker.id, JSON.stringify({ stopped }));
  }

  /** Takes what a tool's worker says, about itself or about its own calls; it may be anything at all. */
  #fromTool(worker: WorkerState, lock: string, message: FromTool | null | undefined): void {
    if (this.#workers.get(worker.id) !== worker) return;
    switch (message?.kind) {
      case "alive":
        if (worker.isAlive) return;
        worker.isAlive = true;
        void whenThreadEnds(lock).then(() => this.#threadEnded(worker));
        return;
      case "loaded":
        if (worker.isLoaded || !isFrameBody(message.json)) return this.#breach(worker);
        worker.isLoaded = true;
        this.#send("loaded", worker.id, message.json);
        if (message.isLast === true) this.#terminate(worker, "the tool was only loaded");
        else this.links.toMain({ kind: "ready", id: worker.id });
        return;
      case "load_failed":
        if (worker.isLoaded || !isFrameBody(message.json)) return this.#breach(worker);
        return this.#loadFailed(worker, message.json);
      case "graph":
      case "worker_error":
        if (!isFrameBody(message.json)) return this.#breach(worker);
        return this.#send(message.kind, worker.id, message.json);
      case "result":
      case "error": {
        if (!this.#isOwnCall(worker, message.id) || !isFrameBody(message.json)) return this.#breach(worker);
        this.#dropPieces(message.id);
        this.#finish(message.id);
        return this.#send(message.kind, message.id, message.json);
      }
      case "spill_piece":
        if (!this.#isOwnCall(worker, message.id) || !isPiece(message.bytes)) return this.#breach(worker);
        return this.#spillPiece(worker, message.id, message.bytes);
      case "spill":
        if (!this.#isOwnCall(worker, message.id) || !isOutput(message.output)) return this.#breach(worker);
        return this.#spill(message.id, message.output);
      case "log": {
        const { id, stream, text } = message;
        if (typeof text !== "string" || text.length > MAX_LOG_PIECE || !isStream(stream)) {
          return this.#breach(worker);
        }
        const call = worker.calls.has(id) ? id : 0;
        return this.#send("log", worker.id, JSON.stringify({ call, stream, text }));
      }
      default:
        return this.#breach(worker);
    }
  }

  /** Its main thread writes the file, so that nobody waits for the disk. */
  #spill(id: number, output: SpilledOutput): void {
    const call = this.#calls.get(id)!;
    if (call.pieces + output.bytes.length > MAX_SPILL_BYTES) return this.#breach(call.worker);
    call.isSpilling = true;
    const { spill: folder, tool } = call.route;
    this.links.toMain({ kind: "spill", id, folder, tool, output }, [output.bytes.buffer]);
  }

  #spillPiece(worker: WorkerState, id: number, bytes: Uint8Array<ArrayBuffer>): void {
    const call = this.#calls.get(id)!;
    call.pieces += bytes.length;
    if (call.pieces > MAX_SPILL_BYTES) return this.#breach(worker);
    const { spill: folder, tool } = call.route;
    this.links.toMain({ kind: "spill_piece", id, folder, tool, bytes }, [bytes.buffer]);
  }

  /** Has what was written of an output removed: its end does not come. */
  #dropPieces(id: number): void {
    if ((this.#calls.get(id)?.pieces ?? 0) > 0) this.links.toMain({ kind: "spill_drop", id });
  }

  #isOwnCall(worker: WorkerState, id: number): boolean {
    return worker.calls.has(id) && this.#calls.get(id)?.isSpilling === false;
  }

  /** The worker said what it may not say: another's call, one that is answered, or no frame at all. */
  #breach(worker: WorkerState): void {
    if (worker.isRetiring) return;
    this.#send("worker_error", worker.id, '{"message":"its worker broke the protocol"}');
  }

  #loadFailed(worker: WorkerState, json: string): void {
    this.#terminate(worker, "the tool did not load");
    this.#send("load_failed", worker.id, json);
  }

  #threadEnded(worker: WorkerState): void {
    if (worker.isRetiring) return this.#retired(worker, true);
    this.#end(worker, "a tool may not exit the process: it ended its own thread");
  }

  /** The worker is gone though nobody asked it to. */
  #end(worker: WorkerState, message: string): void {
    if (this.#workers.get(worker.id) !== worker) return;
    const json = JSON.stringify({ reason: message, graph: [] });
    if (!worker.isLoaded) return this.#loadFailed(worker, json);
    this.#terminate(worker, message);
    this.#send("worker_error", worker.id, JSON.stringify({ message }));
  }

  /** Ends a worker that has nothing to say any more. @param message What its calls are answered with. */
  #terminate(worker: WorkerState, message: string): void {
    this.#dropCalls(worker, message);
    this.#forget(worker);
    this.links.toMain({ kind: "terminate", id: worker.id });
  }

  /** Answers all calls of a worker that will not answer them; those whose output is being written go on. */
  #dropCalls(worker: WorkerState, message: string): void {
    for (const id of worker.calls) {
      if (this.#calls.get(id)?.isSpilling === true) continue;
      this.#dropPieces(id);
      this.#finish(id);
      this.#sendError(id, "worker_gone", message);
    }
  }

  #forget(worker: WorkerState): void {
    this.#workers.delete(worker.id);
    worker.port.close();
  }

  /** Whether the call had not been answered. */
  #finish(id: number): boolean {
    const call = this.#calls.get(id);
    call?.worker.calls.delete(id);
    return this.#calls.delete(id);
  }

  #sendError(id: number, code: string, message: string): void {
    this.#send("error", id, JSON.stringify({ code, message }));
  }

  #send(kind: string, id: number, json: string): void {
    this.links.toDaemon(encodeRawFrame(kind, id, json));
  }

  #post(worker: WorkerState, message: ToTool, transfer?: Transferable[]): void {
    if (transfer === undefined) worker.port.postMessage(message);
    else worker.port.postMessage(message, transfer);
  }
}

/** Whether a worker's text can be the body of a frame: one line, and not too long. */
function isFrameBody(json: unknown): json is string {
  return typeof json === "string" && json.length <= MAX_RUNNER_FRAME_BYTES / 3 && !json.includes("\n");
}

function isStream(stream: unknown): boolean {
  return stream === "stdout" || stream === "stderr" || stream === "console";
}

function isPiece(bytes: unknown): boolean {
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer;
}

function isOutput(output: SpilledOutput): boolean {
  if (!isPiece(output?.bytes)) return false;
  if (typeof output.json !== "boolean") return false;
  if (!Number.isSafeInteger(output.lines) || output.lines < 0) return false;
  const { error } = output;
  if (error === undefined) return true;
  const isDetail = error?.detail === undefined ||
    (typeof error.detail === "string" && error.detail.length <= MAX_LOG_PIECE);
  return (error?.code === "tool_failed" || error?.code === "output_too_large") && isDetail;
}
