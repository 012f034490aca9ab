import type { Figure } from "./figure.ts";
import type { Program } from "../program.ts";

/** Size of the executable in one file. */
export function measureSize({ program }: Program): Figure[] {
  const value = Deno.statSync(program).size / 1e6;
  return [{ what: "executable, self-extracting", value, unit: "MB", goal: { at: "most", limit: 48 } }];
}
