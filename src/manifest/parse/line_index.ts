/** Turns offsets in a text into lines and columns; a place is never outside the text. */
export class LineIndex {
  readonly #text: string;
  #starts: number[] | undefined;

  /** @param text The text without its BOM: editors don't count it as a column. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Line and column, both from 1, of an offset in UTF-16 units; an offset past the end is the end. */
  at(offset: number): { line: number; column: number } {
    const starts = this.#starts ??= lineStarts(this.#text);
    const inside = Math.max(0, Math.min(offset, this.#lastPlace()));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: inside - starts[low]! + 1 };
  }

  /** Where the last line ends: a final line break starts no line. */
  #lastPlace(): number {
    let end = this.#text.length;
    if (this.#text[end - 1] === "\n") end--;
    if (this.#text[end - 1] === "\r") end--;
    return end;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
