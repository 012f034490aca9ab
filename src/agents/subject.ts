/** One thing a call touches: what the pattern of a permission rule is compared with. */
export interface Subject {
  /** As a person reads it: a command, a repo-relative path, a URL, a query, a name; `*` where there is nothing. */
  text: string;
  /**
   * What it is for certain, with `UNKNOWN` for each part that is only known when the call runs. A pattern fits when it
   * fits all of them.
   */
  forms: readonly string[];
  /** For a pattern with quotes in it: the text as it was written. */
  quoted?: string;
  /** What it may turn out to be: a stricter pattern that may fit one of them decides too. */
  maybe: readonly string[];
}

/** A subject that is fully known. */
export function knownSubject(text: string): Subject {
  return { text, forms: [text], maybe: [] };
}
