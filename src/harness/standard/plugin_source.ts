import { findEngine } from "../../engine/engine.ts";

/** The line of the plugin that says where its bridge file is. */
const BRIDGE_LINE = 'const BRIDGE_FILE = "";';

/** What the plugin reads from its bridge file. */
export interface PluginBridge {
  /** Address of the daemon, without a final `/`; absent = read from {@link daemonFile} at each request. */
  url?: string;
  /** Absolute path of the daemon's `daemon.json`. */
  daemonFile?: string;
  token: string;
  /** Hosted tools that are left out: the project's own tools for OpenCode of these names win. */
  hidden?: readonly string[];
  /** The plugin brings its tools only where OpenCode works below this folder, a real path; absent = everywhere. */
  root?: string;
  /** The file stays: the server is somebody else's, and may be started again. */
  keep?: true;
  /** End the process when its stdin closes: the daemon that started it holds it open. */
  watchStdin?: true;
}

/**
 * The text of the plugin: the very file of this folder, but for the path of its bridge file.
 *
 * @param bridgeFile Absolute path of the file with a {@link PluginBridge}.
 */
export async function pluginSource(bridgeFile: string): Promise<string> {
  const text = await Deno.readTextFile(`${findEngine().directory}/harness/standard/plugin.ts`);
  if (!text.includes(BRIDGE_LINE)) throw new Error("the plugin has no line for its bridge file");
  return text.replace(BRIDGE_LINE, () => `const BRIDGE_FILE = ${JSON.stringify(bridgeFile)};`);
}
