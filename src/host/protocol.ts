/**
 * What the daemon and a runner process say to each other, over a unix socket.
 *
 * A frame is one line: `<kind> <id> <json>\n`. `id` is the number of the call, worker or environment it is about
 * (0 for the process itself); the JSON has no raw newline. The runner's carrier thread routes by kind and id and
 * never parses the JSON of a call or of a result, so a large argument costs the worker, not the carrier.
 *
 * Ids are numbers the daemon gives; a tool never sees them. The daemon believes nothing that a runner says: see
 * `decodeRunnerFrame`, which returns `undefined` for whatever is not well formed.
 */

/** What a worker is made of: sent with `worker`. All paths are absolute. */
export interface WorkerSpec {
  tool: string;
  /** `file:` URL of the module. */
  url: string;
  /** Roots a module of this tool may come from, by real path. */
  roots: string[];
  /** Where `node_modules` of this tool are looked for, nearest first, for the message about a missing package. */
  nodeModules: string[];
  /** The project root: paths in messages are made relative to it. */
  root: string;
  /** Roots the process may use and this tool may not: given up before tool code runs. */
  revoke: { read: string[]; write: string[] };
  /** `true` = what the process has; a list; or `false`. */
  net: boolean | string[];
  run: string[] | false;
  sys: string[] | false;
  /** `process.env` of the tool, complete (it has `TMPDIR`). */
  env: Record<string, string>;
  /** Ask for description and parameters only: no `call` follows, and the worker ends by itself once it answered. */
  loadOnly: boolean;
}

/** Body of a `call` frame. */
export interface CallBody {
  args: Record<string, unknown>;
  sessionId: string;
  agent: string;
  directory: string;
}

/** Where a call's overflow goes; sent with `begin`, before `call`. */
export interface CallRoute {
  worker: number;
  /** Id of the environment to use as `context.env`. */
  env: number;
  tool: string;
  /** Absolute path of the session's spill folder. */
  spill: string;
}

/** Daemon → runner. */
export type DaemonFrame =
  /** Make a worker. Answered by `loaded` or `load_failed` with the same id. */
  | { kind: "worker"; id: number; body: WorkerSpec }
  /** A set of variables for `context.env`; kept until the process ends or the id is sent anew. */
  | { kind: "env"; id: number; body: Record<string, string> }
  /**
   * Spellings of the secrets in the variables of the same id, the longest first; sent before them. The runner masks
   * what it cuts or writes to a file (specification 2.6), the daemon everything else.
   */
  | { kind: "mask"; id: number; body: string[] }
  /** Announces call `id`. */
  | { kind: "begin"; id: number; body: CallRoute }
  /**
   * The arguments of call `id`; passed to its worker unread. Answered exactly once, by `result` or `error`, unless the
   * process ends: also when it was aborted, and when its worker is retired (`worker_gone`, before `retired`).
   */
  | { kind: "call"; id: number; body: CallBody }
  /** Abort `context.signal` of call `id`. */
  | { kind: "abort"; id: number; body: { reason: "abort" | "timeout"; message: string } }
  /** Terminate worker `id`, loaded or not. Answered by `retired`, also when there is no such worker (any more). */
  | { kind: "retire"; id: number; body: Record<never, never> };

/** Why a call ended in an error, as the runner knows it. */
export type RunnerErrorCode = "tool_failed" | "output_too_large" | "worker_gone";

/** Runner → daemon. */
export type RunnerFrame =
  /** The runner is up. */
  | { kind: "hello"; id: 0; body: Record<never, never> }
  /** The module of worker `id` loaded. `graph`: real paths of every module it read, the entry first. */
  | { kind: "loaded"; id: number; body: { description: string; parameters: unknown; graph: string[] } }
  /** It did not; the worker is gone. `graph` as far as it got. */
  | { kind: "load_failed"; id: number; body: { reason: string; graph: string[] } }
  /** Call `id` gave this output (bounded, see 2.5). */
  | {
    kind: "result";
    id: number;
    body: { output: string; truncated?: true; bytes?: number; lines?: number; file?: string };
  }
  /** Call `id` failed. `message` is bounded; `detail` (stack, causes) is for the log alone. */
  | { kind: "error"; id: number; body: { code: RunnerErrorCode; message: string; detail?: string } }
  /** Something the tool printed. `call` is 0 outside a call. */
  | { kind: "log"; id: number; body: { call: number; stream: "stdout" | "stderr" | "console"; text: string } }
  /**
   * Modules that worker `id` read, by real path, new ones only: after it was loaded (a late `import()`), or before
   * `loaded` when they are too many for that frame.
   */
  | { kind: "graph"; id: number; body: { graph: string[] } }
  /**
   * Worker `id` had an error nothing caught, tried to exit, ended by itself or broke the protocol: it must not be
   * used again. Its calls in flight go on; those that can't were answered with `error` before.
   */
  | { kind: "worker_error"; id: number; body: { message: string } }
  /** Worker `id` was told to end; `stopped` is false when its thread went on for a second all the same. */
  | { kind: "retired"; id: number; body: { stopped: boolean } };

/** Longest frame the daemon accepts from a runner, in bytes: a bounded output escaped as JSON, with room. */
export const MAX_RUNNER_FRAME_BYTES = 2 * 1024 * 1024;

/** Most bytes of `parameters` as JSON (specification 2.1), and how deep its objects may be nested. */
export const MAX_PARAMETERS_BYTES = 64 * 1024;
export const MAX_PARAMETERS_DEPTH = 200;

/** One frame as it goes over the socket, final newline included. */
export function encodeFrame(frame: DaemonFrame | RunnerFrame): string {
  return encodeRawFrame(frame.kind, frame.id, JSON.stringify(frame.body));
}

/** The same from a body that is JSON already; it must not have a raw newline (`JSON.stringify` makes none). */
export function encodeRawFrame(kind: string, id: number, json: string): string {
  return `${kind} ${id} ${json}\n`;
}

/** The parts of a frame that the carrier looks at; the rest is its body, unread. */
export interface FrameHeader {
  kind: string;
  id: number;
  /** Where the body starts in the line, in bytes. */
  bodyStart: number;
}

/** Longest header: a kind, a blank, a safe integer, a blank. */
const MAX_HEADER_BYTES = 40;

/** Reads `<kind> <id> ` of a line (without its newline); `undefined` when that is not how it starts. */
export function readFrameHeader(line: Uint8Array): FrameHeader | undefined {
  const end = Math.min(line.length, MAX_HEADER_BYTES);
  let index = 0;
  let kind = "";
  for (; index < end && line[index] !== BLANK; index++) {
    const byte = line[index]!;
    if ((byte < 0x61 || byte > 0x7a) && byte !== UNDERSCORE) return undefined;
    kind += String.fromCharCode(byte);
  }
  const start = ++index;
  let id = 0;
  for (; index < end && line[index] !== BLANK; index++) {
    const digit = line[index]! - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    id = id * 10 + digit;
  }
  const digits = index - start;
  const isNumber = digits > 0 && digits <= MAX_ID_DIGITS && (digits === 1 || line[start] !== ZERO);
  if (kind === "" || index >= end || !isNumber || !Number.isSafeInteger(id)) return undefined;
  return { kind, id, bodyStart: index + 1 };
}

const BLANK = 0x20;
const UNDERSCORE = 0x5f;
const ZERO = 0x30;
const MAX_ID_DIGITS = 16;

/**
 * Reads a line that came from a runner. The daemon trusts nothing here: whatever is not exactly one of
 * {@link RunnerFrame} (unknown kind, missing, surplus or wrongly typed member, invalid UTF-8) gives `undefined`.
 *
 * @param line Bytes of the line without its newline; a `FrameSplitter` bounds its length.
 */
export function decodeRunnerFrame(line: Uint8Array): RunnerFrame | undefined {
  const header = readFrameHeader(line);
  if (header === undefined) return undefined;
  const body = readBody(line.subarray(header.bodyStart));
  if (body === undefined) return undefined;
  const { kind, id } = header;
  switch (kind) {
    case "hello":
      return id === 0 && hasExactly(body, {}) ? { kind, id, body: {} } : undefined;
    case "loaded": {
      if (!hasExactly(body, { description: isText, parameters: isSchemaObject, graph: isTextList })) {
        return undefined;
      }
      const { description, parameters, graph } = body;
      return { kind, id, body: { description, parameters, graph } };
    }
    case "load_failed":
      if (!hasExactly(body, { reason: isText, graph: isTextList })) return undefined;
      return { kind, id, body: { reason: body.reason, graph: body.graph } };
    case "graph":
      return hasExactly(body, { graph: isTextList }) ? { kind, id, body: { graph: body.graph } } : undefined;
    case "result":
      return decodeResult(id, body);
    case "error": {
      if (!hasExactly(body, { code: isErrorCode, message: isText }, { detail: isText })) return undefined;
      const { code, message, detail } = body;
      return { kind, id, body: { code, message, ...(detail !== undefined && { detail }) } };
    }
    case "log":
      if (!hasExactly(body, { call: isCount, stream: isStream, text: isText })) return undefined;
      return { kind, id, body: { call: body.call, stream: body.stream, text: body.text } };
    case "worker_error":
      return hasExactly(body, { message: isText })
        ? { kind, id, body: { message: body.message } }
        : undefined;
    case "retired":
      return hasExactly(body, { stopped: isBoolean })
        ? { kind, id, body: { stopped: body.stopped } }
        : undefined;
    default:
      return undefined;
  }
}

/** A whole output has no size beside it; a cut one has its full size, and a file unless that could not be written. */
function decodeResult(id: number, body: Record<string, unknown>): RunnerFrame | undefined {
  if (hasExactly(body, { output: isText })) return { kind: "result", id, body: { output: body.output } };
  const cut = { output: isText, truncated: isTrue, bytes: isCount, lines: isCount };
  if (!hasExactly(body, cut, { file: isText })) return undefined;
  const { output, truncated, bytes, lines, file } = body;
  return {
    kind: "result",
    id,
    body: { output, truncated, bytes, lines, ...(file !== undefined && { file }) },
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The JSON object in `bytes`; `undefined` when they are not valid UTF-8, not JSON or not an object. */
function readBody(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Check<T> = (value: unknown) => value is T;
type Checked<C> = { [K in keyof C]: C[K] extends Check<infer T> ? T : never };

/** Whether `body` has every member of `required`, maybe some of `optional`, and no other. */
function hasExactly<R extends Record<string, Check<unknown>>, O extends Record<string, Check<unknown>>>(
  body: Record<string, unknown>,
  required: R,
  optional?: O,
): body is Record<string, unknown> & Checked<R> & Partial<Checked<O>> {
  const keys = Object.keys(body);
  if (!Object.keys(required).every((key) => Object.hasOwn(body, key))) return false;
  return keys.every((key) => {
    const check = Object.hasOwn(required, key) ? required[key] : undefined;
    const other = optional !== undefined && Object.hasOwn(optional, key) ? optional[key] : undefined;
    return (check ?? other)?.(body[key]) === true;
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isTrue = (value: unknown): value is true => value === true;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isErrorCode = (value: unknown): value is RunnerErrorCode =>
  value === "tool_failed" || value === "output_too_large" || value === "worker_gone";
const isStream = (value: unknown): value is "stdout" | "stderr" | "console" =>
  value === "stdout" || value === "stderr" || value === "console";
const isSchemaObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && isShallow(value, MAX_PARAMETERS_DEPTH);

/** Whether no object or array in `value` lies deeper than `depth`: what walks it later may do so by recursion. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}
