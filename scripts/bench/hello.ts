import { join } from "node:path";
import type { Timed } from "./time_process.ts";

/** The smallest Deno program, whole process: the unit of most goals. */
export const HELLO: Timed = {
  program: Deno.execPath(),
  args: ["run", join(import.meta.dirname!, "../hello.ts")],
};
