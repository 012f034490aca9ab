import { realpath, stat } from "node:fs/promises";
import type { HarnessTool, HarnessToolContext } from "../harness_tool.ts";
import { boundText } from "./bound_text.ts";
import { locatePath } from "./locate_path.ts";
import { runSearch } from "./run_search.ts";
import type { LineMatch } from "./search/messages.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Most lines of one call, as in OpenCode. */
const MAX_MATCHES = 100;

/** Longest pattern, in characters. */
const MAX_PATTERN = 10_000;

const DESCRIPTION =
  `Finds lines in text files of the project, or of this session's long outputs, by a regular expression.

- The pattern is one of JavaScript and is held against each line by itself; \`(?i)\` at its start ignores case.
- \`include\` takes only some files, such as \`*.ts\` or \`src/**/*.{js,jsx}\`. \`path\` is a folder or one file.
- Files that .gitignore names and binary files are left out.
- Gives path, line number and line, at most ${MAX_MATCHES} lines; a line is cut after 2000 characters.`;

/** `grep`: lines that a regular expression fits. */
export const grepTool: HarnessTool = {
  name: "grep",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The regular expression." },
      path: {
        type: "string",
        description: "Folder or file to search in. Leave it out to search the whole project.",
      },
      include: { type: "string", description: "Pattern of the files to search in." },
    },
    required: ["pattern"],
  },

  async execute(values, context) {
    const args = new ToolArguments("grep", values);
    const pattern = args.text("pattern");
    if (pattern === "") throw new Error("pattern is required: give a regular expression.");
    const include = args.optionalText("include") || undefined;
    if (pattern.length + (include?.length ?? 0) > MAX_PATTERN) {
      throw new Error("The pattern is too long. Give a shorter one.");
    }
    const { real, shown } = await locatePath(args.optionalText("path") || ".", context);
    const info = await stat(real).catch(() => undefined);
    if (info === undefined) throw new Error(`grep path does not exist: ${shown}`);
    if (!info.isDirectory() && !info.isFile()) {
      throw new Error(`grep path must be a folder or a file: ${shown}`);
    }
    const realRoot = await realpath(context.root);
    const answer = await runSearch({
      kind: "grep",
      root: realRoot,
      start: real,
      pattern,
      limit: MAX_MATCHES,
      ...(include === undefined ? {} : { include }),
    }, { readable: [realRoot, ...await realSpill(context)], signal: context.signal });
    if ("error" in answer) throw new Error(`The pattern is no regular expression: ${answer.error}`);
    if (!("matches" in answer)) throw new Error("The search failed. Give another pattern.");
    if (answer.matches.length === 0) return { output: "No files found" };
    return boundText("grep", told(answer.matches, answer.more, shown), context);
  },
};

async function realSpill({ spillFolder }: HarnessToolContext): Promise<string[]> {
  const real = await realpath(spillFolder).catch(() => undefined);
  return real === undefined ? [] : [real];
}

/** The lines by file, as OpenCode lists them. */
function told(matches: readonly LineMatch[], more: boolean, shown: string): string {
  const parts = [
    `Found ${matches.length} ${matches.length === 1 ? "match" : "matches"}${
      more ? " (more matches available)" : ""
    }`,
  ];
  for (const [path, lines] of Map.groupBy(matches, (match) => match.path)) {
    parts.push(path === "" ? `${shown}:` : `${shown}/${path}:`);
    parts.push(...lines.map(({ line, text }) => `  Line ${line}: ${text}`), "");
  }
  if (more) parts.push("(There are more. Give a narrower pattern, a path or include to see others.)");
  return parts.join("\n").trimEnd();
}
