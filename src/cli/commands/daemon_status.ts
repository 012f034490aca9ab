import { findDaemon } from "../../daemon/client.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import type { CommonOptions } from "../command.ts";
import { projectStateDirectory } from "../open_project.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/**
 * `beeuni daemon status`: whether the project's daemon runs, where, and where its key is. Exit code 1 when it does not.
 *
 * @throws {BeeuniError} `no_manifest`, and what asking the daemon throws.
 */
export async function daemonStatus({ project, json }: CommonOptions): Promise<CommandResult> {
  const root = findManifest(project === undefined ? {} : { project });
  const state = await projectStateDirectory(root);
  const daemon = await findDaemon(state);
  if (daemon === undefined) {
    return {
      stdout: json ? jsonDocument({ running: false, state }) : "no daemon runs for this project\n",
      exitCode: 1,
    };
  }
  const { status, version, tools, failed } = await daemon.request("GET", "/beeuni/health");
  const { url, pid } = daemon;
  const stdout = json
    ? jsonDocument({ running: true, url, pid, status, version, tools, failed, state })
    : `${url}  ${status}, process ${pid}, ${tools} tools, ${failed} failed\nstate   ${state}\n`;
  return { stdout, exitCode: 0 };
}
