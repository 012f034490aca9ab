import { basename, isAbsolute, join, resolve } from "node:path";
import { BeeuniError } from "../errors/error.ts";

/** What the place of the state directory depends on. */
export interface StateDirectoryFrom {
  /** Absolute path of the project root with every link resolved: the same project has one state. */
  realRoot: string;
  /** Reads an environment variable. */
  env: (name: string) => string | undefined;
  /** Working directory, for a relative `BEEUNI_STATE_DIR`. */
  cwd: string;
}

/**
 * Absolute path of a project's state directory (specification 2.7): `BEEUNI_STATE_DIR`, else
 * `$XDG_STATE_HOME/beeuni/<project id>`, else the same below `~/.local/state`. It is not made here.
 *
 * @throws {BeeuniError} `unwritable` when neither variable is set and `HOME` is missing too.
 */
export async function stateDirectory({ realRoot, env, cwd }: StateDirectoryFrom): Promise<string> {
  const own = env("BEEUNI_STATE_DIR");
  if (own) return resolve(cwd, own);
  const base = stateHome(env);
  if (base === undefined) {
    throw new BeeuniError("unwritable", "the state directory is not known: HOME is not set.", {
      hint: "Set BEEUNI_STATE_DIR to a folder that only you can write.",
    });
  }
  return join(base, "beeuni", await projectId(realRoot));
}

/**
 * The name of a project's folder among others: readable, and different for every project root.
 *
 * @param realRoot Absolute path with every link resolved.
 */
export async function projectId(realRoot: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(realRoot));
  const hex = new Uint8Array(digest).subarray(0, 6).toHex();
  const name = basename(realRoot).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `${name.slice(0, 40) || "project"}-${hex}`;
}

/** `$XDG_STATE_HOME`, which counts only when it is absolute (XDG base directory specification), or its default. */
function stateHome(env: (name: string) => string | undefined): string | undefined {
  const xdg = env("XDG_STATE_HOME");
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  const home = env("HOME");
  return home !== undefined && isAbsolute(home) ? join(home, ".local", "state") : undefined;
}
