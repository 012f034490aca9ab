import type { CommandContext, CommonOptions } from "../command.ts";
import type { CommandResult } from "./result.ts";
import { validate, type ValidateOptions } from "./validate.ts";

/** Options of {@link validateProject}. */
export interface ValidateProjectOptions extends CommonOptions {
  /** `--load`: also import the modules in their sandbox. */
  load?: boolean;
}

/**
 * `beeuni validate [--load]` (specification 1.6).
 *
 * @throws {BeeuniError} `no_manifest`, and with `--load` what starting the tool host throws.
 */
export async function validateProject(
  { project, json, load }: ValidateProjectOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const options: ValidateOptions = { json: json === true, color: output.color };
  if (project !== undefined) options.project = project;
  if (load) {
    const { loadFindings } = await import("../load_findings.ts");
    options.load = async (manifest) => {
      using _progress = output.progress("the modules are being loaded");
      return await loadFindings(manifest);
    };
  }
  return await validate(options);
}
