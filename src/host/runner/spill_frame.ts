import type { RunnerFrame } from "../protocol.ts";
import { cutOutput, outputNote } from "./bound_output.ts";
import type { SpilledOutput } from "./messages.ts";
import { sentenceOf } from "./sentence.ts";
import { writeSpillFile } from "./spill_file.ts";

type Result = Extract<RunnerFrame, { kind: "result" }>["body"];
type Failure = Extract<RunnerFrame, { kind: "error" }>["body"];

/**
 * Keeps a whole output in a file and gives the frame that answers its call: the beginning with a note (specification
 * 2.5), also when there is no file because it could not be written.
 *
 * @param folder The session's spill folder.
 */
export function spillFrame(
  folder: string,
  tool: string,
  output: SpilledOutput,
): { frame: "result" | "error"; json: string } {
  const { bytes, lines, json, error } = output;
  let file: string | { lost: string };
  try {
    file = writeSpillFile({ folder, tool, json, bytes });
  } catch (failure) {
    file = { lost: sentenceOf(failure, "the file") };
  }
  const text = cutOutput(bytes, outputNote({ bytes: bytes.length, lines, json, file }));
  if (error !== undefined) {
    const body: Failure = { ...error, message: text };
    return { frame: "error", json: JSON.stringify(body) };
  }
  const body: Result = { output: text, truncated: true, bytes: bytes.length, lines };
  if (typeof file === "string") body.file = file;
  return { frame: "result", json: JSON.stringify(body) };
}
