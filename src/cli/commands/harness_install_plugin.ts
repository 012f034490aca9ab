import { prepareStateFolder } from "../../daemon/state_folder.ts";
import { installPlugin } from "../../harness/standard/install_plugin.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { givenPath } from "../open_project.ts";
import { sessionProject } from "../sessions/open_sessions.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link harnessInstallPlugin}. */
export interface InstallPluginCommandOptions extends CommonOptions {
  /** Folder for the plugin; relative to the working directory. */
  dir?: string;
}

/**
 * `beeuni harness install-plugin`: writes only the plugin, for an OpenCode server that somebody else starts
 * (specification 4.1). It brings the project's tools for as long as the project's daemon runs.
 *
 * @throws {BeeuniError} `no_manifest`, `unwritable`.
 */
export async function harnessInstallPlugin(
  options: InstallPluginCommandOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const { root, stateDir } = await sessionProject(options);
  await prepareStateFolder(stateDir);
  const dir = givenPath(options.dir);
  const installed = await installPlugin({
    root,
    stateDir,
    env: (name) => Deno.env.get(name),
    ...(dir === undefined ? {} : { dir }),
  });
  if (options.json) return { stdout: jsonDocument(installed), exitCode: 0 };
  output.note("beeuni: the tools are there while the project's daemon runs: `beeuni daemon`.");
  return { stdout: `${installed.plugin}\n`, exitCode: 0 };
}
