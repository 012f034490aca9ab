/**
 * JSON with comments and commas before a closing bracket, as OpenCode reads its `opencode.json`.
 *
 * @throws {SyntaxError}
 */
export function parseJsonc(text: string): unknown {
  // A string, or what is to go: a comment, or a comma with only comments and blanks before a closing bracket.
  const plain = text.replace(/^\uFEFF/, "").replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string: string | undefined) => string ?? " ",
  );
  return JSON.parse(
    plain.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? ""),
  );
}
