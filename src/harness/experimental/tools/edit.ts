import type { HarnessTool, HarnessToolContext } from "../harness_tool.ts";
import { withFileLock } from "./file_lock.ts";
import { type LocatedPath, locateWritable } from "./locate_path.ts";
import { type OpenFile, openFile } from "./open_file.ts";
import { replaceFile } from "./replace_file.ts";
import { replaceText } from "./replace_text.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Largest file that is edited, in bytes: the search for the place is one step of the daemon's loop. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const DESCRIPTION = `Replaces text in a file of the project.

- \`oldString\` must be in the file letter for letter, in one place only: give some lines around it. Read the place first,
  and leave out the line numbers that read puts before each line.
- \`replaceAll\` replaces it everywhere, for example to rename something.
- An empty \`oldString\` makes a new file with \`newString\` as its text.`;

/**
 * `edit`: one text for another in a file, which is then written whole or not at all. Byte order mark, line ends and
 * permission bits stay.
 */
export const editTool: HarnessTool = {
  name: "edit",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      filePath: { type: "string", description: "The file: absolute, or relative to the project's folder." },
      oldString: { type: "string", description: "The text to replace." },
      newString: { type: "string", description: "The text to put there; must differ from it." },
      replaceAll: { type: "boolean", description: "Replace every place. Default false." },
    },
    required: ["filePath", "oldString", "newString"],
  },

  async execute(values, context) {
    const args = new ToolArguments("edit", values);
    const [oldString, newString, replaceAll] = [
      args.text("oldString"),
      args.text("newString"),
      args.flag("replaceAll"),
    ];
    if (oldString === newString) {
      throw new Error("No changes to apply: oldString and newString are identical.");
    }
    const located = await locateWritable(args.someText("filePath"), context);
    return await withFileLock(located.real, async () => {
      const open = await openFile(located);
      if (open === undefined) return await make(located, oldString, newString, context);
      const before = await textOf(located, open);
      if (oldString === "") {
        throw new Error(
          `oldString is empty, but ${located.shown} exists. Give the text to replace, or use write to replace it all.`,
        );
      }
      const { bom, text } = before;
      const replaced = replaceText(text, { oldString, newString, replaceAll });
      const bytes = new TextEncoder().encode(bom + replaced.text);
      await replaceFile(located.real, bytes, { mode: open.info.mode & 0o7777, signal: context.signal });
      const places = replaced.count === 1 ? "" : ` (${replaced.count} places)`;
      return { output: `Edit applied successfully${places}.` };
    });
  },
};

async function make(
  { real, shown }: LocatedPath,
  oldString: string,
  newString: string,
  { signal }: HarnessToolContext,
): Promise<{ output: string }> {
  if (oldString !== "") {
    throw new Error(`File ${shown} not found. Use glob to find it, or write to make it.`);
  }
  await replaceFile(real, new TextEncoder().encode(newString), { mode: undefined, signal });
  return { output: "Edit applied successfully (new file)." };
}

/** The text of a file and the byte order mark before it. Closes the file. @throws {Error} When it is no text. */
async function textOf(
  { shown }: LocatedPath,
  { file, info }: OpenFile,
): Promise<{ bom: string; text: string }> {
  try {
    if (info.isDirectory()) throw new Error(`Path is a directory, not a file: ${shown}`);
    if (info.size > MAX_FILE_BYTES) {
      throw new Error(
        `${shown} is too large to edit (${info.size} bytes). Change it with a program, through bash.`,
      );
    }
    const bytes = await file.readFile();
    const text = decode(bytes);
    if (text === undefined || text.includes("\0")) {
      throw new Error(
        `${shown} can't be edited: it is not UTF-8 text. Change it with a program, through bash.`,
      );
    }
    return text.startsWith("\uFEFF") ? { bom: "\uFEFF", text: text.slice(1) } : { bom: "", text };
  } finally {
    await file.close();
  }
}

/** Bytes as text with nothing lost; `undefined` when they are no UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
