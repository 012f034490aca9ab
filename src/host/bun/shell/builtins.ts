import { builtin } from "../builtin.ts";
import { which } from "../which.ts";
import { FILE_BUILTINS } from "./file_builtins.ts";
import { ExitScript, type ShellState } from "./state.ts";
import type { Streams } from "./streams.ts";

/** What a built-in command works with. */
export interface BuiltinContext {
  state: ShellState;
  streams: Streams;
  /** Writes text to the output. */
  print(text: string): Promise<void> | void;
  /** Writes a line to the errors; gives the status 1. */
  fail(message: string): Promise<number>;
}

/** Runs a command and gives its status; `undefined` when its arguments need the program of that name. */
export type Builtin = (
  args: string[],
  context: BuiltinContext,
) => Promise<number | undefined> | number | undefined;

/**
 * The commands this shell runs itself, as Bun's does (cat too, and not `rm`). They use the tool's own rights, so they need no right to
 * run programs.
 */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  ...FILE_BUILTINS,
  true: () => 0,
  false: () => 1,
  async echo(args, { print }) {
    const options = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
    const flags = args.slice(0, options < 0 ? args.length : options).join("");
    const text = args.slice(options < 0 ? args.length : options).join(" ");
    await print((flags.includes("e") ? unescape(text) : text) + (flags.includes("n") ? "" : "\n"));
    return 0;
  },
  async pwd(args, { state, print, fail }) {
    if (args.length > 0) return await fail("pwd: too many arguments");
    await print(`${state.cwd}\n`);
    return 0;
  },
  async cd(args, { state, fail }) {
    if (args.length > 1) return await fail("cd: too many arguments");
    const target = args[0] === "-" ? state.previous : args[0] ?? state.home;
    try {
      const path = builtin("node:path").resolve(state.cwd, target);
      if (!Deno.statSync(path).isDirectory) return await fail(`cd: not a directory: ${target}`);
      state.previous = state.cwd;
      state.cwd = path;
      return 0;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return await fail(`cd: not a directory: ${target}`);
    }
  },
  async exit(args, { fail }) {
    if (args.length > 1) return await fail("exit: too many arguments");
    if (args[0] !== undefined && !/^\d+$/.test(args[0])) return await fail("exit: numeric argument required");
    throw new ExitScript(Number(args[0] ?? 0) % 256);
  },
  async export(args, { state, print }) {
    if (args.length === 0) {
      const lines = Object.entries(state.env).filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${value}\n`);
      await print(lines.sort().join(""));
    }
    for (const arg of args) {
      const at = arg.indexOf("=");
      const name = at < 0 ? arg : arg.slice(0, at);
      if (/^[A-Za-z_]\w*$/.test(name)) {
        state.env[name] = at < 0 ? state.variables.get(name) ?? state.env[name] : arg.slice(at + 1);
      }
    }
    return 0;
  },
  async which(args, { state, print }) {
    let status = args.length === 0 ? 1 : 0;
    for (const name of args) {
      const path = Object.hasOwn(BUILTINS, name) ? null : which(name, { cwd: state.cwd }, state.env.PATH);
      if (path === null) status = 1;
      await print(path === null ? `which: ${name} not found\n` : `${path}\n`);
    }
    return status;
  },
  async basename(args, { print, fail }) {
    if (args.length === 0) return await fail("usage: basename string");
    for (const arg of args) await print(`${/([^/]*)\/*$/.exec(arg)![1] || "/"}\n`);
    return 0;
  },
  async dirname(args, { print, fail }) {
    if (args.length === 0) return await fail("usage: dirname string");
    for (const arg of args) await print(`${folderOf(arg)}\n`);
    return 0;
  },
  async seq(args, { print, fail }) {
    if (args.length > 3 || args.some((arg) => /^-\D/.test(arg))) return undefined;
    if (args.length === 0) return await fail("usage: seq [first [incr]] last");
    const numbers = args.map(Number);
    if (numbers.some((number) => !Number.isFinite(number))) return await fail("seq: invalid argument");
    const last = numbers.at(-1)!;
    const first = numbers.length > 1 ? numbers[0]! : 1;
    const step = numbers.length > 2 ? numbers[1]! : first <= last ? 1 : -1;
    if (step === 0) return await fail("seq: zero increment");
    if (Math.abs((last - first) / step) > 1e7) return await fail("seq: too many numbers");
    for (let index = 0; step > 0 ? first + index * step <= last : first + index * step >= last; index++) {
      await print(`${Number((first + index * step).toPrecision(12))}\n`);
    }
    return 0;
  },
  async yes(args, { print }) {
    const lines = `${args.length === 0 ? "y" : args.join(" ")}\n`.repeat(512);
    for (;;) await print(lines);
  },
};

/** The folder part of a path, as POSIX dirname. */
function folderOf(path: string): string {
  const trimmed = path.replace(/(?<=[^/])\/+$/, "");
  if (/^\/+$/.test(trimmed)) return "/";
  const at = trimmed.lastIndexOf("/");
  return at < 0 ? "." : trimmed.slice(0, at).replace(/\/+$/, "") || "/";
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** The escapes of `echo -e`. */
function unescape(text: string): string {
  return text.replace(/\\([abefnrtv\\])/g, (_, name: string) => ESCAPES[name]!);
}
