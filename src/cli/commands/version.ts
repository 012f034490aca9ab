import { findEngine } from "../../engine/engine.ts";
import type { CommonOptions } from "../command.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/**
 * `beeuni version`: version, commit, Deno and how the program was built (specification 5.1).
 *
 * @throws {BeeuniError} `engine`
 */
export function version({ json }: CommonOptions): CommandResult {
  const { version, commit, built } = findEngine();
  const deno = Deno.version.deno;
  const stdout = json
    ? jsonDocument({ version, commit, deno, built })
    : `beeuni ${version} (commit ${commit}, Deno ${deno}, ${BUILT[built]})\n`;
  return { stdout, exitCode: 0 };
}

const BUILT = {
  source: "from source",
  "self-extracting": "self-extracting executable",
  compiled: "compiled executable",
};
