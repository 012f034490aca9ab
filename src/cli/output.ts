import { BeeuniError } from "../errors/error.ts";
import { colorAllowed } from "./color.ts";
import { type ErrorReport, errorReport } from "./error_report.ts";
import { type Progress, startProgress } from "./progress.ts";

/** One of the two streams of a command; `Deno.stdout` and `Deno.stderr` are such. */
export interface OutputStream {
  /** Writes some of `bytes` and answers how many. */
  writeSync(bytes: Uint8Array): number;
  isTerminal(): boolean;
}

/** Options of {@link createOutput}. */
export interface OutputOptions {
  /** `--json`: results and errors are one JSON document each. */
  json?: boolean;
  stdout?: OutputStream;
  stderr?: OutputStream;
  /** Reads an environment variable; default the process's own. */
  env?: (name: string) => string | undefined;
}

/** Where a command's results and words go: the only code that writes to stdout (specification 5.1). */
export interface Output {
  /** Whether `--json` was given. */
  readonly json: boolean;
  /** Whether results on stdout may have colour: a terminal, and neither `NO_COLOR`, `CI` nor `--json`. */
  readonly color: boolean;
  /**
   * Writes a result to stdout as it is; the caller adds the final newline.
   *
   * @throws {OutputClosed} when the reader is gone (`| head`): the command ends quietly.
   */
  write(text: string): void;
  /** Writes one JSON document, indented by 2, to stdout. */
  document(value: unknown): void;
  /** Writes a line for the user to stderr; nobody listening is no error. */
  note(text: string): void;
  /** Shows on stderr that `what` goes on, once it took over a second; dispose when it is over. */
  progress(what: string): Progress;
  /**
   * Tells of an error: `beeuni: <what failed>` and `  → <what to do>` on stderr, or with `--json` the document
   * `{ error, code }` on stdout. A stack only with `BEEUNI_DEBUG=1`.
   *
   * @returns The exit code.
   */
  fail(error: unknown): number;
}

/** The reader of stdout is gone; the program ends without a word. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** The output of one run of the program. */
export function createOutput(options: OutputOptions = {}): Output {
  const { json = false, stdout = Deno.stdout, stderr = Deno.stderr, env = (name) => Deno.env.get(name) } =
    options;
  const encoder = new TextEncoder();

  function write(text: string): void {
    try {
      writeAll(stdout, encoder.encode(text));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosed("stdout is closed.");
      // A full disk behind `> file`, or no stdout at all (`>&-`): not our fault, and the user can mend it.
      const reason = error instanceof Error ? error.message.replace(/ \(os error \d+\)$/, "") : String(error);
      throw new BeeuniError("unwritable", `the output could not be written: ${reason}.`, { cause: error });
    }
  }

  function note(text: string): void {
    try {
      writeAll(stderr, encoder.encode(`${text}\n`));
    } catch {
      // stderr is closed: there is nobody to tell.
    }
  }

  return {
    json,
    color: colorAllowed({ terminal: stdout.isTerminal(), json, env }),
    write,
    document: (value) => write(`${JSON.stringify(value, null, 2)}\n`),
    note,
    progress: (what) =>
      startProgress(what, {
        animated: colorAllowed({ terminal: stderr.isTerminal(), json, env }),
        write: (text) => writeQuietly(stderr, encoder.encode(text)),
      }),
    fail: (error) => {
      if (error instanceof OutputClosed) return 0;
      const report: ErrorReport = errorReport(error, { debug: env("BEEUNI_DEBUG") === "1" });
      const inWords = () => report.lines.forEach(note);
      if (!json) inWords();
      else {
        try {
          write(`${JSON.stringify(report.document, null, 2)}\n`);
        } catch {
          // Where the document can't go, the words may.
          inWords();
        }
      }
      if (json && report.stack !== undefined) note(report.stack);
      return report.exitCode;
    },
  };
}

/** Writes all of `bytes`, also to a pipe that another process made non-blocking. */
function writeAll(stream: OutputStream, bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(stream.writeSync(rest));
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      // The pipe is full. There is no blocking write to be had for it, so wait a moment for the reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function writeQuietly(stream: OutputStream, bytes: Uint8Array): void {
  try {
    stream.writeSync(bytes);
  } catch {
    // A spinner that can't be drawn is no loss.
  }
}
