/**
 * What the three parts of a runner process say to each other. The daemon's frames are in `../protocol.ts`.
 *
 * Nothing that a tool's worker posts is believed: it may only answer its own calls, each once, and say something
 * about itself; which worker spoke is known by the port.
 */

import type { RunnerErrorCode } from "../protocol.ts";

/** Main thread → carrier, after a first message with the socket's path and this channel's port. */
export type ToCarrier =
  /** Worker `id` could not be made, or its bootstrap failed. */
  | { kind: "failed"; id: number; reason: string }
  /** A whole output was written, or not: the frame to send. */
  | { kind: "spilled"; id: number; frame: "result" | "error"; json: string }
  /** A piece of an output was written, or could not be: its buffer, for the next one. */
  | { kind: "piece_written"; id: number; buffer: ArrayBuffer };

/** Carrier → main thread. */
export type ToMain =
  | {
    kind: "create";
    id: number;
    /** JSON of the `WorkerSpec`. */
    spec: string;
    port: MessagePort;
    lock: string;
    aborts: SharedArrayBuffer;
  }
  /** Worker `id` has loaded its tool and waits for calls. */
  | { kind: "ready"; id: number }
  | { kind: "terminate"; id: number }
  /** A piece of an output whose end has not come yet. */
  | { kind: "spill_piece"; id: number; folder: string; tool: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "spill"; id: number; folder: string; tool: string; output: SpilledOutput }
  /** The end will not come. */
  | { kind: "spill_drop"; id: number }
  /** The daemon is gone. */
  | { kind: "exit" };

/** A text over the bounds of 2.5, with its last piece or in one. */
export interface SpilledOutput {
  /** The end of it, after the pieces that came before. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Lines of the whole: counted in the worker, so that this costs it and not the others. */
  lines: number;
  json: boolean;
  /** Present when the text is the message of an error. */
  error?: { code: RunnerErrorCode; detail?: string };
}

/** Main thread → a tool's worker: its first and only message. */
export interface BootMessage {
  /** JSON of the `WorkerSpec`. */
  spec: string;
  /** The private channel to the carrier. */
  port: MessagePort;
  /** Name of the lock the worker holds as long as its thread lives. */
  lock: string;
  /** Number of aborts the carrier has posted, as an `Int32Array` of one. */
  aborts: SharedArrayBuffer;
}

/** Carrier → a tool's worker, over its port. */
export type ToTool =
  /** From now on calls name this set of variables; JSON of an object. `mask`: the body of its `mask` frame. */
  | { kind: "env"; id: number; json: string; mask?: string }
  /** JSON of a `CallBody`, as text or, when it is long, as its bytes. */
  | { kind: "call"; id: number; json: string | Uint8Array }
  | { kind: "abort"; id: number; json: string }
  /** The next piece of a long output may come, in this buffer. */
  | { kind: "spill_next"; id: number; buffer: ArrayBuffer };

/** A tool's worker → carrier, over its port. */
export type FromTool =
  /** The thread holds its lock. */
  | { kind: "alive" }
  /** Body of the frame of that kind, as JSON. `isLast`: no call is expected, so the worker may end. */
  | { kind: "loaded"; json: string; isLast: boolean }
  | { kind: "load_failed" | "graph" | "worker_error"; json: string }
  | { kind: "result" | "error"; id: number; json: string }
  | { kind: "spill_piece"; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "spill"; id: number; output: SpilledOutput }
  | { kind: "log"; id: number; stream: "stdout" | "stderr" | "console"; text: string };
