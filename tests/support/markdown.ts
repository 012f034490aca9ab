/** A fenced block of a Markdown text. */
export interface CodeBlock {
  language: string;
  text: string;
  /** Number of its first line of text in the file, from 1. */
  line: number;
}

/** A Markdown file taken apart, as far as tests of the documentation need it. */
export interface Markdown {
  blocks: CodeBlock[];
  /** Code spans outside the blocks. */
  spans: string[];
  /** Targets of links, as written. */
  links: string[];
  /** What a link to a heading has behind its `#`, as GitHub makes it. */
  anchors: Set<string>;
  /** Cells of the rows of its tables, trimmed; a `\|` is a bar. */
  rows: string[][];
}

/** Takes a Markdown text apart. */
export function readMarkdown(source: string): Markdown {
  const blocks: CodeBlock[] = [];
  const prose: string[] = [];
  let open: CodeBlock | undefined;
  for (const [index, line] of source.split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence === null) {
      if (open === undefined) prose.push(line);
      else open.text += `${line}\n`;
    } else if (open === undefined) {
      open = { language: fence[1] ?? "", text: "", line: index + 2 };
    } else {
      blocks.push(open);
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`the block in line ${open.line} has no end`);
  const text = prose.join("\n");
  const spans = [...text.matchAll(/(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs)].map(([, , code = ""]) =>
    code.replaceAll("\n", " ").trim()
  );
  return {
    blocks,
    spans,
    links: [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target),
    anchors: anchorsOf(prose),
    rows: prose.filter((line) => line.startsWith("|")).map((line) =>
      line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll("\\|", "|"))
    ),
  };
}

/** Lower case, without punctuation, a hyphen for each space; a second heading of the same words has `-1` behind it. */
function anchorsOf(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const line of lines) {
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}
