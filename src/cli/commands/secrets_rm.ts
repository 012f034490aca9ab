import { BeeuniError } from "../../errors/error.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import { notSet } from "../../secrets/secret_errors.ts";
import { isSecretName } from "../../secrets/secret_name.ts";
import type { CommonOptions } from "../command.ts";
import { projectStateDirectory } from "../open_project.ts";
import { withSecretStore } from "../secret_store.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link secretsRm}. */
export interface SecretsRmOptions extends CommonOptions {
  names: string[];
}

/**
 * `beeuni secrets rm NAME…`: removes all of them, or, when one is not set, none; no key is needed
 * (specification 4.5).
 *
 * @throws {BeeuniError} `usage`, `no_manifest`, `secret_not_found`, `unwritable`, `state_newer`, `state_database`.
 */
export async function secretsRm(
  { project, json, names: given }: SecretsRmOptions,
): Promise<CommandResult> {
  const names = [...new Set(given)];
  given.forEach((name, index) => {
    // It may be a value, so it is not repeated.
    if (isSecretName(name)) return;
    throw new BeeuniError(
      "usage",
      `argument ${index + 1} is not the name of a secret (^[A-Z_][A-Z0-9_]{0,63}$).`,
      {
        hint: "`beeuni secrets ls` lists the names.",
      },
    );
  });
  const root = findManifest(project === undefined ? {} : { project });
  const done = await withSecretStore(await projectStateDirectory(root), { change: true }, (store) => {
    store.remove(names);
    return true;
  });
  if (done === undefined) throw notSet(names, []);
  return {
    stdout: json ? jsonDocument({ removed: names }) : names.map((name) => `removed ${name}\n`).join(""),
    exitCode: 0,
  };
}
