import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { FrameSplitter } from "../../src/host/frame_splitter.ts";
import {
  type CallBody,
  type DaemonFrame,
  decodeRunnerFrame,
  encodeFrame,
  MAX_RUNNER_FRAME_BYTES,
  type RunnerFrame,
  type WorkerSpec,
} from "../../src/host/protocol.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENGINE = join(ROOT, "src");

/** Options of {@link startRunner}. */
export interface RunnerOptions {
  /** Files of the project, by path relative to its root. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** More flags, or other values for the rights of specification 2.3. */
  flags?: readonly string[];
  net?: string;
  /** Folder of other runner files, such as bundled ones; default: the sources. */
  engine?: string;
  /** Folders of the project that the process may read by themselves, so that one tool can give up the rest. */
  extraRead?: readonly string[];
}

type Body<K extends RunnerFrame["kind"]> = Extract<RunnerFrame, { kind: K }>["body"];

/** How a call ended. */
export type Answer = Extract<RunnerFrame, { kind: "result" | "error" }>;

/**
 * Starts a real runner process, with the flags of specification 2.3, for a project made for the test, and speaks the
 * protocol with it as the daemon does.
 */
export async function startRunner(options: RunnerOptions = {}): Promise<RunnerProcess> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "beeuni-runner-" }));
  const places = {
    base,
    root: join(base, "project"),
    tmp: join(base, "tmp"),
    spill: join(base, "beeuni-tool-output"),
    socket: join(base, "socket"),
  };
  for (const folder of [places.root, places.tmp, places.socket]) await Deno.mkdir(folder, { mode: 0o700 });
  await writeFiles(places.root, { ".git/config": "", ...options.files });
  const listener = Deno.listen({ transport: "unix", path: join(places.socket, "s") });
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags(places, options), entryOf(options), join(places.socket, "s")],
    cwd: places.root,
    clearEnv: true,
    env: { ...passed("PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME"), NO_COLOR: "1", TMPDIR: places.tmp },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const connection = await listener.accept();
  listener.close();
  return new RunnerProcess(places, child, connection);
}

type Places = RunnerProcess["places"];

function flags(places: Places, options: RunnerOptions): string[] {
  const { root, tmp, spill, socket } = places;
  const closed = [".git", "harnesses", "node_modules", "package.json", "tools"].map((name) =>
    join(root, name)
  );
  return [
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--cached-only",
    "--node-modules-dir=manual",
    "--ignore-env",
    "--unstable-worker-options",
    "--unstable-sloppy-imports",
    "--no-check",
    `--import-map=${join(ENGINE, "host/bun/import_map.json")}`,
    "--v8-flags=--max-old-space-size=512",
    `--allow-read=${
      [
        root,
        tmp,
        spill,
        socket,
        options.engine ?? ENGINE,
        ...options.extraRead?.map((path) => join(root, path)) ?? [],
      ].join(
        ",",
      )
    }`,
    `--allow-write=${[root, tmp, spill, socket].join(",")}`,
    `--deny-write=${closed.join(",")}`,
    options.net ?? "--allow-net",
    "--deny-net=127.0.0.1:9229,0.0.0.0:9229,[::1]:9229,[::]:9229,169.254.169.254",
    ...options.flags ?? [],
  ];
}

function entryOf({ engine }: RunnerOptions): string {
  return engine === undefined ? join(ENGINE, "host/runner/main.ts") : join(engine, "host/runner/main.js");
}

function passed(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, Deno.env.get(name) ?? ""]).filter(([, value]) => value !== ""),
  );
}

async function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeFile(
      join(root, path),
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
}

/** A running runner and its project; ends and removes both when disposed. */
export class RunnerProcess implements AsyncDisposable {
  /** Every frame that came, in order. */
  readonly frames: RunnerFrame[] = [];
  /** Lines that were no frame. */
  readonly garbage: string[] = [];
  readonly status: Promise<Deno.CommandStatus>;
  /** What the process itself printed. */
  stdout = "";
  stderr = "";
  #nextId = 0;
  #isConnected = true;
  readonly #waiters = new Set<() => void>();
  readonly #readers: Promise<unknown>[];

  constructor(
    readonly places: Readonly<Record<"base" | "root" | "tmp" | "spill" | "socket", string>>,
    readonly child: Deno.ChildProcess,
    readonly connection: Deno.Conn,
  ) {
    this.status = child.status;
    this.#readers = [
      this.#read(),
      collect(child.stdout, (text) => this.stdout += text),
      collect(child.stderr, (text) => this.stderr += text),
    ];
  }

  /** A new id, for calls and workers alike. */
  id(): number {
    return ++this.#nextId;
  }

  async send(frame: DaemonFrame): Promise<void> {
    await this.sendRaw(encodeFrame(frame));
  }

  async sendRaw(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) {
      written += await this.connection.write(bytes.subarray(written));
    }
  }

  /** The first frame for which `matches` holds, from the first one on; rejects after `ms` without it. */
  async frame<F extends RunnerFrame>(matches: (frame: RunnerFrame) => frame is F, ms?: number): Promise<F>;
  async frame(matches: (frame: RunnerFrame) => boolean, ms?: number): Promise<RunnerFrame>;
  async frame(matches: (frame: RunnerFrame) => boolean, ms = 20_000): Promise<RunnerFrame> {
    const deadline = performance.now() + ms;
    while (true) {
      const found = this.frames.find(matches);
      if (found !== undefined) return found;
      const left = deadline - performance.now();
      if (left <= 0) {
        throw new Error(
          `no such frame within ${ms} ms; got ${JSON.stringify(this.frames).slice(-1_500)}\n${this.stderr}`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiters.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      this.#waiters.clear();
    }
  }

  /** Starts to load a module of the project; answers the worker's id. */
  async makeWorker(path: string, other: Partial<WorkerSpec> = {}): Promise<number> {
    const { root, tmp, spill, socket } = this.places;
    const id = this.id();
    const tool = path.replace(/^.*\//, "").replace(/\..*$/, "");
    const body: WorkerSpec = {
      tool,
      url: pathToFileURL(join(root, path)).href,
      roots: [root],
      nodeModules: [join(root, "tools/node_modules"), join(root, "node_modules")],
      root,
      revoke: { read: [socket, spill, ENGINE], write: [socket, spill] },
      net: true,
      run: false,
      sys: false,
      env: { TMPDIR: tmp },
      loadOnly: false,
      ...other,
    };
    await this.send({ kind: "worker", id, body });
    return id;
  }

  /** Loads a module and answers what it is, or why it did not load. */
  async load(path: string, other: Partial<WorkerSpec> = {}): Promise<Body<"loaded"> | Body<"load_failed">> {
    const id = await this.makeWorker(path, other);
    return (await this.loaded(id)).body;
  }

  loaded(id: number): Promise<Extract<RunnerFrame, { kind: "loaded" | "load_failed" }>> {
    return this.frame((frame): frame is Extract<RunnerFrame, { kind: "loaded" | "load_failed" }> =>
      (frame.kind === "loaded" || frame.kind === "load_failed") && frame.id === id
    );
  }

  /** Loads a module that must load; answers its worker. */
  async worker(path: string, other: Partial<WorkerSpec> = {}): Promise<number> {
    const id = await this.makeWorker(path, other);
    const frame = await this.loaded(id);
    if (frame.kind === "load_failed") throw new Error(`${path} did not load: ${frame.body.reason}`);
    return id;
  }

  /** Starts a call; answers its id. */
  async startCall(
    worker: number,
    args: Record<string, unknown> = {},
    other: CallOptions = {},
  ): Promise<number> {
    const id = this.id();
    const { session = "s1", agent = "beeuni", env = 0, directory = this.places.root } = other;
    const spill = join(this.places.spill, session);
    await this.send({ kind: "begin", id, body: { worker, env, tool: "tool", spill } });
    const body: CallBody = { args, sessionId: session, agent, directory };
    await this.send({ kind: "call", id, body });
    return id;
  }

  answer(id: number, ms?: number): Promise<Answer> {
    return this.frame(
      (frame): frame is Answer => (frame.kind === "result" || frame.kind === "error") && frame.id === id,
      ms,
    );
  }

  /** Calls a tool and waits for its answer. */
  async call(worker: number, args: Record<string, unknown> = {}, other: CallOptions = {}): Promise<Answer> {
    return await this.answer(await this.startCall(worker, args, other));
  }

  /** The output of a call that must succeed. */
  async output(worker: number, args: Record<string, unknown> = {}, other: CallOptions = {}): Promise<string> {
    const answer = await this.call(worker, args, other);
    if (answer.kind === "error") throw new Error(`the call failed: ${answer.body.message}`);
    return answer.body.output;
  }

  /** The message of a call that must fail. */
  async failure(
    worker: number,
    args: Record<string, unknown> = {},
    other: CallOptions = {},
  ): Promise<string> {
    const answer = await this.call(worker, args, other);
    if (answer.kind === "result") throw new Error(`the call succeeded: ${answer.body.output}`);
    return answer.body.message;
  }

  /** Ends a worker; answers whether its thread ended. */
  async retire(id: number): Promise<boolean> {
    await this.send({ kind: "retire", id, body: {} });
    const frame = await this.frame((frame) => frame.kind === "retired" && frame.id === id);
    return frame.kind === "retired" && frame.body.stopped;
  }

  /** All that was logged of a call (0: outside calls), in order. */
  logs(call: number): string {
    return this.frames.map((frame) => frame.kind === "log" && frame.body.call === call ? frame.body.text : "")
      .join("");
  }

  /** Closes the channel, as the end of the daemon does. */
  disconnect(): void {
    if (this.#isConnected) this.connection.close();
    this.#isConnected = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    this.disconnect();
    await this.status;
    await Promise.all(this.#readers);
    await Deno.remove(this.places.base, { recursive: true });
  }

  async #read(): Promise<void> {
    const splitter = new FrameSplitter(MAX_RUNNER_FRAME_BYTES);
    const buffer = new Uint8Array(64 * 1024);
    while (true) {
      const count = await this.connection.read(buffer).catch(() => null);
      if (count === null) break;
      for (const line of splitter.push(buffer.subarray(0, count))) {
        const frame = decodeRunnerFrame(line);
        if (frame === undefined) this.garbage.push(new TextDecoder().decode(line));
        else this.frames.push(frame);
      }
      for (const wake of this.#waiters) wake();
    }
  }
}

/** Whose call it is. */
export interface CallOptions {
  session?: string;
  agent?: string;
  env?: number;
  directory?: string;
}

async function collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) add(text);
}
