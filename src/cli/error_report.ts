import { BeeuniError } from "../errors/error.ts";
import { escapeControls } from "../log/escape_controls.ts";

/** How an error is told to the user of a command (specification 5.1). */
export interface ErrorReport {
  /** What `--json` prints: a sentence, a stable word, and the details that belong to it. */
  document: { error: string; code: string } & Record<string, unknown>;
  /** Lines for stderr. */
  lines: string[];
  /** The stack and its causes, only when debugging. */
  stack?: string;
  exitCode: number;
}

/**
 * What to tell of `error`.
 *
 * Anything but a `BeeuniError` is our own fault: the user gets one sentence without a path or a name of ours.
 *
 * @param options.debug Whether `BEEUNI_DEBUG=1` is set: only then is there a stack.
 */
export function errorReport(error: unknown, options: { debug?: boolean } = {}): ErrorReport {
  const known = error instanceof BeeuniError ? error : unexpected(error);
  const lines = [`beeuni: ${printable(known.message)}`];
  if (known.hint !== undefined) lines.push(`  → ${printable(known.hint)}`);
  const report: ErrorReport = {
    document: { error: known.message, code: known.code, ...known.details },
    lines,
    exitCode: known.exitCode,
  };
  if (options.debug) {
    report.stack = stackOf(known);
    lines.push(report.stack);
  }
  return report;
}

function unexpected(cause: unknown): BeeuniError {
  return new BeeuniError("internal", "something went wrong inside beeuni.", {
    hint: "Run it again with BEEUNI_DEBUG=1 and report what it prints.",
    cause,
  });
}

/** A message may come from a tool: it must not move the cursor. Its line breaks stay. */
function printable(text: string): string {
  return text.split(/\r?\n/).map(escapeControls).join("\n");
}

/** The stack of an error and of every error behind it. */
function stackOf(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error; at !== undefined && parts.length < 10;) {
    parts.push(at instanceof Error ? at.stack ?? String(at) : String(at));
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.join("\ncaused by: ");
}
