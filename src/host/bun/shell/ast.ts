/** A piece of a word. */
export type WordPart =
  /** Characters; unquoted ones may have a meaning (`*`, `{`, `~`). */
  | { kind: "text"; text: string; quoted: boolean }
  | { kind: "variable"; name: string }
  /** `$(…)`: unquoted, its output is split into words. */
  | { kind: "command"; script: ScriptList; quoted: boolean }
  /** An interpolated value, by its index. */
  | { kind: "value"; index: number };

export type Word = WordPart[];

export interface Redirect {
  /** What is redirected: 0 input, 1 output, 2 errors, `both` 1 and 2. */
  from: 0 | 1 | 2 | "both";
  append: boolean;
  /** A file or object, or the stream that `from` becomes a copy of. */
  to: Word | 1 | 2;
}

export type Command =
  | { kind: "simple"; assignments: { name: string; value: Word }[]; words: Word[]; redirects: Redirect[] }
  | { kind: "subshell"; script: ScriptList; redirects: Redirect[] };

/** Commands connected by pipes. */
export type Pipeline = Command[];

/** Pipelines in sequence; `when` says whether one runs after the status of the ones before. */
export type ScriptList = { when: "always" | "success" | "failure"; pipeline: Pipeline }[];
