/** What the search program is asked, as JSON in its first argument. */
export type SearchRequest = GlobRequest | GrepRequest;

interface CommonRequest {
  /** Real path of the checkout. */
  root: string;
  /** Real path of the folder, or for `grep` the file, to search in. */
  start: string;
  /** Most results. */
  limit: number;
}

/** Which files are there? */
export interface GlobRequest extends CommonRequest {
  kind: "glob";
  pattern: string;
}

/** Which lines fit? */
export interface GrepRequest extends CommonRequest {
  kind: "grep";
  pattern: string;
  /** Only files that this pattern fits. */
  include?: string;
}

/** A line that fits. */
export interface LineMatch {
  /** Relative to `start`; `""` when that is the file. */
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

/** What it answers, as JSON on stdout. */
export type SearchAnswer =
  | { files: string[]; more: boolean }
  | { matches: LineMatch[]; more: boolean }
  /** The pattern is none. */
  | { error: string };
