import { prepareStateFolder } from "../daemon/state_folder.ts";
import { SecretStore } from "../secrets/secret_store.ts";
import { seenByDaemons } from "../secrets/seen_within.ts";
import { StateDatabase, stateDatabasePath } from "../state/database.ts";

/**
 * Runs `work` on the stored secrets of a project.
 *
 * @param stateDir Absolute path of the project's state directory.
 * @param options.create Make the database when it is missing; else `work` is not run then.
 * @param options.change `work` changes something: wait until a running daemon sees that.
 * @returns What `work` gave; `undefined` without a database.
 * @throws {BeeuniError} what `work` throws; `unwritable`, `state_newer`, `state_database`.
 */
export async function withSecretStore<T>(
  stateDir: string,
  options: { create?: boolean; change?: boolean },
  work: (store: SecretStore) => T,
): Promise<T | undefined> {
  if (options.create) await prepareStateFolder(stateDir);
  else if (!await exists(stateDatabasePath(stateDir))) return undefined;
  const database = new StateDatabase(stateDir);
  using _database = database;
  const result = work(new SecretStore(database, { stateDir, variable: Deno.env.get("BEEUNI_SECRETS_KEY") }));
  if (options.change) await seenByDaemons();
  return result;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    // It may be there: opening it tells what is wrong.
    return true;
  }
}
