import { argumentError } from "./argument_error.ts";
import { BunFile } from "./bun_file.ts";
import { type BinaryLike, isBinary } from "./bytes.ts";

/** What a program reads as its input. */
export type StdinOption =
  | "pipe"
  | "inherit"
  | "ignore"
  | Blob
  | BinaryLike
  | Response
  | Request
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | null
  | undefined;

/** Where a program's output goes. */
export type OutputOption = "pipe" | "inherit" | "ignore" | BunFile | null | undefined;

/** Options of `Bun.spawn` and `Bun.spawnSync`. */
export interface SpawnOptions<Process = unknown> {
  cwd?: string;
  /** Variables over those of the runner (`PATH`, `HOME`, …); the tool's own environment when absent. */
  env?: Record<string, string | undefined>;
  stdin?: StdinOption;
  stdout?: OutputOption;
  stderr?: OutputOption;
  stdio?: [StdinOption, OutputOption, OutputOption];
  onExit?: (
    process: Process,
    exitCode: number | null,
    signalCode: string | null,
    error: Error | undefined,
  ) => void | Promise<void>;
  signal?: AbortSignal;
  /** Milliseconds after which the program is killed. */
  timeout?: number;
  killSignal?: string | number;
  /** Bytes of output after which the program is killed. */
  maxBuffer?: number;
}

/** A command with its options, all of it checked. */
export interface SpawnRequest<Process> extends SpawnOptions<Process> {
  program: string;
  args: string[];
  stdin: Exclude<StdinOption, null | undefined>;
  stdout: Exclude<OutputOption, null | undefined>;
  stderr: Exclude<OutputOption, null | undefined>;
}

/** Options of Bun that need what a worker does not have. */
const NOT_AVAILABLE = ["ipc", "serialization", "terminal", "cgroup", "argv0", "detached"];

/**
 * Reads the arguments of `Bun.spawn` and `Bun.spawnSync`: `(cmd, options)` or `({ cmd, …options })`.
 *
 * @param called The name for messages.
 * @param defaults Where output goes that the options say nothing about.
 * @throws {TypeError} for a command or a stream that is none; {Error} for an option that is not available.
 */
export function spawnRequest<Process>(
  called: string,
  command: unknown,
  options: unknown,
  defaults: { stdout: "pipe"; stderr: "pipe" | "inherit" },
): SpawnRequest<Process> {
  const given = (isOptions(command) ? command : isOptions(options) ? options : {}) as SpawnOptions<Process>;
  const cmd: unknown = isOptions(command) ? Reflect.get(command, "cmd") : command;
  if (!Array.isArray(cmd)) throw argumentError("cmd must be an array");
  if (cmd.length === 0) throw argumentError("cmd must not be empty");
  for (const name of NOT_AVAILABLE) {
    if (name in given && Reflect.get(given, name) !== undefined) {
      throw new Error(`${called} with the option "${name}" is not available in this runtime: use pipes`);
    }
  }
  if (Array.isArray(given.stdio) && given.stdio.length > 3) {
    throw new Error(`${called} with more than three streams is not available in this runtime: use pipes`);
  }
  const [stdin, stdout, stderr] = given.stdio ?? [given.stdin, given.stdout, given.stderr];
  const [program, ...args] = cmd.map(String);
  return {
    ...given,
    program: program!,
    args,
    stdin: checkedInput(stdin) ?? "ignore",
    stdout: checkedOutput(stdout, defaults.stdout),
    stderr: checkedOutput(stderr, defaults.stderr),
  };
}

/** The environment of a program over the runner's own. */
export function childEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/**
 * The error of Bun for a program that could not be started; refused rights stay as Deno threw them.
 */
export function spawnError(error: unknown, { program, cwd }: { program: string; cwd?: string }): unknown {
  if (!(error instanceof Deno.errors.NotFound)) return error;
  const noFolder = error.message.includes("No such cwd");
  const message = noFolder
    ? `ENOENT: no such file or directory, posix_spawn '${program}' (no such folder: ${cwd})`
    : `Executable not found in $PATH: "${program}"`;
  return Object.assign(new Error(message, { cause: error }), { code: "ENOENT", path: program, errno: -2 });
}

function isOptions(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const STDIO_WORDS = ["pipe", "inherit", "ignore"];

function checkedInput(value: unknown): Exclude<StdinOption, null> {
  if (value === undefined || value === null) return undefined;
  const known = STDIO_WORDS.includes(value as string) || value instanceof Blob || isBinary(value) ||
    value instanceof Response || value instanceof Request || value instanceof ReadableStream;
  if (!known) throw streamError();
  return value as Exclude<StdinOption, null>;
}

function checkedOutput<Default extends "pipe" | "inherit">(
  value: unknown,
  whenAbsent: Default,
): Exclude<OutputOption, null | undefined> {
  if (value === undefined) return whenAbsent;
  if (value === null) return "ignore";
  if (!STDIO_WORDS.includes(value as string) && !(value instanceof BunFile)) throw streamError();
  return value as Exclude<OutputOption, null | undefined>;
}

function streamError(): TypeError {
  return argumentError(
    "stdio must be an array of 'inherit', 'pipe', 'ignore', Bun.file(path), data for the input, or null: " +
      "file descriptors are not available in this runtime",
  );
}
