import { BeeuniError } from "../errors/error.ts";

/** What to tell when a newer Beeuni wrote the state database. */
export function newerDatabase(path: string, found: number, known: number): BeeuniError {
  return new BeeuniError(
    "state_newer",
    `the state database ${path} is from a newer version of beeuni: its schema has version ${found}, and this beeuni ` +
      `knows versions up to ${known}.`,
    { hint: "Use the newer beeuni, or set BEEUNI_STATE_DIR to another folder. Nothing was changed." },
  );
}

/**
 * What SQLite threw as one of our errors: `node:sqlite` gives no number on Deno 2.9.6, only SQLite's own words.
 *
 * An error that is one of ours stays what it is.
 */
export function stateError(path: string, cause: unknown): BeeuniError {
  if (cause instanceof BeeuniError) return cause;
  const words = cause instanceof Error ? cause.message : String(cause);
  if (/malformed|not a database|no such table|no such column/.test(words)) {
    return new BeeuniError("state_database", `the state database ${path} is damaged: ${words}.`, {
      hint: "Restore it from a backup, or move it away and set the secrets again.",
      cause,
    });
  }
  if (/is locked|is busy/.test(words)) {
    return new BeeuniError("state_database", `the state database ${path} is in use by another process.`, {
      hint: "Run the command again in a moment.",
      cause,
    });
  }
  if (/readonly|unable to open|full|I\/O error|Permission denied|os error/.test(words)) {
    return new BeeuniError("unwritable", `the state database ${path} can't be used: ${systemWords(words)}.`, {
      hint: "Make the folder writable for you, or set BEEUNI_STATE_DIR to another one.",
      cause,
    });
  }
  return new BeeuniError("state_database", `the state database ${path} can't be used: ${words}.`, { cause });
}

/** Without the path that SQLite repeats, and without the operation and the number that Deno adds. */
function systemWords(words: string): string {
  return words.replace(/: \/.*$/s, "").replace(/ \(os error \d+\).*$/s, "").toLowerCase();
}
