import { join } from "node:path";

/** What OpenCode must not do by itself; each is `OPENCODE_DISABLE_…=1` (specification 4.1). */
const SWITCHES = [
  "AUTOUPDATE",
  "MODELS_FETCH",
  "LSP_DOWNLOAD",
  "DEFAULT_PLUGINS",
  "SHARE",
  "CLAUDE_CODE",
  "EXTERNAL_SKILLS",
  "PROJECT_CONFIG",
];

/** Of the daemon's environment: where programs are, and how people write. No secret can be under these names. */
const KEPT = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];

/**
 * The environment of OpenCode, which its `bash` inherits: none of the daemon's but PATH, language and time zone. A home
 * of its own keeps the user's OpenCode, its keys and its plugins out.
 *
 * @param home Absolute path of that home.
 */
export function openCodeEnvironment(
  env: (name: string) => string | undefined,
  home: string,
): Record<string, string> {
  return {
    ...Object.fromEntries(KEPT.flatMap((name) => {
      const value = env(name);
      return value === undefined ? [] : [[name, value]];
    })),
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    ...Object.fromEntries(SWITCHES.map((name) => [`OPENCODE_DISABLE_${name}`, "1"])),
  };
}
