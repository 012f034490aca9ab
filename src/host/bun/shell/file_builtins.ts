import type { Builtin, BuiltinContext } from "./builtins.ts";
import { absolutePath, type ShellState } from "./state.ts";
import { fileStream, pump } from "./streams.ts";

/**
 * Commands on files; each leaves options it does not know to the program of its name.
 *
 * `rm` is not among them: what removes files is the granted program, whose safeguards are older than ours could be.
 */
export const FILE_BUILTINS: Readonly<Record<string, Builtin>> = {
  async cat(args, context) {
    const { state, streams } = context;
    if (args.some((arg) => arg.startsWith("-") && arg !== "-")) return undefined;
    const copy = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => pump(stream, streams.stdout, () => {});
    if (args.length === 0) {
      if (streams.stdin !== undefined) await copy(streams.stdin);
      return 0;
    }
    return await each(args, context, "cat", async (arg) => {
      if (arg === "-") return streams.stdin === undefined ? undefined : await copy(streams.stdin);
      await copy(await fileStream(existingFile(absolutePath(arg, state))));
    });
  },
  async mkdir(args, context) {
    const read = readOptions(args, "p");
    if (read === undefined) return undefined;
    if (read.paths.length === 0) return await context.fail("usage: mkdir [-p] directory_name ...");
    return await each(read.paths, context, "mkdir", (arg) => {
      Deno.mkdirSync(absolutePath(arg, context.state), { recursive: read.options.has("p") });
    });
  },
  async touch(args, context) {
    if (args.length === 0 || args.some((arg) => arg.startsWith("-"))) return undefined;
    return await each(args, context, "touch", (arg) => {
      const path = absolutePath(arg, context.state);
      try {
        const now = new Date();
        Deno.utimeSync(path, now, now);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        Deno.writeFileSync(path, new Uint8Array(), { create: true, append: true });
      }
    });
  },
  async mv(args, context) {
    if (args.length < 2 || args.some((arg) => arg.startsWith("-"))) return undefined;
    const target = args.at(-1)!;
    const folder = isFolder(target, context.state);
    if (args.length > 2 && !folder) return await context.fail(`mv: ${target} is not a directory`);
    return await each(args.slice(0, -1), context, "mv", (arg) => {
      const name = /([^/]*)\/*$/.exec(arg)![1]!;
      Deno.renameSync(
        absolutePath(arg, context.state),
        absolutePath(folder ? `${target}/${name}` : target, context.state),
      );
    });
  },
  async ls(args, context) {
    const read = readOptions(args, "aA1");
    if (read === undefined) return undefined;
    const { state, print } = context;
    const paths = read.paths.length === 0 ? ["."] : read.paths;
    return await each(paths, context, "ls", async (arg) => {
      const path = absolutePath(arg, state);
      if (!Deno.statSync(path).isDirectory) return await print(`${arg}\n`);
      const all = read.options.has("a") || read.options.has("A");
      const names = [...Deno.readDirSync(path)].map(({ name }) => name)
        .filter((name) => all || !name.startsWith(".")).sort();
      if (read.options.has("a")) names.unshift(".", "..");
      await print((paths.length > 1 ? [`${arg}:`, ...names] : names).map((name) => `${name}\n`).join(""));
    });
  },
};

/** Splits arguments into one-letter options and paths; `undefined` when there are options besides `known`. */
function readOptions(args: string[], known: string): { options: Set<string>; paths: string[] } | undefined {
  const options = new Set<string>();
  const paths: string[] = [];
  let ended = false;
  for (const arg of args) {
    if (ended || !arg.startsWith("-") || arg === "-") paths.push(arg);
    else if (arg === "--") ended = true;
    else for (const letter of arg.slice(1)) options.add(letter);
  }
  return [...options].every((letter) => known.includes(letter)) ? { options, paths } : undefined;
}

/** Does something for each argument; a file error is a line on stderr and makes the status 1. */
async function each(
  args: string[],
  context: BuiltinContext,
  name: string,
  act: (arg: string) => Promise<void> | void,
): Promise<number> {
  let status = 0;
  for (const arg of args) {
    try {
      await act(arg);
    } catch (error) {
      const reason = fileReason(error);
      if (reason === undefined) throw error;
      status = await context.fail(`${name}: ${arg}: ${reason}`);
    }
  }
  return status;
}

/** Why a file operation failed; `undefined` for what is no file error. */
export function fileReason(error: unknown): string | undefined {
  if (error instanceof Deno.errors.NotFound) return "No such file or directory";
  if (error instanceof Deno.errors.AlreadyExists) return "File exists";
  if (error instanceof Deno.errors.IsADirectory) return "Is a directory";
  if (error instanceof Deno.errors.NotADirectory) return "Not a directory";
  return undefined;
}

function isFolder(path: string, state: ShellState): boolean {
  try {
    return Deno.statSync(absolutePath(path, state)).isDirectory;
  } catch {
    return false;
  }
}

/** The path, when it names no folder. */
function existingFile(path: string): string {
  if (path !== "/dev/null" && Deno.statSync(path).isDirectory) throw new Deno.errors.IsADirectory();
  return path;
}
