import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { TextStream } from "./text_stream.ts";

/** How one command of a {@link Shell} ended. */
export interface ShellResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Working directory of the shell afterwards. */
  cwd: string;
}

/** Options of {@link Shell}. */
export interface ShellOptions {
  /** A folder for what the commands print; it has to be there. */
  logs: string;
  cwd: string;
  /** All of its environment. */
  env: Readonly<Record<string, string>>;
  /** What each command finds on its stdin. */
  stdin?: string;
}

/** Longest time for one command, in milliseconds: the first start of the executable or of OpenCode on a busy machine. */
const WAIT = { within: 60_000, every: 20 };

/**
 * One bash that is given one command after the other, as somebody types them: what a command exports, where it goes
 * and what it starts in the background is there for the next one.
 */
export class Shell implements AsyncDisposable {
  readonly #logs: string;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stdout: TextStream;
  readonly #stderr: TextStream;
  #count = 0;

  constructor({ logs, cwd, env, stdin = "" }: ShellOptions) {
    this.#logs = logs;
    Deno.writeTextFileSync(join(logs, "stdin"), stdin);
    this.#child = new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-s"],
      cwd,
      clearEnv: true,
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#stdout = new TextStream(this.#child.stdout);
    this.#stderr = new TextStream(this.#child.stderr);
  }

  /** Runs one command line, which may end in `&`, to its end. */
  async run(command: string): Promise<ShellResult> {
    const number = ++this.#count;
    const file = (name: string) => join(this.#logs, name);
    const lines = [
      `{ ${command}`,
      `} <'${file("stdin")}' >'${file(`${number}.out`)}' 2>'${file(`${number}.err`)}'`,
      `printf '%s %s %s\\n' ${number} $? "$PWD"`,
      "",
    ];
    await this.#writer.write(new TextEncoder().encode(lines.join("\n")));
    const [, code, cwd] = await eventually(() => {
      const said = this.#stdout.lines.map((line) => line.match(/^(\d+) (\d+) (.*)$/) ?? []);
      const [, ...end] = said.find(([, of]) => of === `${number}`) ?? [];
      assert.ok(end.length > 0, `no end of: ${command}\n${this.#stderr.text}`);
      return end;
    }, WAIT);
    return {
      code: Number(code),
      cwd: cwd ?? "",
      stdout: Deno.readTextFileSync(file(`${number}.out`)),
      stderr: Deno.readTextFileSync(file(`${number}.err`)),
    };
  }

  /** Ends the shell; what it started in the background goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    // One that waits for a command that does not end would not read the end of its input.
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#writer.abort().catch(() => {});
    await Promise.all([this.#stdout.ended, this.#stderr.ended]);
  }
}
