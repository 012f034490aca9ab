import { BeeuniError } from "../../errors/error.ts";
import type { Manifest } from "../../manifest/model.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import type { Output } from "../output.ts";
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
  options.secretNames = (manifest) => namesToCheck(manifest, output);
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

/** Names of the secrets that are set; `undefined` when no agent is granted one by name, or none was ever set. */
async function namesToCheck(manifest: Manifest, output: Output): Promise<Set<string> | undefined> {
  const isGranted = [...manifest.agents.values()].some(({ secrets }) => Array.isArray(secrets));
  if (!isGranted) return undefined;
  try {
    const names = await (await import("../secret_names.ts")).secretNames(manifest.root);
    return names === undefined ? undefined : new Set(names);
  } catch (error) {
    if (!(error instanceof BeeuniError)) throw error;
    // The manifest can be right all the same.
    output.note(`beeuni: granted secrets are not checked: ${error.message}`);
    return undefined;
  }
}
