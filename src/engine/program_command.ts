import { outerEnvironment } from "./environment.ts";
import { DENO_FLAGS } from "./program_flags.ts";
import type { Engine } from "./types.ts";

/** How this program is started once more. */
export interface ProgramCommand {
  /** Absolute path. */
  program: string;
  /** Arguments before the user's. */
  first: string[];
  /** Variables to add to our own. */
  env: Record<string, string>;
}

/**
 * How this program is started once more, in the form it has now: from source, or as one of the two executables
 * (specification 5.2). The shell header of the self-extracting form is passed over: its file may be gone, and what it
 * unpacked is there.
 *
 * @param engine As `findEngine` gives it.
 * @param get Reads an environment variable.
 */
export function programCommand(
  engine: Pick<Engine, "built" | "deno" | "directory">,
  get: (name: string) => string | undefined,
): ProgramCommand {
  const { built, deno, directory } = engine;
  if (built === "compiled") return { program: Deno.execPath(), first: [], env: {} };
  const folder = directory.replace(/\/[^/]+$/, "");
  if (built === "source") return { program: deno, first: ["run", "-A", `${folder}/main.ts`], env: {} };
  return {
    program: deno,
    first: ["run", ...DENO_FLAGS, `${folder}/main.js`],
    env: outerEnvironment(get, { DENO_DIR: `${folder}/deno_dir`, DENO_NO_UPDATE_CHECK: "1" }),
  };
}
