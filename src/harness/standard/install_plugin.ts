import { basename, join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import { installedBridge, readInstalledToken } from "./installed_token.ts";
import { type PluginBridge, pluginSource } from "./plugin_source.ts";

/** Options of {@link installPlugin}. */
export interface InstallPluginOptions {
  /** Absolute path of the project root. */
  root: string;
  /** Absolute path of the project's state directory; it exists. */
  stateDir: string;
  /** Absolute path of the folder for the plugin's file; default the user's own, {@link defaultPluginFolder}. */
  dir?: string;
  /** The environment, for the default. */
  env: (name: string) => string | undefined;
}

/** What was written. */
export interface InstalledPlugin {
  /** Absolute path of the plugin. */
  plugin: string;
  /** Absolute path of its bridge file, in the state directory. */
  bridge: string;
}

/**
 * Writes only the plugin, for an OpenCode server that somebody else starts (specification 4.1).
 *
 * Its token is another one than that of our own servers: it stays, in a 0600 file of the state directory, because such
 * a server may be started again at any time; it opens the list and the calls of tools, and no model; and nobody can
 * tell the daemon which agent really runs there. The plugin brings its tools only where OpenCode works in this
 * project. Installing again keeps the token, so that plugins in other folders go on; removing the file takes it away.
 *
 * @throws {BeeuniError} `unwritable`.
 */
export async function installPlugin(options: InstallPluginOptions): Promise<InstalledPlugin> {
  const { root, stateDir, dir = defaultPluginFolder(options.env) } = options;
  const bridge = installedBridge(stateDir);
  const plugin = join(
    dir,
    `beeuni-${basename(root).replace(/[^\w.-]+/g, "-")}-${await shortHash(stateDir)}.ts`,
  );
  const token = readInstalledToken(stateDir) ?? crypto.getRandomValues(new Uint8Array(32)).toHex();
  const content: PluginBridge = {
    token,
    daemonFile: join(stateDir, "daemon.json"),
    root: await Deno.realPath(root),
    keep: true,
  };
  try {
    await Deno.mkdir(dir, { recursive: true });
    await writeWhole(bridge, JSON.stringify(content) + "\n");
    await writeWhole(plugin, await pluginSource(bridge));
  } catch (cause) {
    throw new BeeuniError("unwritable", `the plugin could not be written to ${dir}.`, {
      hint: "Name a folder that you can write with --dir.",
      cause,
    });
  }
  return { plugin, bridge };
}

/** Where OpenCode looks for the user's own plugins. */
export function defaultPluginFolder(env: (name: string) => string | undefined): string {
  return join(env("XDG_CONFIG_HOME") || join(env("HOME") || "/", ".config"), "opencode", "plugin");
}

/** Writes a file that is the user's alone, whole or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(next, text, { createNew: true, mode: 0o600 });
    await Deno.rename(next, path);
  } catch (error) {
    await Deno.remove(next).catch(() => {});
    throw error;
  }
}

/** Tells two projects of one name apart. */
async function shortHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 8);
}
