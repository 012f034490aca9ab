import { prepareStateFolder } from "../daemon/state_folder.ts";
import { BeeuniError } from "../errors/error.ts";
import { projectStateDirectory } from "./open_project.ts";

/** Where a command that runs tools once keeps what the host writes. */
export interface RunState extends AsyncDisposable {
  /** Absolute path of an existing folder of the user's. */
  path: string;
}

/**
 * The project's state directory; where that can't be made (no `HOME`, a read-only image), a temporary folder that is
 * removed at the end: running a tool takes no more than a folder to write (specification 5.2). Nothing that has to
 * last is written there. A `BEEUNI_STATE_DIR` that was named is used or refused.
 *
 * @param root Absolute path of an existing project root.
 * @throws {BeeuniError} `unwritable` when the directory is not safe to use, or there is no temporary folder either.
 */
export async function runState(root: string): Promise<RunState> {
  try {
    const path = await projectStateDirectory(root);
    await prepareStateFolder(path);
    return { path, [Symbol.asyncDispose]: () => Promise.resolve() };
  } catch (error) {
    const named = Boolean(Deno.env.get("BEEUNI_STATE_DIR"));
    if (named || !(error instanceof BeeuniError) || error.code !== "unwritable") throw error;
    const path = await temporaryFolder(error);
    return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
  }
}

async function temporaryFolder(cause: BeeuniError): Promise<string> {
  try {
    return await Deno.makeTempDir({ prefix: "beeuni-state-" });
  } catch {
    throw cause;
  }
}
