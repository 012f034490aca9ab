import type { BunOptions } from "../bun_options.ts";
import { Subprocess } from "../subprocess.ts";
import type { Command, Pipeline, Redirect, ScriptList } from "./ast.ts";
import { BUILTINS } from "./builtins.ts";
import { expandText, expandWord, type Expansion, NoMatch, objectOf } from "./expand.ts";
import { fileReason } from "./file_builtins.ts";
import type { ShellObject } from "./script.ts";
import { absolutePath, copyState, ExitScript, type ShellState } from "./state.ts";
import {
  BrokenPipe,
  bufferSink,
  Capture,
  fileSink,
  fileStream,
  objectStream,
  pipe,
  pump,
  type Sink,
  type Streams,
} from "./streams.ts";

/** A redirection or command that fails as such: a line on stderr, status 1. */
class CommandFailure extends Error {}

/** Runs the parts of one script. */
export class ScriptRun {
  readonly #values: readonly (string | ShellObject)[];

  constructor(values: readonly (string | ShellObject)[]) {
    this.#values = values;
  }

  /**
   * Runs a script to its end or `exit`.
   *
   * @returns Its status.
   * @throws {Error} for what is no failure of a command: a refused right, too much output.
   */
  async script(list: ScriptList, state: ShellState, streams: Streams): Promise<number> {
    let status = 0;
    try {
      for (const { when, pipeline } of list) {
        if (when === "success" ? status !== 0 : when === "failure" && status === 0) continue;
        status = await this.#pipeline(pipeline, state, streams);
      }
    } catch (error) {
      if (!(error instanceof ExitScript)) throw error;
      status = error.status;
    }
    return status;
  }

  async #pipeline(pipeline: Pipeline, state: ShellState, streams: Streams): Promise<number> {
    const [only] = pipeline;
    if (pipeline.length === 1) return await this.#command(only!, state, streams);
    let stdin = streams.stdin;
    const members = pipeline.map(async (command, index) => {
      const last = index === pipeline.length - 1;
      const next = last ? undefined : pipe();
      const own: Streams = { ...streams, stdin, stdout: next?.sink ?? streams.stdout };
      stdin = next?.stream;
      try {
        return await this.#command(command, copyState(state), own);
      } catch (error) {
        if (error instanceof ExitScript) return error.status;
        if (error instanceof BrokenPipe) return 141;
        throw error;
      } finally {
        await next?.sink.close();
        // nobody reads the rest: what is before this one ends
        if (index > 0) await own.stdin?.cancel().catch(() => {});
      }
    });
    const results = await Promise.allSettled(members);
    for (const result of results) {
      if (result.status === "rejected") throw result.reason;
    }
    const result = results.at(-1)!;
    return result.status === "fulfilled" ? result.value : 1;
  }

  async #command(command: Command, state: ShellState, streams: Streams): Promise<number> {
    const opened: Sink[] = [];
    try {
      const own = { ...streams };
      for (const redirect of command.redirects) await this.#redirect(redirect, state, own, opened);
      if (command.kind === "subshell") return await this.script(command.script, copyState(state), own);
      return await this.#simple(command, state, own);
    } catch (error) {
      if (!(error instanceof CommandFailure) && !(error instanceof NoMatch)) throw error;
      await streams.stderr.write(new TextEncoder().encode(`bun: ${error.message}\n`));
      return 1;
    } finally {
      for (const sink of opened) await sink.close();
    }
  }

  async #simple(command: Command & { kind: "simple" }, state: ShellState, streams: Streams): Promise<number> {
    const expansion = this.#expansion(state, streams);
    const [name, ...args] = (await inOrder(command.words, (word) => expandWord(word, expansion))).flat();
    const assigned = await inOrder(
      command.assignments,
      async ({ name, value }): Promise<[string, string]> => [
        name,
        await expandText(value, expansion),
      ],
    );
    if (name === undefined) {
      for (const [variable, value] of assigned) {
        if (Object.hasOwn(state.env, variable)) state.env[variable] = value;
        else state.variables.set(variable, value);
      }
      return 0;
    }
    const status = Object.hasOwn(BUILTINS, name)
      ? await this.#builtin(name, args, state, streams)
      : undefined;
    return status ?? await runProgram(name, args, state, streams, Object.fromEntries(assigned));
  }

  async #builtin(
    name: string,
    args: string[],
    state: ShellState,
    streams: Streams,
  ): Promise<number | undefined> {
    const encoder = new TextEncoder();
    return await BUILTINS[name]!(args, {
      state,
      streams,
      print: (text) => streams.stdout.write(encoder.encode(text)),
      fail: async (message) => {
        await streams.stderr.write(encoder.encode(`${message}\n`));
        return 1;
      },
    });
  }

  #expansion(state: ShellState, streams: Streams): Expansion {
    return {
      cwd: state.cwd,
      home: state.home,
      values: this.#values,
      variable: (name) => state.variables.get(name) ?? state.env[name] ?? "",
      output: async (script) => {
        const stdout = new Capture();
        await this.script(script, copyState(state), { stdin: undefined, stdout, stderr: streams.stderr });
        return stdout.bytes().toString();
      },
    };
  }

  /** Opens what a redirection names and puts it into `streams`. */
  async #redirect(redirect: Redirect, state: ShellState, streams: Streams, opened: Sink[]): Promise<void> {
    const { from, to, append } = redirect;
    if (typeof to === "number") {
      if (from === 1) streams.stdout = to === 2 ? streams.stderr : streams.stdout;
      if (from === 2) streams.stderr = to === 1 ? streams.stdout : streams.stderr;
      return;
    }
    const expansion = this.#expansion(state, streams);
    const object = objectOf(to, expansion);
    const path = object === undefined ? await pathOf(to, expansion) : "";
    const file = path === "/dev/null" ? path : absolutePath(path, state);
    try {
      if (from === 0) {
        streams.stdin = object === undefined ? await fileStream(file) : objectStream(object);
        return;
      }
      const sink = object === undefined ? await fileSink(file, append) : bufferSink(object);
      opened.push(sink);
      if (from !== 2) streams.stdout = sink;
      if (from !== 1) streams.stderr = sink;
    } catch (error) {
      const reason = fileReason(error);
      throw reason === undefined ? error : new CommandFailure(`${reason}: ${path}`);
    }
  }
}

/** The one file a redirection names. */
async function pathOf(word: Exclude<Redirect["to"], number>, expansion: Expansion): Promise<string> {
  const [path, ...more] = await expandWord(word, expansion);
  if (path === undefined || path === "" || more.length > 0) throw new CommandFailure("ambiguous redirect");
  return path;
}

async function runProgram(
  program: string,
  args: string[],
  state: ShellState,
  streams: Streams,
  assigned: Record<string, string>,
): Promise<number> {
  let child: Subprocess;
  try {
    child = new Subprocess({
      program,
      args,
      cwd: state.cwd,
      stdin: streams.stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
    }, { ...state.env, ...assigned });
  } catch (error) {
    if (
      !(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT" ||
      error.message.startsWith("ENOENT")
    ) throw error;
    throw new CommandFailure(`command not found: ${program}`);
  }
  const stop = () => child.kill("SIGPIPE");
  const outputs = await Promise.allSettled([
    pump(child.stdout!, streams.stdout, stop),
    pump(child.stderr!, streams.stderr, stop),
  ]);
  const status = await child.exited;
  for (const output of outputs) {
    if (output.status === "rejected") throw output.reason;
  }
  return status;
}

/** Results of `act` for each item, one after the other: a substitution may change what the next one sees. */
async function inOrder<Item, Result>(items: Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await act(item));
  return results;
}

/** A state in which a script of this worker starts. */
export function initialState(
  options: BunOptions,
  cwd: string,
  env: Record<string, string | undefined>,
): ShellState {
  return { cwd, previous: cwd, env: { ...env }, variables: new Map(), home: env.HOME ?? options.tmp };
}
