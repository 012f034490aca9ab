import type { HarnessTool } from "../harness_tool.ts";
import { withFileLock } from "./file_lock.ts";
import { locateWritable } from "./locate_path.ts";
import { openFile } from "./open_file.ts";
import { replaceFile } from "./replace_file.ts";
import { ToolArguments } from "./tool_arguments.ts";

const DESCRIPTION =
  `Writes a whole file of the project; one that is there is replaced, folders on the way are made.

- To change a part of a file use edit. Read a file before you replace it.
- What is in .git can't be written.`;

/** UTF-8's byte order mark. */
const BOM = "\uFEFF";
const BOM_BYTES = [0xef, 0xbb, 0xbf];

/**
 * `write`: a whole file, or nothing of it. A file that began with a byte order mark still does.
 */
export const writeTool: HarnessTool = {
  name: "write",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      content: { type: "string", description: "The whole text of the file." },
      filePath: { type: "string", description: "The file: absolute, or relative to the project's folder." },
    },
    required: ["content", "filePath"],
  },

  async execute(values, context) {
    const args = new ToolArguments("write", values);
    const content = args.text("content");
    const located = await locateWritable(args.someText("filePath"), context);
    return await withFileLock(located.real, async () => {
      const open = await openFile(located);
      let mode: number | undefined;
      let hadBom = false;
      if (open !== undefined) {
        try {
          if (open.info.isDirectory()) throw new Error(`Path is a directory, not a file: ${located.shown}`);
          mode = open.info.mode & 0o7777;
          const start = new Uint8Array(BOM_BYTES.length);
          await open.file.read(start, 0, start.length, 0);
          hadBom = start.every((byte, index) => byte === BOM_BYTES[index]);
        } finally {
          await open.file.close();
        }
      }
      const text = hadBom && !content.startsWith(BOM) ? BOM + content : content;
      await replaceFile(located.real, new TextEncoder().encode(text), { mode, signal: context.signal });
      return {
        output: open === undefined ? "Wrote file successfully (new file)." : "Wrote file successfully.",
      };
    });
  },
};
