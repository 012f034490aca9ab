import { realpath, stat } from "node:fs/promises";
import type { HarnessTool } from "../harness_tool.ts";
import { boundText } from "./bound_text.ts";
import { locatePath } from "./locate_path.ts";
import { runSearch } from "./run_search.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Most files of one call, as in OpenCode. */
const MAX_FILES = 100;

/** Longest pattern, in characters. */
const MAX_PATTERN = 10_000;

const DESCRIPTION =
  `Finds files of the project by a pattern of their path, such as \`**/*.ts\` or \`src/**/*.{js,jsx}\`.

- A pattern without a slash fits names in every folder. \`*\` and \`?\` don't fit a slash, \`**\` fits any folders.
- Files that .gitignore names and hidden files are left out; a pattern that names a hidden one finds it.
- Gives absolute paths in the order of their names, at most ${MAX_FILES}.`;

/** `glob`: paths of files that a pattern fits. */
export const globTool: HarnessTool = {
  name: "glob",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The pattern." },
      path: { type: "string", description: "Folder to search in. Leave it out to search the whole project." },
    },
    required: ["pattern"],
  },

  async execute(values, context) {
    const args = new ToolArguments("glob", values);
    const pattern = args.text("pattern");
    if (pattern.length > MAX_PATTERN) throw new Error("The pattern is too long. Give a shorter one.");
    const { root, directory, signal } = context;
    const { real, shown } = await locatePath(args.optionalText("path") || ".", { root, directory });
    const info = await stat(real).catch(() => undefined);
    if (info === undefined) throw new Error(`glob path does not exist: ${shown}`);
    if (!info.isDirectory()) throw new Error(`glob path must be a directory: ${shown}`);
    const realRoot = await realpath(root);
    // An absolute pattern of the folder itself says what a relative one does.
    const relative = [shown, real].map((folder) => `${folder}/`).find((folder) => pattern.startsWith(folder));
    const answer = await runSearch({
      kind: "glob",
      root: realRoot,
      start: real,
      pattern: relative === undefined ? pattern : pattern.slice(relative.length - 1),
      limit: MAX_FILES,
    }, { readable: [realRoot], signal });
    if (!("files" in answer)) throw new Error("The search failed. Give another pattern.");
    if (answer.files.length === 0) return { output: "No files found" };
    const lines = answer.files.map((file) => `${shown}/${file}`);
    if (answer.more) {
      lines.push("", `(Only the first ${MAX_FILES} files. Give a narrower pattern or a path to see others.)`);
    }
    return boundText("glob", lines.join("\n"), context);
  },
};
