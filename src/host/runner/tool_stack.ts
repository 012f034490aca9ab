import { append, join, stringIncludes, stringIndexOf, stringSlice, stringStartsWith } from "./primordials.ts";

/** URL of the folder of everything of ours that a tool's worker loads, from source and in the bundle. */
const OURS = new URL("../", import.meta.url).href;

/**
 * A stack without the frames of ours and of the runtime: the author of a tool can look at the tool's alone.
 *
 * @param stack As the engine writes it: the message, then a line for each frame.
 * @param ours URL of a folder; frames in files below it are left out.
 */
export function toolStack(stack: string, ours: string = OURS): string {
  const lines: string[] = [];
  let start = 0;
  while (start <= stack.length) {
    const end = stringIndexOf(stack, "\n", start);
    const line = stringSlice(stack, start, end === -1 ? stack.length : end);
    const foreign = stringStartsWith(line, "    at ") &&
      (stringIncludes(line, ours) || stringIncludes(line, "(ext:") || stringIncludes(line, " ext:"));
    if (!foreign) append(lines, line);
    if (end === -1) break;
    start = end + 1;
  }
  return join(lines, "\n");
}
