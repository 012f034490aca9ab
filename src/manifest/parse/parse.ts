import { Composer, type CST, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import type { LineIndex } from "./line_index.ts";
import { locate } from "./locate.ts";
import type { LocatedMap } from "./located.ts";
import type { Problem } from "./problem.ts";
import { yamlSentence } from "./yaml_errors.ts";

/** Levels of maps and lists a manifest file may have. */
export const MAX_NESTING = 100;

/**
 * Words and signs a manifest file may have: an entry of a map has seven. A megabyte of commas would keep the YAML
 * library busy for ten seconds.
 */
export const MAX_TOKENS = 200_000;

/** What one manifest file says. */
export interface ParsedText {
  /** The top-level map, an empty one for a file without content; absent when the file can't be used at all. */
  root?: LocatedMap;
  problems: Problem[];
}

/**
 * Parses the text of one manifest file as YAML 1.2 (specification 1.1). Never throws.
 *
 * Of the syntax errors only the first is given: what follows it is usually its consequence.
 *
 * @param text The text without a BOM.
 * @param lines Its lines.
 */
export function parseManifestText(text: string, lines: LineIndex): ParsedText {
  const broken = (code: Problem["code"], offset: number, message: string): ParsedText => ({
    problems: [{ code, message, offset, segments: [] }],
  });
  const { tokens, tooLongAt } = tokenize(text);
  if (tooLongAt !== undefined) {
    return broken(
      "file_too_large",
      tooLongAt,
      "The file has too many values up to here: split it with `imports`.",
    );
  }
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    return broken("too_deep", deep, `The file is nested more than ${MAX_NESTING} levels deep.`);
  }

  // The failsafe schema leaves every scalar as text: types follow from the text alone (core_schema.ts), whatever
  // version a `%YAML` directive asks for. Duplicate keys are found by name in locate.ts, in linear time.
  const composer = new Composer<ParsedNode>({
    schema: "failsafe",
    resolveKnownTags: false,
    uniqueKeys: false,
  });
  let document: Document.Parsed | undefined;
  for (const next of composer.compose(tokens, true, text.length)) {
    if (document !== undefined) {
      const second = tokens.filter((token) => token.type === "document")[1];
      const message =
        "A second YAML document starts here: a manifest file holds one, so remove the `---` or `...`.";
      return broken("several_documents", second?.offset ?? 0, message);
    }
    const error = next.errors[0];
    if (error !== undefined) return broken("syntax", error.pos[0], yamlSentence(error.code, error.message));
    document = next;
  }

  const { root, problems } = locate(document?.contents ?? null, lines);
  if (root.kind === "map") return { root, problems };
  if (root.kind === "scalar" && root.start === root.end) {
    return {
      root: { kind: "map", start: 0, end: 0, entries: new Map(), data: Object.create(null) },
      problems,
    };
  }
  return broken("not_a_map", root.start, "The top level must be a map of keys, such as `tools:`.");
}

/** The parser's tokens, or where the text has more than {@link MAX_TOKENS}. */
function tokenize(text: string): { tokens: CST.Token[]; tooLongAt?: number } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > MAX_TOKENS) return { tokens, tooLongAt: offset };
    // The lexer marks starts and ends by single control characters that are not in the text.
    if (lexeme !== "\x02" && lexeme !== "\x18" && lexeme !== "\x1f") offset += lexeme.length;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

/** Any of the parser's tokens that may hold others. */
interface Nested {
  offset?: number;
  items?: readonly Nested[];
  key?: Nested | null;
  value?: Nested | string | null;
}

/** Where the tokens go deeper than {@link MAX_NESTING}; without recursion, so that 10,000 levels are no problem. */
function tooDeep(tokens: readonly object[]): number | undefined {
  const stack: [token: Nested, depth: number][] = tokens.map((token) => [token, 0]);
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [token, depth] = top;
    if (token.items !== undefined) {
      if (depth >= MAX_NESTING) return token.offset ?? 0;
      for (const item of token.items) stack.push([item, depth + 1]);
    }
    if (token.key) stack.push([token.key, depth]);
    if (typeof token.value === "object" && token.value !== null) stack.push([token.value, depth]);
  }
  return undefined;
}
