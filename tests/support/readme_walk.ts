import assert from "node:assert/strict";
import { dirname, isAbsolute, join } from "node:path";
import { isMap, parse, parseDocument } from "yaml";
import type { HarnessName } from "../../src/agents/may_use.ts";
import { beeuniProgram } from "../beeuni.ts";
import { eventually } from "./eventually.ts";
import type { CodeBlock } from "./markdown.ts";
import { opencode } from "./opencode.ts";
import { isRunning } from "./processes.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted_model.ts";
import { Shell, type ShellResult } from "./shell.ts";

/** What has to be otherwise in a test than on the page. */
export interface WalkRules {
  /** Lines that are not run, and what is looked at instead. */
  notRun: Readonly<Record<string, () => void>>;
  /** Commands that serve until they are stopped: they run until they can be asked, and `beeuni daemon stop` ends them. */
  serves: readonly string[];
  /** What a page tells of, and has to be so, before a command of it. */
  before: Readonly<Record<string, (walk: ReadmeWalk) => Promise<void>>>;
}

/** Options of {@link ReadmeWalk.start}. */
export interface WalkOptions extends WalkRules {
  /** `standard` = OpenCode is on the `PATH`. */
  harness: HarnessName;
  /** Answers the requests to the hosts of the pages' examples. */
  api: (request: Request) => Response;
}

/** Somebody at a shell, on a machine with nothing but the program, who does what a page says from top to bottom. */
export class ReadmeWalk implements AsyncDisposable {
  /** Lines of {@link WalkRules.notRun} that came. */
  readonly notRun = new Set<string>();
  /** Commands of {@link WalkRules.serves} that came. */
  readonly served = new Set<string>();
  /** Commands of {@link WalkRules.before} that came. */
  readonly prepared = new Set<string>();
  readonly model: ScriptedModel;
  readonly #harness: HarnessName;
  readonly #rules: WalkRules;
  readonly #base: string;
  readonly #api: Deno.HttpServer<Deno.NetAddr>;
  readonly #shell: Shell;
  readonly #hosts: readonly (readonly [string, string])[];
  #cwd: string;
  #session = "";
  #last: ShellResult | undefined;

  private constructor(options: WalkOptions, base: string, model: ScriptedModel, path: string) {
    this.#harness = options.harness;
    this.#rules = options;
    this.#base = base;
    this.model = model;
    this.#api = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, options.api);
    this.#cwd = join(base, "clone");
    const here = `127.0.0.1:${this.#api.addr.port}`;
    this.#hosts = [
      ["https://orders.example.com", `http://${here}`],
      ["orders.example.com", here],
      ["http://127.0.0.1:8080/v1", model.url],
      ["4096", `${freePort()}`],
    ];
    this.#shell = new Shell({
      logs: join(base, "logs"),
      cwd: this.#cwd,
      env: { HOME: join(base, "home"), TMPDIR: join(base, "tmp"), PATH: path },
      // What is typed where a command asks for a value.
      stdin: "a-key-of-somebody\n",
    });
  }

  static async start(options: WalkOptions): Promise<ReadmeWalk> {
    const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-readme-" }));
    for (const folder of ["home", "logs", "tmp", "clone/dist", "bin"]) {
      Deno.mkdirSync(join(base, folder), { recursive: true });
    }
    // What `task build` writes: the program that is tested.
    const { program, first } = beeuniProgram();
    const words = [program, ...first].map((word) => `'${word}'`).join(" ");
    const runtime = first.length === 0 ? "" : `DENO_DIR='${denoDir()}' `;
    Deno.writeTextFileSync(join(base, "clone/dist/beeuni"), `#!/bin/sh\n${runtime}exec ${words} "$@"\n`);
    if (options.harness === "standard") Deno.symlinkSync(await opencode(), join(base, "bin/opencode"));
    // On the executable the PATH is one without any JavaScript runtime already.
    const path = first.length === 0 ? Deno.env.get("PATH") : "/usr/bin:/bin";
    const model = await startScriptedModel({ key: "the-key" });
    return new ReadmeWalk(options, base, model, `${join(base, "bin")}:${path}`);
  }

  /** Does what a block of a page says. */
  async block(page: string, { language, text, line }: CodeBlock): Promise<void> {
    const [first = ""] = text.split("\n");
    const place = `${page}:${line}`;
    switch (language) {
      case "bash":
        for (const command of text.trimEnd().split("\n")) await this.#command(place, command);
        break;
      case "ts":
        this.#write(/^\/\/ (\S+\.ts)$/.exec(first)?.[1] ?? assert.fail(`${place} names no file`), text);
        await this.#validate(place);
        break;
      case "yaml":
        this.#merge(text);
        await this.#validate(place);
        break;
      case "text":
        this.#printed(place, text);
        break;
      case "dockerfile":
        this.#dockerfile(place, text);
        break;
      default:
        assert.fail(`${place}: a block of ${language || "no language"}`);
    }
  }

  /** Runs a command that has to succeed. */
  async succeed(command: string, place = "before"): Promise<ShellResult> {
    const line = this.#hosts.reduce((text, [from, to]) => text.replaceAll(from, to), command)
      .replace(/\bID\b(?!:)/, this.#session);
    const result = await this.#shell.run(line);
    this.#last = result;
    this.#cwd = result.cwd;
    assert.equal(result.code, 0, `${place}: ${line}\n${result.stdout}${result.stderr}`);
    if (/^beeuni sessions new\b/.test(command)) {
      this.#session = /^ses_\w+/.exec(result.stdout)?.[0] ?? assert.fail(result.stdout);
    }
    return result;
  }

  /** Waits until the last session is in a state. */
  async state(expected: string): Promise<void> {
    await eventually(async () => {
      const { stdout } = await this.succeed("beeuni sessions ls --json");
      const { sessions }: { sessions: { id: string; state: string; questions: unknown[] }[] } = JSON.parse(
        stdout,
      );
      const session = sessions.find(({ id }) => id === this.#session) ?? assert.fail(stdout);
      const state = session.questions.length > 0 ? "asks" : session.state;
      assert.equal(state, expected, stdout);
    }, { within: 60_000, every: 200 });
  }

  async #command(place: string, line: string): Promise<void> {
    const [, command = "", comment] = /^(.*?)(?: +# (.*))?$/.exec(line) ?? [];
    const skipped = this.#rules.notRun[command];
    if (skipped !== undefined) {
      skipped();
      this.notRun.add(command);
      return;
    }
    if (this.#rules.serves.includes(command)) return await this.#serve(place, command);
    const prepare = this.#rules.before[command];
    if (prepare !== undefined) {
      this.prepared.add(command);
      await prepare(this);
    }
    const { stdout, stderr } = await this.succeed(line, place);
    const printed = /^prints: (.*)$/.exec(comment ?? "")?.[1];
    if (printed !== undefined) assert.equal(stdout, `${printed}\n`, `${place}: ${line}`);
    assert.ok(
      !stdout.includes("has no script"),
      `${place}: the model does not know what to do with: ${line}`,
    );
    if (command.startsWith("curl")) assert.ok(!("error" in JSON.parse(stdout)), stdout);
    if (/^beeuni sessions new\b/.test(command)) {
      // Without OpenCode it is said why.
      assert.ok(stderr.includes(`the harness is ${this.#harness}`), stderr);
    }
  }

  async #serve(place: string, command: string): Promise<void> {
    await this.succeed(`${command} & serving=$!`, place);
    await this.succeed("until beeuni daemon status; do sleep 0.1; done");
    await this.succeed("beeuni daemon stop");
    const { cwd } = await this.succeed("wait $serving", place);
    assert.equal(cwd, this.#cwd);
    this.served.add(command);
  }

  #write(path: string, text: string): void {
    const file = join(this.#cwd, path);
    Deno.mkdirSync(dirname(file), { recursive: true });
    Deno.writeTextFileSync(file, this.#hosts.reduce((text, [from, to]) => text.replaceAll(from, to), text));
  }

  /** Puts a fragment into the project's beeuni.yaml, and in their places the files that it names. */
  #merge(text: string): void {
    const file = join(this.#cwd, "beeuni.yaml");
    const document = parseDocument(Deno.readTextFileSync(file));
    const fragment = parse(this.#hosts.reduce((text, [from, to]) => text.replaceAll(from, to), text));
    const put = (path: string[], value: unknown) => {
      if (isRecord(value) && isMap(document.getIn(path))) {
        for (const [key, inner] of Object.entries(value)) put([...path, key], inner);
      } else document.setIn(path, document.createNode(value));
    };
    for (const [key, value] of Object.entries(fragment)) put([key], value);
    const { tools = {}, imports = [] }: { tools?: Record<string, string>; imports?: string[] } = fragment;
    for (const path of Object.values(tools)) {
      if (!/\.ts$/.test(path) || exists(join(this.#cwd, path))) continue;
      assert.ok(!isAbsolute(path));
      this.#write(
        path,
        "export default { description: 'A tool', parameters: { type: 'object' }, execute: () => '' }\n",
      );
    }
    for (const path of imports) {
      if (path.endsWith(".yaml")) this.#write(path, "agents: {}\n");
      else this.#write(join(path, "more.yaml"), "tools: {}\n");
    }
    Deno.writeTextFileSync(file, document.toString());
  }

  async #validate(place: string): Promise<void> {
    const { stdout } = await this.succeed("beeuni validate --json", place);
    const issues: { code: string }[] = JSON.parse(stdout).issues;
    // The README removes a secret again that its example grants.
    assert.deepEqual(issues.filter(({ code }) => code !== "agent_secret_unset"), [], place);
  }

  /** A block of text is how the output of the command before it begins. */
  #printed(place: string, text: string): void {
    const plain = (text: string) => text.replaceAll(/ses_\w+/g, "ses_1").replaceAll(/\d+ ms/g, "1 ms");
    const stdout = plain(this.#last?.stdout ?? "");
    assert.equal(stdout.slice(0, plain(text).length), plain(text), place);
  }

  #dockerfile(place: string, text: string): void {
    for (const line of text.trimEnd().split("\n")) {
      assert.match(
        line,
        /^(FROM debian:stable-slim|COPY (dist\/beeuni|\.) |RUN beeuni version$|WORKDIR |CMD \["beeuni", "daemon", "--port", "\d+"\]$)/,
        place,
      );
    }
  }

  /** Ends the daemons that are left when a command before `daemon stop` failed. */
  async #stopDaemons(): Promise<void> {
    const states = join(this.#base, "home/.local/state");
    for (const folder of [`${states}/my-tools`, ...foldersIn(`${states}/beeuni`)]) {
      const file = join(folder, "daemon.json");
      if (!exists(file)) continue;
      const { pid } = JSON.parse(Deno.readTextFileSync(file));
      if (isRunning(pid)) Deno.kill(pid, "SIGTERM");
      await eventually(() => assert.ok(!isRunning(pid), `the daemon ${pid} does not end`), {
        within: 20_000,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#shell[Symbol.asyncDispose]();
      await this.#stopDaemons();
    } finally {
      await this.model[Symbol.asyncDispose]();
      await this.#api.shutdown();
      Deno.removeSync(this.#base, { recursive: true });
    }
  }
}

function denoDir(): string {
  const { DENO_DIR, XDG_CACHE_HOME, HOME } = Deno.env.toObject();
  return DENO_DIR ?? join(XDG_CACHE_HOME ?? join(HOME ?? "/", ".cache"), "deno");
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function foldersIn(path: string): string[] {
  return exists(path) ? [...Deno.readDirSync(path)].map(({ name }) => join(path, name)) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
