/** A string, or a comment. */
const STRING_OR_COMMENT = /"(?:[^"\\]+|\\[^])*"?|\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** A string, or a comma after a value and before a closing bracket. */
const STRING_OR_TRAILING_COMMA = /"(?:[^"\\]+|\\[^])*"?|(?<![[{,:]\s*),(?=\s*[\]}])/g;

/**
 * Parses JSON with comments and trailing commas, as Bun's `jsonc` loader does (`.jsonc`, `package.json`,
 * `tsconfig.json`, `jsconfig.json`).
 *
 * Comments and trailing commas become spaces, so the positions in a SyntaxError are those of the file.
 *
 * @throws {SyntaxError} where the text is not JSON.
 */
export function parseJsonc(text: string): unknown {
  const blank = (part: string) => part.startsWith('"') ? part : part.replace(/[^\r\n]/g, " ");
  return JSON.parse(text.replace(STRING_OR_COMMENT, blank).replace(STRING_OR_TRAILING_COMMA, blank));
}
