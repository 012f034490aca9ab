import { countLines, cutOutput, isWithinBounds, outputNote } from "../../../host/runner/bound_output.ts";
import { sentenceOf } from "../../../host/runner/sentence.ts";
import { writeSpillFile } from "../../../host/runner/spill_file.ts";
import type { HarnessToolContext, HarnessToolResult } from "../harness_tool.ts";

/**
 * The result of a harness tool with this text, bounded as a hosted tool's output is (specification 2.5): what is too
 * long goes to a file in the session's spill folder, and the model gets the beginning and a note.
 *
 * @param tool Name of the tool: the start of the file's name.
 */
export function boundText(
  tool: string,
  text: string,
  { spillFolder }: Pick<HarnessToolContext, "spillFolder">,
): HarnessToolResult {
  const bytes = new TextEncoder().encode(text);
  const lines = countLines(bytes);
  if (isWithinBounds(bytes.length, lines)) return { output: text };
  let file: string | { lost: string };
  try {
    file = writeSpillFile({ folder: spillFolder, tool, json: false, bytes });
  } catch (failure) {
    file = { lost: sentenceOf(failure, "the file") };
  }
  const output = cutOutput(bytes, outputNote({ bytes: bytes.length, lines, json: false, file }));
  return typeof file === "string" ? { output, file } : { output };
}
