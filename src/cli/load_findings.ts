import { findEngine } from "../engine/engine.ts";
import { startHost } from "../host/host.ts";
import { lintParameters } from "../host/lint_parameters.ts";
import { createLogger } from "../log/logger.ts";
import type { Manifest } from "../manifest/model.ts";
import type { LoadFinding } from "./commands/validate.ts";
import { runState } from "./run_state.ts";

/**
 * Loads every module of the project in its sandbox and tells what is wrong with them: a module that does not load is
 * an error, what some model providers refuse in its schema is a warning (specification 1.6, 2.2).
 *
 * @throws {BeeuniError} what starting the tool host throws.
 */
export async function loadFindings(manifest: Manifest): Promise<LoadFinding[]> {
  const logger = createLogger({ level: "error" });
  const state = await runState(manifest.root);
  await using _state = state;
  await using host = startHost({ manifest, engine: findEngine(), stateDir: state.path, logger });
  await host.ready;
  const { tools, failed } = host.catalogue();
  // Entries that are broken in the manifest are among its own issues already.
  const declared = new Set(manifest.tools.map(({ name }) => name));
  const errors = failed.filter(({ name }) => declared.has(name)).map(({ name, error }): LoadFinding => {
    return { tool: name, severity: "error", message: error };
  });
  const warnings = tools.flatMap(({ name, parameters }) =>
    lintParameters(parameters).map(({ jsonPath, message }): LoadFinding => {
      return { tool: name, severity: "warning", message: `${jsonPath} ${message}` };
    })
  );
  return [...errors, ...warnings];
}
