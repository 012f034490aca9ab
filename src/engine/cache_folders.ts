import { isAbsolute, join } from "node:path";

/**
 * The folders that may hold the unpacked program, best first; the program itself goes to `<folder>/<id>`.
 *
 * `$XDG_CACHE_HOME/beeuni`, `$HOME/.cache/beeuni`, then `beeuni-<uid>` in `$TMPDIR` and `/tmp`. The user's number
 * is in the last name because everybody shares that folder. The shell header (scripts/build/header.sh) has the
 * same list.
 *
 * @param env Environment variables; relative paths in them are ignored, as the XDG specification says.
 */
export function cacheFolders(env: Readonly<Record<string, string | undefined>>, uid: number): string[] {
  const folders: string[] = [];
  const add = (base: string | undefined, ...rest: string[]) => {
    if (base !== undefined && isAbsolute(base)) folders.push(join(base, ...rest));
  };
  add(env.XDG_CACHE_HOME, "beeuni");
  add(env.HOME, ".cache", "beeuni");
  add(env.TMPDIR, `beeuni-${uid}`);
  add("/tmp", `beeuni-${uid}`);
  return [...new Set(folders)];
}
