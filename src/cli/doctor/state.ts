import { join } from "node:path";
import { prepareStateFolder } from "../../daemon/state_folder.ts";
import { writeWhole } from "../../daemon/whole_file.ts";
import { type Check, failedCheck } from "./check.ts";

/** Whether the state directory can be made and written. */
export async function checkState(directory: () => Promise<string>): Promise<Check> {
  const name = "state directory";
  try {
    const path = await directory();
    const existed = await Deno.stat(path).then(() => true, () => false);
    await prepareStateFolder(path);
    const file = join(path, `doctor-${crypto.randomUUID()}`);
    await writeWhole(file, "");
    await Deno.remove(file);
    // Looking leaves nothing behind.
    if (!existed) await Deno.remove(path);
    return { name, status: "ok", detail: path };
  } catch (error) {
    return failedCheck(name, error);
  }
}
