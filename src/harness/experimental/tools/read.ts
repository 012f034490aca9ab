import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MAX_OUTPUT_BYTES } from "../../../host/runner/bound_output.ts";
import type { HarnessTool, HarnessToolContext, HarnessToolResult } from "../harness_tool.ts";
import { boundText } from "./bound_text.ts";
import { isBinary, SAMPLE_BYTES } from "./is_binary.ts";
import { type LocatedPath, locatePath } from "./locate_path.ts";
import { type OpenFile, openFile } from "./open_file.ts";
import { MAX_LINE_LENGTH, readLines } from "./read_lines.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Most lines, or entries of a folder, of one call, as in OpenCode. */
const MAX_LINES = 2_000;

/** What the lines around the content may take, beside the path, in bytes. */
const FRAME_BYTES = 300;

/** How many names are offered for one that is not there. */
const MAX_SUGGESTIONS = 3;

/** How many entries of a folder are looked at at all. */
const MAX_ENTRIES = 100_000;

const DESCRIPTION = `Reads a text file, or lists a folder, of the project or of this session's long outputs.

- Lines come as \`<number>: <text>\`. The number, the colon and the space are not in the file.
- One call gives at most ${MAX_LINES} lines and 50 KiB; \`offset\` (the first line, from 1) and \`limit\` choose which. The last
  line of the output says how to go on.
- A line is cut after ${MAX_LINE_LENGTH} characters.
- A folder's entries come one a line, folders with a \`/\` behind them.
- Binary files can't be read. Use glob to find a file, and grep to find text in files.`;

/** `read`: lines of a file, or the entries of a folder. */
export const readTool: HarnessTool = {
  name: "read",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      filePath: {
        type: "string",
        description: "The file or folder: absolute, or relative to the project's folder.",
      },
      offset: { type: "integer", minimum: 0, description: "First line or entry, from 1. Default 1." },
      limit: { type: "integer", minimum: 0, description: "Most lines or entries. Default and most: 2000." },
    },
    required: ["filePath"],
  },

  async execute(values, context) {
    const args = new ToolArguments("read", values);
    const located = await locatePath(args.someText("filePath"), context);
    const first = Math.max(args.optionalInteger("offset", 0) ?? 1, 1);
    const count = Math.min(args.optionalInteger("limit", 0) || MAX_LINES, MAX_LINES);
    const open = await openFile(located);
    if (open === undefined) throw await missing(located);
    try {
      return open.info.isDirectory()
        ? await readFolder(located, first, count, context)
        : await readText(located, open, first, count, context);
    } finally {
      await open.file.close();
    }
  },
};

async function readText(
  { shown }: LocatedPath,
  { file, info }: OpenFile,
  first: number,
  count: number,
  { signal }: HarnessToolContext,
): Promise<HarnessToolResult> {
  const sample = new Uint8Array(SAMPLE_BYTES);
  const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, 0);
  if (isBinary(sample.subarray(0, bytesRead))) {
    throw new Error(
      `Cannot read binary file: ${shown} (${info.size} bytes). Show it to the user, or convert it first.`,
    );
  }
  const maxBytes = MAX_OUTPUT_BYTES - FRAME_BYTES - byteLength(shown);
  const cost = (line: string, number: number) => byteLength(`${number}: ${line}\n`);
  const { lines, full, total } = await readLines(file, { first, count, maxBytes, cost, signal });
  if (lines.length === 0 && first > 1) {
    throw new Error(`Offset ${first} is out of range for this file (${total ?? "fewer"} lines): ${shown}`);
  }
  const last = first + lines.length - 1;
  return {
    output: framed(shown, "file", "content", [
      ...lines.map((line, index) => `${first + index}: ${line}`),
      "",
      total === last || lines.length === 0
        ? `(End of file - total ${total} lines)`
        : `(${full ? "Output capped at 50 KB. " : ""}Showing lines ${first}-${last} of ${
          total ?? `a file of ${info.size} bytes`
        }. Use offset=${last + 1} to continue.)`,
    ]),
  };
}

async function readFolder(
  { real, shown }: LocatedPath,
  first: number,
  count: number,
  context: HarnessToolContext,
): Promise<HarnessToolResult> {
  const entries = await entriesOf(real);
  const names = entries.map((entry) => entry.isDirectory() ? `${entry.name}/` : entry.name).sort();
  if (first > Math.max(names.length, 1)) {
    throw new Error(`Offset ${first} is out of range for this folder (${names.length} entries): ${shown}`);
  }
  const part = names.slice(first - 1, first - 1 + count);
  const next = first + part.length;
  return boundText(
    "read",
    framed(shown, "directory", "entries", [
      ...part,
      "",
      part.length === names.length
        ? `(${names.length} entries)`
        : `(Showing ${part.length} of ${names.length} entries.${
          next <= names.length ? ` Use offset=${next} to continue.` : ""
        })`,
    ]),
    context,
  );
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder)) {
    if (entries.push(entry) === MAX_ENTRIES) break;
  }
  return entries;
}

/** What was read, in the frame that OpenCode gives it. */
function framed(path: string, type: string, tag: string, lines: readonly string[]): string {
  return [`<path>${path}</path>`, `<type>${type}</type>`, `<${tag}>`, ...lines, `</${tag}>`].join("\n");
}

/** The error for a path that is not there, with names beside it that look alike. */
async function missing({ real, shown }: LocatedPath): Promise<Error> {
  const wanted = basename(shown).toLowerCase();
  const entries = await entriesOf(dirname(real)).catch(() => []);
  const alike = entries.map(({ name }) => name).filter((name) => {
    const other = name.toLowerCase();
    return other.includes(wanted) || wanted.includes(other);
  }).sort().slice(0, MAX_SUGGESTIONS);
  const offer = alike.map((name) => `\n${join(dirname(shown), name)}`).join("");
  return new Error(`File not found: ${shown}${offer === "" ? "" : `\n\nDid you mean one of these?${offer}`}`);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
