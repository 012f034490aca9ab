import { BeeuniError } from "../errors/error.ts";
import { unwritable } from "./whole_file.ts";

/**
 * Makes the state directory (0700) when it is missing and checks that nobody else can put files into it: what lies
 * there is believed (the key, the catalogue's cache).
 *
 * @param path Absolute path.
 * @throws {BeeuniError} `unwritable` when it can't be made, is no directory, or another user can write it.
 */
export async function prepareStateFolder(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unwritable(path, cause);
  }
  const info = await Deno.stat(path);
  const shared = ((info.mode ?? 0) & 0o002) !== 0;
  const foreign = info.uid !== null && info.uid !== Deno.uid() && Deno.uid() !== 0;
  if (!info.isDirectory || shared || foreign) {
    const why = !info.isDirectory
      ? "is not a directory"
      : foreign
      ? "belongs to another user"
      : "can be written by everybody";
    throw new BeeuniError("unwritable", `the state directory ${path} ${why}.`, {
      hint: "Run `chmod 700` on it, or set BEEUNI_STATE_DIR to a folder that only you can write.",
    });
  }
}
