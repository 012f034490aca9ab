import { ShellError, type ShellOutput } from "./shell_output.ts";

/** How one script runs; starts as its shell's defaults. */
export interface ShellSettings {
  cwd: string | undefined;
  env: Record<string, string | undefined> | undefined;
  throws: boolean;
  quiet: boolean;
}

/** A script that runs once it is awaited, or its output asked for. */
export class ShellPromise extends Promise<ShellOutput> {
  readonly #settings: ShellSettings;
  readonly #run: (settings: ShellSettings) => Promise<ShellOutput>;
  readonly #settle: PromiseWithResolvers<ShellOutput>;
  #started = false;

  /** `then` of this class gives plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @param run Runs the script; rejects only for what is no failure of a command. */
  constructor(settings: ShellSettings, run: (settings: ShellSettings) => Promise<ShellOutput>) {
    const settle: Partial<PromiseWithResolvers<ShellOutput>> = {};
    super((resolve, reject) => Object.assign(settle, { resolve, reject }));
    this.#settle = settle as PromiseWithResolvers<ShellOutput>;
    this.#settings = settings;
    this.#run = run;
  }

  /** Sets the working directory. */
  cwd(path: string): this {
    return this.#set({ cwd: path });
  }

  /** Sets the environment. */
  env(variables: Record<string, string | undefined> | undefined): this {
    return this.#set({ env: variables });
  }

  /** Keeps the output to itself; else it is also printed. */
  quiet(quiet = true): this {
    return this.#set({ quiet });
  }

  /** Does not throw for a status other than 0. */
  nothrow(): this {
    return this.throws(false);
  }

  throws(shouldThrow: boolean): this {
    return this.#set({ throws: shouldThrow });
  }

  /** Starts the script, if it has not started. */
  run(): this {
    if (this.#started) return this;
    this.#started = true;
    this.#run(this.#settings).then((output) => {
      if (output.exitCode === 0 || !this.#settings.throws) this.#settle.resolve(output);
      else this.#settle.reject(new ShellError(output));
    }, this.#settle.reject);
    return this;
  }

  override then<Result = ShellOutput, Failure = never>(
    onFulfilled?: ((output: ShellOutput) => Result | PromiseLike<Result>) | null,
    // deno-lint-ignore no-explicit-any -- the signature of Promise
    onRejected?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.run();
    return super.then(onFulfilled, onRejected);
  }

  async text(encoding?: Parameters<Buffer["toString"]>[0]): Promise<string> {
    return (await this.#quietly()).text(encoding);
  }

  async json(): Promise<unknown> {
    return (await this.#quietly()).json();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#quietly()).bytes();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.#quietly()).arrayBuffer();
  }

  async blob(): Promise<Blob> {
    return (await this.#quietly()).blob();
  }

  /** The output in lines; as with Bun, text after the last newline is a line even when it is empty. */
  async *lines(): AsyncIterableIterator<string> {
    yield* (await this.text()).split("\n");
  }

  #quietly(): Promise<ShellOutput> {
    if (!this.#started) this.quiet();
    return this.then((output) => output);
  }

  #set(settings: Partial<ShellSettings>): this {
    if (this.#started) throw new Error("Shell is already running");
    Object.assign(this.#settings, settings);
    return this;
  }
}
