import { Composer, isAlias, isMap, isScalar, Lexer, type ParsedNode, Parser } from "yaml";

/** Where the parts of a manifest file stand, as far as an edit needs it. Offsets are in the text without its BOM. */
export interface Outline {
  text: string;
  /** The top-level map; absent in a file without content. */
  root?: MapOutline;
  /** Where the top-level content ends: the end of the text, or a `...` line. */
  end: number;
  /** Every comment, by where it starts. */
  comments: ReadonlySet<number>;
}

/** A map. */
export interface MapOutline {
  kind: "map";
  start: number;
  /** After its last entry; in a flow map after the `}`. */
  end: number;
  /** `{ }`. */
  flow: boolean;
  /** Column of its entries, from 0; of a flow map nothing to go by. */
  indent: number;
  entries: EntryOutline[];
}

/** One `key: value`. */
export interface EntryOutline {
  name: string;
  keyStart: number;
  keyEnd: number;
  /** After the `:`; absent for a key without one, as `{ a }` and `? a` may have. */
  colonEnd?: number;
  value: ValueOutline;
}

/** What stands behind a key. `none` = nothing at all; `other` = a list, an alias, a text in block style. */
export type ValueOutline =
  | MapOutline
  | { kind: "none" | "plain" | "single" | "double" | "alias" | "other"; start: number; end: number };

/** Outlines a text that parses as one YAML document. */
export function outline(text: string): Outline {
  const comments = commentsOf(text);
  const tokens = [...new Parser().parse(text)];
  const composer = new Composer<ParsedNode>({
    schema: "failsafe",
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
  });
  const [document] = [...composer.compose(tokens)];
  const end = tokens.find(({ type }) => type === "doc-end")?.offset ?? text.length;
  const contents = document?.contents ?? null;
  const root = contents !== null && isMap(contents) ? mapOutline(contents as ParsedMap) : undefined;
  return { text, end, comments, ...(root !== undefined && { root }) };
}

/** Control characters by which the lexer marks starts and ends; they are not in the text. */
const SCALAR = "\x1f";
const MARKS = ["\x02", "\x18", SCALAR];

function commentsOf(text: string): Set<number> {
  const comments = new Set<number>();
  let offset = 0;
  let previous = "";
  for (const lexeme of new Lexer().lex(text)) {
    if (!MARKS.includes(lexeme)) {
      // The text of a scalar may start with `#` where a comment could not.
      if (lexeme.startsWith("#") && previous !== SCALAR) comments.add(offset);
      offset += lexeme.length;
    }
    previous = lexeme;
  }
  return comments;
}

type ParsedMap = Extract<ParsedNode, { items: { key: unknown }[] }>;

function mapOutline(map: ParsedMap): MapOutline {
  const [start, end] = map.range;
  const { srcToken } = map;
  return {
    kind: "map",
    start,
    end,
    flow: map.flow ?? false,
    indent: srcToken !== undefined && "indent" in srcToken ? srcToken.indent : 0,
    entries: map.items.flatMap(({ key, value, srcToken }): EntryOutline[] => {
      if (!isScalar(key) || key.range == null) return [];
      const [keyStart, keyEnd] = key.range;
      const colon = srcToken?.sep?.find(({ type }) => type === "map-value-ind")?.offset;
      return [{
        name: key.source ?? "",
        keyStart,
        keyEnd,
        ...(colon !== undefined && { colonEnd: colon + 1 }),
        value: valueOutline(value as ParsedNode | null, keyEnd),
      }];
    }),
  };
}

function valueOutline(node: ParsedNode | null, keyEnd: number): ValueOutline {
  if (node === null) return { kind: "none", start: keyEnd, end: keyEnd };
  const [start, end] = node.range;
  if (isAlias(node)) return { kind: "alias", start, end };
  if (isMap(node)) return mapOutline(node as ParsedMap);
  if (!isScalar(node)) return { kind: "other", start, end };
  switch (node.type) {
    case "QUOTE_SINGLE":
      return { kind: "single", start, end };
    case "QUOTE_DOUBLE":
      return { kind: "double", start, end };
    case "PLAIN":
      return { kind: start === end ? "none" : "plain", start, end };
    default:
      return { kind: "other", start, end };
  }
}
