import { join } from "node:path";

/** How `beeuni` is started. */
export interface Program {
  program: string;
  /** Arguments before the user's. */
  first: string[];
}

const ROOT = join(import.meta.dirname!, "../..");

/** The program from source. */
export const SOURCE: Program = { program: Deno.execPath(), first: ["run", "-A", join(ROOT, "main.ts")] };

/** The executable, `dist/beeuni` or what `--bin` names. */
export function executable(path: string = join(ROOT, "dist", "beeuni")): Program {
  return { program: path, first: [] };
}

/** The smallest Deno program, whole process: the unit of most goals. */
export const HELLO = { program: Deno.execPath(), args: ["run", join(import.meta.dirname!, "hello.ts")] };
