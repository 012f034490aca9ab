import { escapeControls } from "../../log/escape_controls.ts";
import type { CommonOptions } from "../command.ts";
import { readSessions, sessionProject } from "../sessions/open_sessions.ts";
import type { SessionAnswer } from "../sessions/session_source.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/**
 * `beeuni sessions ls`: the project's sessions, the newest first; read from the daemon that runs, else from what it
 * left (specification 4.4).
 *
 * @throws {BeeuniError} `no_manifest`, `state_newer`, `state_database`.
 */
export async function sessionsLs(options: CommonOptions): Promise<CommandResult> {
  const sessions = await readSessions(await sessionProject(options), (source) => source.list());
  return { stdout: options.json ? jsonDocument({ sessions }) : table(sessions), exitCode: 0 };
}

/** Columns as wide as their longest cell and two spaces more; the last one needs no padding. */
function table(sessions: readonly SessionAnswer[]): string {
  if (sessions.length === 0) return "(no sessions)\n";
  const rows = [
    ["ID", "STATE", "AGENT", "HARNESS", "UPDATED", "TITLE"],
    ...sessions.map(({ id, state, questions, agent, harness, updated, title }) => [
      id,
      questions.length > 0 ? "asks" : state,
      agent,
      harness,
      updated.replace(/\.\d+Z$/, "Z"),
      escapeControls(title),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2) ??
    [];
  return rows.map((row) =>
    `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("").trimEnd()}\n`
  )
    .join("");
}
