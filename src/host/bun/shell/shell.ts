import { type BunOptions, runRefusal } from "../bun_options.ts";
import { builtin } from "../builtin.ts";
import { braces } from "./braces.ts";
import { parseScript } from "./parse.ts";
import { initialState, ScriptRun } from "./run.ts";
import { scriptOf } from "./script.ts";
import { ShellError, ShellOutput } from "./shell_output.ts";
import { ShellPromise, type ShellSettings } from "./shell_promise.ts";
import { Capture } from "./streams.ts";

/** `Bun.$`, or an instance of `$.Shell`. */
export interface Shell {
  (strings: TemplateStringsArray, ...expressions: unknown[]): ShellPromise;
  /** Sets the environment of the scripts to come; the tool's own without an argument. */
  env(variables?: Record<string, string | undefined>): this;
  /** Sets the working directory of the scripts to come; that of the process without an argument. */
  cwd(path?: string): this;
  nothrow(): this;
  throws(shouldThrow: boolean): this;
  braces(pattern: string): string[];
  escape(text: string): string;
  /** Makes another one, with defaults of its own. */
  Shell: new () => object;
  ShellPromise: typeof ShellPromise;
  ShellError: typeof ShellError;
}

/** Characters that Bun's `$.escape` puts a text into quotes for. */
const SPECIAL = /[\b\t\n\r "#$&'()*,0-9:;<=>?[\\\]`{|}~]/;

/**
 * Makes `Bun.$`: a shell of its own that starts programs directly and never hands text to the system's.
 *
 * It runs simple commands, pipelines, `&&`, `||`, `;`, `( )`, redirections, quotes, variables, `$(…)`, `*`, `**` and
 * braces, and refuses the rest (`if`, loops, functions, here-documents, `&`) by name. A few commands on files and text
 * are its own, as with Bun, with the tool's rights.
 *
 * Without a right to run, each use throws the sentence that names the setting; with one, Deno decides about each program.
 */
export function shell(options: BunOptions): Shell {
  const defaults: ShellSettings = { cwd: undefined, env: undefined, throws: true, quiet: false };

  const run = (strings: TemplateStringsArray, ...expressions: unknown[]): ShellPromise => {
    if (!Array.isArray(strings) || !Array.isArray(strings.raw)) {
      throw new Error("Please use '$' as a tagged template function: $`cmd arg1 arg2`");
    }
    if (!options.run) throw runRefusal(options);
    const script = scriptOf(strings.raw, expressions);
    const list = parseScript(script.text);
    return new ShellPromise({ ...defaults }, async (settings) => {
      const cwd = settings.cwd === undefined ? Deno.cwd() : folder(settings.cwd);
      const state = initialState(options, cwd, settings.env ?? options.env);
      const capture = (name: "stdout" | "stderr") =>
        new Capture(settings.quiet ? undefined : (chunk) => void Deno[name].writeSync(chunk));
      const [stdout, stderr] = [capture("stdout"), capture("stderr")];
      const exitCode = await new ScriptRun(script.values).script(list, state, {
        stdin: undefined,
        stdout,
        stderr,
      });
      return new ShellOutput(stdout.bytes(), stderr.bytes(), exitCode);
    });
  };

  const made: Shell = Object.assign(run, {
    env(variables?: Record<string, string | undefined>) {
      defaults.env = variables;
      return made;
    },
    cwd(path?: string) {
      defaults.cwd = path;
      return made;
    },
    nothrow: () => made.throws(false),
    throws(shouldThrow: boolean) {
      defaults.throws = shouldThrow;
      return made;
    },
    braces,
    escape: (text: string) =>
      text === "" || SPECIAL.test(text) ? `"${text.replace(/["$`\\]/g, "\\$&")}"` : text,
    Shell: class {
      constructor() {
        return shell(options);
      }
    },
    ShellPromise,
    ShellError,
  });
  return made;
}

/** The absolute path of a folder that exists; links in it stay, since rights are about paths as they are written. */
function folder(path: string): string {
  const absolute = path.startsWith("/") ? path : builtin("node:path").resolve(path);
  try {
    if (Deno.statSync(absolute).isDirectory) return absolute;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw Object.assign(new Error(`No such file or directory: ${path}`), { code: "ENOENT" });
}
