import { BeeuniError } from "../../errors/error.ts";
import type { SourceFile } from "../source_file.ts";
import type { Splice } from "./splice.ts";

/** What is in the way of an edit. */
export interface InTheWay {
  /** Where it stands. */
  offset: number;
  /** What it is, as the start of a sentence. */
  what: string;
}

/** The pieces that make an edit, or why there is none. */
export type EditPlan = { splices: Splice[] } | { inTheWay: InTheWay };

/**
 * The refusal of an edit that can't be made safely (specification 1.8): names the line, and says what to type.
 *
 * @param lines The lines to write under `tools:`.
 */
export function editRefusal(
  file: SourceFile,
  { offset, what }: InTheWay,
  lines: readonly string[],
): BeeuniError {
  const { line } = file.lines.at(offset);
  const typed = lines.map((text) => `\`${text}\``).join(", ");
  return new BeeuniError("edit_refused", `${file.path}:${line}: ${what} can't be edited safely.`, {
    hint: `Write ${typed} under \`tools:\` by hand.`,
  });
}
