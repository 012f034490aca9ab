import { fileURLToPath } from "node:url";

/** What one function of a module gave. */
export interface Answer {
  value?: unknown;
  error?: string;
  name?: string;
  code?: string;
  exitCode?: number;
  stdout?: string;
  stderr?: string;
}

/** What one module gave: why it did not load, or an answer for each call. */
export interface ModuleAnswers {
  failed?: string;
  answers: Answer[];
}

/** How a worker is made. */
export interface WorkerOptions {
  env?: Record<string, string>;
  /** Programs the process and the worker may run; none without. */
  run?: string[];
  /** Variables of the runner process besides `PATH`. */
  runnerEnv?: Record<string, string>;
}

/** The flags of a runner (specification 2.3) that do not depend on the project. */
const FLAGS = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--cached-only",
  "--node-modules-dir=manual",
  "--ignore-env",
  "--unstable-worker-options",
  "--unstable-sloppy-imports",
];

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** A copy of fixtures/bun/project in a temporary folder, and processes that run its modules. */
export class BunBench implements Disposable {
  readonly #folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bun-bench-" }));
  readonly project = `${this.#folder}/project`;
  readonly tmp = `${this.#folder}/tmp`;

  constructor() {
    copy(path("../../fixtures/bun/project"), this.project);
    copy(path("../../fixtures/bun/packages"), `${this.project}/node_modules`);
    Deno.mkdirSync(this.tmp);
  }

  /** Loads a module of the project and calls functions it exports: `[name, …args]`. */
  async run(module: string, calls: unknown[][], options: WorkerOptions = {}): Promise<ModuleAnswers> {
    const [answers] = await this.#process([{ module, calls }], options);
    return answers!;
  }

  /** Loads modules and gives the reason of each that fails. */
  async load(modules: string[]): Promise<(string | undefined)[]> {
    const all = await this.#process(modules.map((module) => ({ module, calls: [] })), {});
    return all.map(({ failed }) => failed);
  }

  /** Runs a script as the main module, with the import map and without our hooks; gives its stderr. */
  async withoutHooks(script: string): Promise<string> {
    const file = `${this.project}/main_script.ts`;
    Deno.writeTextFileSync(file, script);
    const { stderr } = await this.#deno([`--allow-read=${this.project}`, file], "", {});
    return stderr;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#folder, { recursive: true });
  }

  async #process(
    work: { module: string; calls: unknown[][] }[],
    options: WorkerOptions,
  ): Promise<ModuleAnswers[]> {
    const engine = path("../../src/host/bun");
    const harness = path("../../fixtures/bun/harness");
    const run = options.run ?? [];
    const lines = work.map(({ module, calls }) =>
      JSON.stringify({
        module: `file://${this.project}/tools/${module}`,
        calls,
        options: {
          env: options.env ?? {},
          run: run.length > 0,
          ...(run.length > 0 ? { allow: run } : {}),
          tmp: this.tmp,
          revoke: [engine, harness],
        },
      })
    );
    const flags = [
      `--allow-read=${[this.project, this.tmp, engine, harness].join(",")}`,
      `--allow-write=${this.project},${this.tmp}`,
      ...(run.length > 0 ? [`--allow-run=${run.join(",")}`] : []),
    ];
    const { stdout, stderr } = await this.#deno(
      [...flags, `${harness}/runner.ts`],
      lines.join("\n"),
      options,
    );
    const answers = stdout.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    if (answers.length !== work.length) throw new Error(`the bench process failed: ${stdout}${stderr}`);
    return answers;
  }

  async #deno(
    args: string[],
    input: string,
    { runnerEnv = {} }: WorkerOptions,
  ): Promise<{ stdout: string; stderr: string }> {
    const importMap = path("../../src/host/bun/import_map.json");
    await using child = new Deno.Command(Deno.execPath(), {
      args: ["run", ...FLAGS, `--import-map=${importMap}`, ...args],
      cwd: this.project,
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        NO_COLOR: "1",
        DENO_DIR: `${this.#folder}/deno`,
        ...runnerEnv,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.status;
    return { stdout, stderr };
  }
}

function copy(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copy(`${from}/${name}`, `${to}/${name}`);
    else Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}
