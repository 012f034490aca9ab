/** A piece of a text, and what stands there instead. */
export interface Splice {
  /** Offsets in UTF-16 units; `start` = `end` inserts. */
  start: number;
  end: number;
  text: string;
}

/** The text with each piece replaced; the rest stays as it is. The pieces must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (
    const { start, end, text: replacement } of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
  ) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
