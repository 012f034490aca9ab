import { requireDaemon } from "../../daemon/client.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { projectStateDirectory } from "../open_project.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/**
 * `beeuni daemon reload`: the project's daemon reads the manifest and the modules again. Exit code 1 when a tool did
 * not load.
 *
 * @throws {BeeuniError} `no_manifest`, `daemon_not_running`, `manifest_invalid`.
 */
export async function daemonReload(
  { project, json }: CommonOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const root = findManifest(project === undefined ? {} : { project });
  const daemon = await requireDaemon(await projectStateDirectory(root));
  using _progress = output.progress("the daemon loads the tools");
  const answer = await daemon.request("POST", "/beeuni/reload");
  const changed = list<string>(answer.changed);
  const failed = list<{ name: string; error: string }>(answer.failed);
  const exitCode = failed.length > 0 ? 1 : 0;
  if (json) return { stdout: jsonDocument(answer), exitCode };
  const lines = [
    changed.length === 0 ? "no tool changed" : `changed: ${changed.join(", ")}`,
    ...failed.map(({ name, error }) => `not loaded: ${name}: ${error}`),
  ];
  return { stdout: lines.map((line) => `${line}\n`).join(""), exitCode };
}

function list<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? value : [];
}
