import { dirname, join } from "node:path";
import { findEngine } from "../../engine/engine.ts";
import { BeeuniError } from "../../errors/error.ts";
import { findOpenCode } from "./find_opencode.ts";
import { importFolder } from "./import_folder.ts";
import { opencodeConfig } from "./opencode_config.ts";
import { opencodeModel } from "./opencode_model.ts";
import { type PluginBridge, pluginSource } from "./plugin_source.ts";
import { tryTools } from "./try_tools.ts";
import type { ConfigFolder, ConfigFolderRequest, WriteConfigFolder } from "./types.ts";

/** The plugin's bridge file in the folder; it is gone once the plugin has read it. */
const BRIDGE = "bridge.json";

/** Loads a tool file on trial. */
const TRY_TOOL = "try_tool.js";

/**
 * Writes the config folder of an OpenCode process into the state directory, whole or not at all, also over an older one
 * (specification 4.1).
 *
 * Called when no turn runs; OpenCode reads the folder anew after `POST /instance/dispose`. The plugin ends OpenCode
 * when its stdin closes: start it with a pipe and hold it.
 *
 * @throws {BeeuniError} `unwritable`; `harness_missing` when the project has tools for OpenCode and there is none.
 */
export const writeConfigFolder: WriteConfigFolder = async (
  request: ConfigFolderRequest,
): Promise<ConfigFolder> => {
  const { project: { root, host, stateDir, models: sources }, daemonUrl, token } = request;
  const path = join(stateDir, "opencode", "config");
  await host.ready;
  const catalogue = host.catalogue();
  const manifest = host.manifest();
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(join(next, "plugin"), { recursive: true, mode: 0o700 });
    await writeInstalled(next);
    await writeStandIns(next);
    const imported = await importFolder({
      root,
      target: next,
      agents: [...manifest.agents.keys()],
      tryTools: (files) => tryIn(next, files, request),
    });
    const hosted = catalogue.tools.map(({ name }) => name).filter((name) => !imported.tools.includes(name));
    const tools = [...hosted, ...imported.tools];
    const config = opencodeConfig({
      manifest,
      defaultAgent: host.defaultAgent(),
      hosted: tools,
      models: request.models,
      sources,
      daemonUrl,
      spillRoot: dirname(host.spillFolder("x")),
      imported,
    });
    const bridge: PluginBridge = { url: daemonUrl, token, hidden: imported.tools, watchStdin: true };
    await writePrivate(
      join(next, "opencode.json"),
      withoutPlaceholders(JSON.stringify(config, null, 2)) + "\n",
    );
    await writePrivate(join(next, "plugin", "beeuni.ts"), await pluginSource(join(path, BRIDGE)));
    await writePrivate(join(next, BRIDGE), JSON.stringify(bridge));
    await replaceFolder(path, next);
    return {
      path,
      env: {
        OPENCODE_CONFIG_DIR: path,
        // The checkout's own opencode.json and .opencode/ are not the project's harness files.
        OPENCODE_DISABLE_PROJECT_CONFIG: "1",
        NODE_PATH: join(path, "node_modules"),
        // Bun never loads a file twice: other tool files need another process.
        ...imported.hash !== "" && { BEEUNI_OPENCODE_TOOLS: imported.hash },
      },
      generation: catalogue.generation,
      tools,
      failed: imported.failed,
      model: ({ ref }) => opencodeModel(ref),
    };
  } catch (cause) {
    await Deno.remove(next, { recursive: true }).catch(() => {});
    if (cause instanceof BeeuniError) throw cause;
    throw new BeeuniError("unwritable", `the configuration of OpenCode could not be written to ${path}.`, {
      hint: "Make the state directory writable for you, or set BEEUNI_STATE_DIR to another one.",
      cause,
    });
  }
};

/** OpenCode puts variables and files in the place of `{env:…}` and `{file:…}`: a prompt means what it says. */
function withoutPlaceholders(json: string): string {
  return json.replace(/\{(?=(?:env|file):)/g, "\\u007b");
}

async function tryIn(
  folder: string,
  files: readonly string[],
  { project: { root, stateDir, models: { env } } }: ConfigFolderRequest,
) {
  const home = join(stateDir, "opencode", "home");
  await Deno.mkdir(home, { recursive: true, mode: 0o700 });
  const { path: program } = await findOpenCode(env, home);
  const script = join(folder, TRY_TOOL);
  return await tryTools(files, { program, script, nodePath: join(folder, "node_modules"), root, home, env });
}

/** What tools written for OpenCode import: its plugin package, and zod. */
async function writeStandIns(folder: string): Promise<void> {
  const source = join(findEngine().directory, "harness/standard/stand_in");
  const packages = [
    {
      name: "@opencode-ai/plugin",
      file: "plugin.js",
      exports: { ".": "./index.js", "./tool": "./index.js" },
    },
    { name: "zod", file: "zod.js", exports: { ".": "./index.js", "./v4": "./index.js" } },
  ];
  for (const { name, file, exports } of packages) {
    const to = join(folder, "node_modules", name);
    await Deno.mkdir(to, { recursive: true, mode: 0o700 });
    await writePrivate(
      join(to, "package.json"),
      JSON.stringify({ name, type: "module", main: "index.js", exports }),
    );
    await Deno.copyFile(join(source, file), join(to, "index.js"));
  }
  await Deno.copyFile(join(source, TRY_TOOL), join(folder, TRY_TOOL));
}

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
