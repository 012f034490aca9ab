import { dirname, join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import { opencodeConfig } from "./opencode_config.ts";
import { opencodeModel } from "./opencode_model.ts";
import { type PluginBridge, pluginSource } from "./plugin_source.ts";
import type { ConfigFolder, ConfigFolderRequest, WriteConfigFolder } from "./types.ts";

/**
 * Writes the config folder of an OpenCode process into the state directory, whole or not at all, also over an older one
 * (specification 4.1).
 *
 * Called when no turn runs; OpenCode reads the folder anew after `POST /instance/dispose`. The plugin ends OpenCode
 * when its stdin closes: start it with a pipe and hold it.
 *
 * @throws {BeeuniError} `unwritable`.
 */
export const writeConfigFolder: WriteConfigFolder = async (
  request: ConfigFolderRequest,
): Promise<ConfigFolder> => {
  const { project: { host, stateDir, models: sources }, daemonUrl, token } = request;
  const path = join(stateDir, "opencode", "config");
  await host.ready;
  const catalogue = host.catalogue();
  const hosted = catalogue.tools.map(({ name }) => name);
  const defaultAgent = host.defaultAgent();
  const config = opencodeConfig({
    manifest: host.manifest(),
    ...defaultAgent !== undefined && { defaultAgent },
    hosted,
    models: request.models,
    sources,
    daemonUrl,
    spillRoot: dirname(host.spillFolder("x")),
  });
  const bridge: PluginBridge = { url: daemonUrl, token, watchStdin: true };
  const next = `${path}.${crypto.randomUUID()}`;
  const bridgeFile = join(path, "bridge.json");
  try {
    await Deno.mkdir(join(next, "plugin"), { recursive: true, mode: 0o700 });
    await writePrivate(join(next, "opencode.json"), JSON.stringify(config, null, 2) + "\n");
    await writePrivate(join(next, "plugin", "beeuni.ts"), await pluginSource(bridgeFile));
    await writePrivate(join(next, "bridge.json"), JSON.stringify(bridge));
    await writeInstalled(next);
    await replaceFolder(path, next);
  } catch (cause) {
    await Deno.remove(next, { recursive: true }).catch(() => {});
    throw new BeeuniError("unwritable", `the configuration of OpenCode could not be written to ${path}.`, {
      hint: "Make the state directory writable for you, or set BEEUNI_STATE_DIR to another one.",
      cause,
    });
  }
  return {
    path,
    env: {
      OPENCODE_CONFIG_DIR: path,
      // The checkout's own opencode.json and .opencode/ are not the project's harness files.
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
      NODE_PATH: join(path, "node_modules"),
    },
    generation: catalogue.generation,
    tools: hosted,
    failed: [],
    model: ({ ref }) => opencodeModel(ref),
  };
};

/**
 * Makes a config folder look installed, so that OpenCode starts no `npm install` in it: without a network that takes
 * 71 s. It looks for a `node_modules` and a lock file that names its plugin package. OpenCode has two such folders:
 * `OPENCODE_CONFIG_DIR` and `$XDG_CONFIG_HOME/opencode`.
 *
 * @param folder Absolute path; made when it is missing.
 */
export async function writeInstalled(folder: string): Promise<void> {
  await Deno.mkdir(join(folder, "node_modules"), { recursive: true, mode: 0o700 });
  const dependencies = { "@opencode-ai/plugin": "*" };
  await writePrivate(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  await writePrivate(join(folder, "package-lock.json"), JSON.stringify(lock));
  await writePrivate(join(folder, ".gitignore"), "*\n");
}

/** Puts `next` in the place of `path`; what was there is removed. */
async function replaceFolder(path: string, next: string): Promise<void> {
  const old = `${next}.old`;
  const had = await Deno.rename(path, old).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
  try {
    await Deno.rename(next, path);
  } catch (error) {
    if (had) await Deno.rename(old, path);
    throw error;
  }
  if (had) await Deno.remove(old, { recursive: true });
}

async function writePrivate(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { mode: 0o600 });
}
