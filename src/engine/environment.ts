/** The variables that the shell header of the executable sets for Deno itself (scripts/build/header.sh). */
const SET_BY_HEADER = ["DENO_DIR", "DENO_NO_UPDATE_CHECK"] as const;
/** Set by the header when it set the others; with `_NAME` behind it, a value that was there before. */
const OUTER = "BEEUNI_OUTER";

/** The part of `Deno.env` that {@link restoreEnvironment} needs. */
export interface Environment {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  delete(name: string): void;
}

/**
 * Gives the variables that the header set for Deno the values they had before, so that neither `context.env` nor
 * a program that we start sees ours. Deno read them when it started. Without the header's mark nothing changes.
 */
export function restoreEnvironment(env: Environment): void {
  if (env.get(OUTER) === undefined) return;
  env.delete(OUTER);
  // Where there is no `node`, Deno puts one of its own, below DENO_DIR, on the path.
  const ours = `${env.get("DENO_DIR")}/`;
  const folders = env.get("PATH")?.split(":") ?? [];
  const theirs = folders.filter((folder) => !folder.startsWith(ours));
  if (theirs.length < folders.length) {
    env.set("PATH", theirs.join(":"));
    env.delete("DENO_NODE_SHIM_ACTIVE");
  }
  for (const name of SET_BY_HEADER) {
    const outer = env.get(`${OUTER}_${name}`);
    if (outer === undefined) env.delete(name);
    else env.set(name, outer);
    env.delete(`${OUTER}_${name}`);
  }
}

/**
 * The variables that the header would set: `ours` for Deno itself, and what there was before, so that
 * {@link restoreEnvironment} finds it.
 *
 * @param get Reads a variable of this process.
 */
export function outerEnvironment(
  get: (name: string) => string | undefined,
  ours: Readonly<Record<typeof SET_BY_HEADER[number], string>>,
): Record<string, string> {
  const env: Record<string, string> = { ...ours, [OUTER]: "1" };
  for (const name of SET_BY_HEADER) {
    const outer = get(name);
    if (outer !== undefined) env[`${OUTER}_${name}`] = outer;
  }
  return env;
}
