import { join } from "node:path";

/** How a program is started. */
export interface Program {
  program: string;
  /** Arguments before the user's. */
  first: string[];
}

const ROOT = join(import.meta.dirname!, "..");

/** `beeuni` from source. */
export const SOURCE: Program = { program: Deno.execPath(), first: ["run", "-A", join(ROOT, "main.ts")] };

/** `beeuni` as the executable: `dist/beeuni` or what `--bin` names. */
export function executable(path: string = join(ROOT, "dist", "beeuni")): Program {
  return { program: path, first: [] };
}
