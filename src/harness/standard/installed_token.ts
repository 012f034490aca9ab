import { join } from "node:path";

/** The bridge file of plugins in servers that somebody else starts, in the state directory. */
const FILE = "installed-plugin.json";

/** How long what was read of the file is believed, in milliseconds. */
const FRESH_MS = 1000;

/** Absolute path of the bridge file of installed plugins; it holds their token. */
export function installedBridge(stateDir: string): string {
  return join(stateDir, FILE);
}

/**
 * The token of installed plugins, as their bridge file has it.
 *
 * @returns `undefined` when there is none, or the file is not ours alone to read and write.
 */
export function readInstalledToken(stateDir: string): string | undefined {
  try {
    const path = installedBridge(stateDir);
    const { isFile, mode, uid } = Deno.lstatSync(path);
    if (!isFile || ((mode ?? 0) & 0o077) !== 0 || uid !== Deno.uid()) return undefined;
    const { token } = JSON.parse(Deno.readTextFileSync(path)) as { token?: unknown };
    return typeof token === "string" && /^[0-9a-f]{64}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a token is that of the installed plugins, compared in constant time. The file is looked at again after a
 * second: a plugin can be installed, and its token be taken away by removing the file, while the daemon runs.
 */
export function installedTokenCheck(stateDir: string): (token: string) => boolean {
  let known: string | undefined;
  let read = -Infinity;
  return (token) => {
    const now = performance.now();
    if (now - read > FRESH_MS) [known, read] = [readInstalledToken(stateDir), now];
    return known !== undefined && isEqual(token, known);
  };
}

function isEqual(given: string, token: string): boolean {
  let difference = given.length ^ token.length;
  for (let at = 0; at < token.length; at++) difference |= given.charCodeAt(at) ^ token.charCodeAt(at);
  return difference === 0;
}
