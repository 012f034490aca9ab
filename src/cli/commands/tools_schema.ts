import { startHost } from "../../host/host.ts";
import { createLogger } from "../../log/logger.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { interruption, unlessAborted } from "../interruption.ts";
import { BeeuniError } from "../../errors/error.ts";
import { missingTool } from "../missing_tool.ts";
import { openManifest } from "../open_project.ts";
import { runState } from "../run_state.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link toolsSchema}. */
export interface ToolsSchemaOptions extends CommonOptions {
  name: string;
}

/**
 * `beeuni tools schema`: the JSON Schema of a tool's arguments, as its module gave it when it was loaded in its
 * sandbox (specification 2.7).
 *
 * @throws {BeeuniError} `tool_not_found`, and what opening the project throws.
 */
export async function toolsSchema(
  { name, project }: ToolsSchemaOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  using interrupted = interruption();
  const { manifest, engine } = openManifest(project === undefined ? {} : { project });
  const state = await runState(manifest.root);
  await using _state = state;
  // A tool's own words are no part of what is asked for; why it did not load is in the error.
  const logger = createLogger({ json: output.json, level: "error" });
  await using host = startHost({ manifest, engine, stateDir: state.path, logger, onlyTools: [name] });
  using _progress = output.progress(`${name} is being loaded`);
  await unlessAborted(
    host.ready,
    interrupted.signal,
    () => new BeeuniError("aborted", "loading was cancelled."),
  );
  const catalogue = host.catalogue();
  const tool = catalogue.tools.find((loaded) => loaded.name === name);
  if (tool === undefined) throw missingTool(name, manifest, catalogue);
  return { stdout: jsonDocument(tool.parameters), exitCode: 0 };
}
