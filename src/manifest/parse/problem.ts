import type { IssueCode } from "../issue_codes.ts";

/** Something wrong in the text of one file. */
export interface Problem {
  code: IssueCode;
  message: string;
  /** Offset in UTF-16 units in the text without its BOM. */
  offset: number;
  /** The keys and indexes that lead to the place; empty = the file as a whole. */
  segments: readonly string[];
  /** Absent = an error. */
  severity?: "warning";
}
