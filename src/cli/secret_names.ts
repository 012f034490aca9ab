import { projectStateDirectory } from "./open_project.ts";
import { withSecretStore } from "./secret_store.ts";

/**
 * Names of the secrets that are set; `undefined` when none was ever set.
 *
 * @param root Absolute path of the project root.
 * @throws {BeeuniError} `state_newer`, `state_database`, `unwritable`.
 */
export async function secretNames(root: string): Promise<string[] | undefined> {
  return await withSecretStore(
    await projectStateDirectory(root),
    {},
    (store) => store.list().map(({ name }) => name),
  );
}
