import { join } from "node:path";
import { BeeuniError } from "../errors/error.ts";
import { FrameSplitter, FrameTooLongError } from "./frame_splitter.ts";
import { LineSplitter } from "./line_splitter.ts";
import { OutputBudget } from "./output_budget.ts";
import { MAX_RUNNER_FRAME_BYTES } from "./protocol.ts";
import { RunnerSocket } from "./runner_socket.ts";

/** How long a runner may take to connect, in milliseconds: a loaded machine takes its time. */
const CONNECT_MS = 20_000;

/** Longest line of stdout or stderr that becomes one log line, in bytes. */
const MAX_OUTPUT_LINE = 16 * 1024;

/** Exit code of a process whose heap overflowed (V8 ends itself with a trap). */
const HEAP_OVERFLOW_CODE = 133;

/** How a runner ended. */
export interface RunnerEnd {
  /** What happened, to stand behind `the sandbox of <tool> `. */
  what: string;
  /** It was us, and not because of anything a tool did. */
  expected: boolean;
}

/** What a runner process is made of. */
export interface RunnerProcessOptions {
  deno: string;
  /** Flags of `deno run`, without the socket's. */
  flags: readonly string[];
  /** Whether the flags allow every address. */
  netAll: boolean;
  /** Absolute path of the runner's entry. */
  entry: string;
  env: Record<string, string>;
  cwd: string;
  /** An empty private folder for the socket. */
  socketFolder: string;
  /** How long it may take to connect, in milliseconds; default 20,000. */
  connectMs?: number;
  /** A line of the protocol, without its newline; the bytes are valid during the call only. */
  onLine: (line: Uint8Array) => void;
  /** A line it printed. */
  onOutput: (stream: "stdout" | "stderr", line: string) => void;
  onEnd: (end: RunnerEnd) => void;
}

/** One runner process and its channel: bytes in, bytes out, and how it ends. */
export class RunnerProcess {
  readonly #options: RunnerProcessOptions;
  readonly #child: Deno.ChildProcess;
  readonly #socket: RunnerSocket;
  readonly #budget = new OutputBudget();
  /** Settles when the process is gone and `onEnd` was told. */
  readonly ended: Promise<void>;
  /** Why we killed it. */
  #killed: RunnerEnd | undefined;
  #lastError = "";
  #connected = false;

  /** @throws {BeeuniError} `engine` when the program can't be started. */
  constructor(options: RunnerProcessOptions) {
    this.#options = options;
    const path = join(options.socketFolder, "s");
    this.#socket = new RunnerSocket(path);
    try {
      this.#child = new Deno.Command(options.deno, {
        args: ["run", ...options.flags, ...socketFlags(path, options.netAll), options.entry, path],
        env: options.env,
        clearEnv: true,
        cwd: options.cwd,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
        // A group of its own: a Ctrl-C at the terminal is the daemon's affair, and what a tool started can be ended
        // together with its runner.
        detached: true,
      }).spawn();
    } catch (cause) {
      this.#socket.close();
      throw new BeeuniError("engine", `the tool runner could not be started: ${message(cause)}.`, {
        hint: `Check that ${options.deno} is there and may be executed, and that ${options.cwd} exists.`,
        cause,
      });
    }
    void this.#receive();
    const output = Promise.all([
      this.#readOutput("stdout", this.#child.stdout),
      this.#readOutput("stderr", this.#child.stderr),
    ]);
    this.ended = this.#watch(output);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Sends text that is whole frames; what is sent in one turn of the event loop leaves in one write. */
  send(frames: string): void {
    this.#socket.send(frames);
  }

  /** Ends the process and all it started, at once. The first reason counts. */
  kill(end: RunnerEnd): void {
    this.#killed ??= end;
    try {
      Deno.kill(-this.pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }

  /** Reads frames until the channel closes; that is the end of the process as well, whatever it still does. */
  async #receive(): Promise<void> {
    const frames = new FrameSplitter(MAX_RUNNER_FRAME_BYTES);
    try {
      await this.#socket.receive(this.#options.connectMs ?? CONNECT_MS, (chunk) => {
        this.#connected = true;
        for (const line of frames.push(chunk)) this.#options.onLine(line);
      });
      // A process that ends by itself closes its channel first: its exit code says more than a kill would.
      await delay(100);
      this.kill({ what: "died: it closed its channel", expected: false });
    } catch (error) {
      const what = error instanceof FrameTooLongError
        ? "it sent a message without an end"
        : "it did not connect in time";
      this.kill({ what: `was stopped: ${what}`, expected: false });
    }
  }

  async #readOutput(stream: "stdout" | "stderr", readable: ReadableStream<Uint8Array>): Promise<void> {
    const lines = new LineSplitter(MAX_OUTPUT_LINE);
    const decoder = new TextDecoder();
    const onLine = (line: Uint8Array) => {
      if (line.length === 0) return;
      const text = decoder.decode(line);
      if (stream === "stderr") {
        this.#lastError = text;
        // SIGUSR1 opens the inspector, which can do anything in the process.
        if (text.includes("Debugger listening on")) {
          this.kill({ what: "was stopped: it opened the debugger", expected: false });
        }
      }
      if (!this.#budget.take(line.length)) return;
      const dropped = this.#budget.takeDropped();
      if (dropped > 0) this.#options.onOutput(stream, `[${dropped} bytes of output were dropped]`);
      this.#options.onOutput(stream, text);
    };
    try {
      for await (const chunk of readable) lines.push(chunk, onLine);
      onLine(lines.end());
    } catch {
      // The pipe broke with the process.
    }
  }

  async #watch(output: Promise<unknown>): Promise<void> {
    const status = await this.#child.status;
    const end = this.#killed ?? this.#endOf(status);
    this.#socket.close();
    // A program it started may hold the pipes; it shares the group.
    try {
      Deno.kill(-this.pid, "SIGKILL");
    } catch {
      // Nobody is left in it.
    }
    await Promise.race([output, delay(500)]);
    this.#options.onEnd(end);
  }

  #endOf(status: Deno.CommandStatus): RunnerEnd {
    if (status.code === HEAP_OVERFLOW_CODE) return { what: "ran out of memory", expected: false };
    if (!this.#connected) {
      return {
        what: `could not be started: ${this.#lastError || `exit code ${status.code}`}`,
        expected: false,
      };
    }
    if (status.signal !== null) return { what: `died: it was killed by ${status.signal}`, expected: false };
    return { what: `died: it ended with exit code ${status.code}`, expected: false };
  }
}

/** The carrier of a runner needs all three rights to connect; workers give them up. */
function socketFlags(path: string, netAll: boolean): string[] {
  const flags = [`--allow-read=${path}`, `--allow-write=${path}`];
  return netAll ? flags : [...flags, `--allow-net=unix:${path}`];
}

function message(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
