import { opencodeProgram } from "../../scripts/opencode_program.ts";

let program: Promise<string> | undefined;

/** Path of the real OpenCode, looked for once in a test module; see {@link opencodeProgram}. */
export function opencode(): Promise<string> {
  return program ??= opencodeProgram();
}
