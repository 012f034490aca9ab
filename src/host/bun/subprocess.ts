import { BunFile } from "./bun_file.ts";
import { isBinary, toBytes } from "./bytes.ts";
import { PipeSink } from "./pipe_sink.ts";
import { childEnvironment, spawnError, type SpawnRequest } from "./spawn_options.ts";
import { type BunReadableStream, withReaders } from "./stream_readers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Programs one worker may have running at a time. */
const MOST_RUNNING = 64;
let running = 0;

/** A program started by `Bun.spawn`. */
export class Subprocess implements AsyncDisposable {
  readonly pid: number;
  /** The writer of the program's input; undefined unless `stdin` is `"pipe"`. */
  readonly stdin: PipeSink | undefined;
  /** The program's output; undefined unless `stdout` is `"pipe"`. */
  readonly stdout: BunReadableStream | undefined;
  readonly stderr: BunReadableStream | undefined;
  /** Resolves to the exit code (128 + the signal's number for a killed program), when the output is written too. */
  readonly exited: Promise<number>;
  readonly stdio: [null, null, null] = [null, null, null];
  #exitCode: number | null = null;
  #signalCode: string | null = null;
  #killed = false;
  readonly #child: Deno.ChildProcess;
  readonly #killSignal: string | number;

  /**
   * @param env The environment when the request has none.
   * @throws {Error} when the program can't be started.
   */
  constructor(request: SpawnRequest<Subprocess>, env: Record<string, string | undefined>) {
    request.signal?.throwIfAborted();
    if (running >= MOST_RUNNING) {
      throw new Error(`Bun.spawn: ${MOST_RUNNING} programs of this tool are running: wait for one to end`);
    }
    const { program, args, stdin, stdout, stderr } = request;
    try {
      this.#child = new Deno.Command(program, {
        args,
        ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
        env: childEnvironment(request.env ?? env),
        // the runner's own input is empty
        stdin: stdin === "ignore" || stdin === "inherit" ? "null" : "piped",
        stdout: stdout === "ignore" ? "null" : "piped",
        stderr: stderr === "ignore" ? "null" : "piped",
      }).spawn();
    } catch (error) {
      throw spawnError(error, request);
    }
    running++;
    this.pid = this.#child.pid;
    this.#killSignal = request.killSignal ?? "SIGTERM";
    this.stdin = stdin === "pipe" ? new PipeSink(this.#child.stdin) : undefined;
    if (stdin !== "pipe" && stdin !== "ignore" && stdin !== "inherit") void this.#feed(bodyOf(stdin));
    const outputs: Promise<void>[] = [];
    const { maxBuffer } = request;
    const limit = maxBuffer === undefined
      ? undefined
      : outputLimit(maxBuffer, () => this.kill(this.#killSignal));
    const connect = (to: typeof stdout, from: () => ReadableStream<Bytes>, name: "stdout" | "stderr") => {
      if (to === "ignore") return undefined;
      const stream = limit === undefined ? from() : from().pipeThrough(limit());
      if (to === "pipe") return withReaders(stream);
      outputs.push(to === "inherit" ? forward(stream, name) : to.write(stream).then(() => {}));
      return undefined;
    };
    this.stdout = connect(stdout, () => this.#child.stdout, "stdout");
    this.stderr = connect(stderr, () => this.#child.stderr, "stderr");
    this.exited = this.#watch(request, outputs);
    this.exited.catch(() => {});
  }

  /** The exit code; `null` while the program runs and when a signal ended it. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** The signal that ended the program. */
  get signalCode(): string | null {
    return this.#signalCode;
  }

  /** Whether a signal was sent to the program. */
  get killed(): boolean {
    return this.#killed;
  }

  /** The program's output, as `stdout`. */
  get readable(): BunReadableStream | undefined {
    return this.stdout;
  }

  /** Sends a signal, by name or number; SIGTERM when absent. Has no effect on a program that has ended. */
  kill(signal: string | number = "SIGTERM"): void {
    if (this.#exitCode !== null || this.#signalCode !== null) return;
    try {
      this.#child.kill(signal as Deno.Signal);
      this.#killed = true;
    } catch (error) {
      // it may have ended in this moment
      if (!(error instanceof TypeError && error.message.includes("already terminated"))) throw error;
    }
  }

  ref(): void {
    this.#child.ref();
  }

  unref(): void {
    this.#child.unref();
  }

  /** Not known in this runtime. */
  resourceUsage(): undefined {
    return undefined;
  }

  send(): never {
    throw new Error("Bun.spawn: messages between processes are not available in this runtime: use pipes");
  }

  disconnect(): void {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
    await this.exited;
  }

  /** Sends data as the program's whole input; a program may end before it has read it. */
  async #feed(body: ReadableStream<Bytes>): Promise<void> {
    try {
      await body.pipeTo(this.#child.stdin);
    } catch {
      // the program does not read the rest, or there is no more: either way its input ends here
      await this.#child.stdin.close().catch(() => {});
    }
  }

  async #watch(request: SpawnRequest<Subprocess>, outputs: Promise<void>[]): Promise<number> {
    const kill = () => this.kill(this.#killSignal);
    const timer = request.timeout === undefined ? undefined : setTimeout(kill, request.timeout);
    request.signal?.addEventListener("abort", kill, { once: true });
    let failure: Error | undefined;
    try {
      const status = await this.#child.status;
      this.#signalCode = status.signal;
      this.#exitCode = status.signal === null ? status.code : null;
      await Promise.all(outputs);
      return status.code;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    } finally {
      running--;
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", kill);
      void request.onExit?.(this, this.#exitCode, this.#signalCode, failure);
    }
  }
}

/** The input as a stream. */
function bodyOf(input: Exclude<SpawnRequest<Subprocess>["stdin"], string>): ReadableStream<Bytes> {
  if (input instanceof BunFile || input instanceof Blob) return input.stream();
  if (input instanceof ReadableStream) return input;
  if (isBinary(input)) return new Blob([toBytes(input).slice()]).stream();
  return input.body ?? new Blob([]).stream();
}

/** Makes pass-through streams that together call `exceeded` once when more than `most` bytes went through. */
function outputLimit(most: number, exceeded: () => void): () => TransformStream<Bytes, Bytes> {
  let total = 0;
  return () =>
    new TransformStream({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        const before = total;
        total += chunk.length;
        if (before <= most && total > most) exceeded();
      },
    });
}

/** Prints output where the tool's own goes. */
async function forward(stream: ReadableStream<Bytes>, name: "stdout" | "stderr"): Promise<void> {
  for await (const chunk of stream) {
    for (let written = 0; written < chunk.length;) written += Deno[name].writeSync(chunk.subarray(written));
  }
}
