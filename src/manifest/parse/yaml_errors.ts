/** Our sentence for each kind of YAML error; the library's own text never reaches the user. */
const SENTENCES: readonly (readonly [code: string, text: RegExp | undefined, sentence: string])[] = [
  ["ALIAS_PROPS", undefined, "An alias (`*name`) can't have an anchor or a tag of its own."],
  ["BAD_ALIAS", undefined, "An anchor or alias needs a name, and the name can't end in `:`."],
  ["BAD_COLLECTION_TYPE", undefined, "The tag doesn't fit what follows it: remove the tag."],
  ["BAD_DIRECTIVE", undefined, "The `%` directive is malformed: remove the line."],
  [
    "BAD_DQ_ESCAPE",
    undefined,
    "The text in double quotes has an unknown escape: write `\\\\` for a backslash, or use single quotes.",
  ],
  [
    "BAD_INDENT",
    /flow (?:map|sequence|collection)/i,
    "The `{` or `[` is not closed, or its lines are not indented enough.",
  ],
  ["BAD_INDENT", undefined, "The indentation doesn't fit: entries of one block start in the same column."],
  ["BAD_PROP_ORDER", undefined, "An anchor or a tag must come after the `-`, `?` or `:`."],
  ["BAD_SCALAR_START", undefined, "A value can't start with this character: put the value in quotes."],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    undefined,
    "A map or list can't start here: indent the lines below like their neighbours, " +
    "put it on a line of its own, or put a value that holds `: ` in quotes.",
  ],
  ["BLOCK_IN_FLOW", undefined, "A block can't stand inside `{ }` or `[ ]`: close the bracket first."],
  ["KEY_OVER_1024_CHARS", undefined, "A key can have at most 1,024 characters."],
  ["MISSING_CHAR", /closing/, "The quote is not closed."],
  ["MISSING_CHAR", /followed by map values/, "A `:` with a space after it is missing behind this key."],
  ["MISSING_CHAR", /[Cc]omments? must be separated/, "A `#` comment needs a space before it."],
  ["MISSING_CHAR", /must end with/, "The `{` or `[` is not closed."],
  ["MISSING_CHAR", /Missing ,/, "A comma is missing between two entries."],
  ["MISSING_CHAR", /without - indicator/, "A `- ` is missing in front of this list entry."],
  [
    "MISSING_CHAR",
    /directives-end/,
    "A `---` line is missing after the `%` directive: remove the directive.",
  ],
  ["MISSING_CHAR", undefined, "A space, a line break or a `:` is missing here."],
  ["MULTILINE_IMPLICIT_KEY", undefined, "A key must be on one line, with a `:` and a space after it."],
  ["MULTIPLE_ANCHORS", undefined, "A value can have one anchor only."],
  ["MULTIPLE_TAGS", undefined, "A value can have one tag only."],
  ["RESOURCE_EXHAUSTION", undefined, "The file is nested too deeply."],
  ["TAB_AS_INDENT", undefined, "A tab can't indent a line: use spaces."],
  ["TAG_RESOLVE_FAILED", undefined, "The tag doesn't fit its value: remove the tag."],
  ["UNEXPECTED_TOKEN", undefined, "This can't stand here: check quotes, brackets and indentation above it."],
];

/**
 * A sentence for an error of the YAML library.
 *
 * @param code The library's stable code.
 * @param text The library's message, used only to tell apart what one code covers.
 */
export function yamlSentence(code: string, text: string): string {
  const row = SENTENCES.find(([known, pattern]) => known === code && (pattern?.test(text) ?? true));
  return row?.[2] ?? "This is not valid YAML: check quotes, brackets and indentation above it.";
}
