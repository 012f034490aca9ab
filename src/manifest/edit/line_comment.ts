import { lineEnd, lineStart } from "./lines.ts";
import type { Outline } from "./outline.ts";
import type { Splice } from "./splice.ts";

/**
 * Puts a comment at the end of a line, two spaces behind what it says, in place of the line's own comment.
 *
 * @param at An offset on the line.
 * @param comment The comment with its `#`.
 */
export function setLineComment({ text, comments }: Outline, at: number, comment: string): Splice {
  const end = lineEnd(text, at);
  let contentEnd = end;
  for (let offset = text.indexOf("#", lineStart(text, at)); offset !== -1 && offset < end;) {
    if (comments.has(offset)) {
      contentEnd = offset;
      break;
    }
    offset = text.indexOf("#", offset + 1);
  }
  while (contentEnd > at && /[ \t]/.test(text[contentEnd - 1] ?? "")) contentEnd--;
  return { start: contentEnd, end, text: `  ${comment}` };
}
