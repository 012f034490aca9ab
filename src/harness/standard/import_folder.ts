import { extname, join, relative } from "node:path";
import type { FailedTool } from "../../host/types.ts";
import { isInside } from "../../manifest/paths.ts";
import { parseAgentFile, takenSettings } from "./agent_file.ts";
import type { ImportedConfig } from "./opencode_config.ts";
import { parseJsonc } from "./parse_jsonc.ts";
import type { TriedTool } from "./try_tools.ts";

/** Where a project keeps its own files for OpenCode (specification 4.1). */
export const HARNESS_FOLDER = "harnesses/opencode";

/** Keys of a project's opencode.json that are taken. What decides who may do what stands in beeuni.yaml. */
const TAKEN_KEYS = ["command", "mcp", "instructions", "compaction", "watcher"];

/** More files than this are not brought in: somebody put a whole tree there. */
const MAX_FILES = 5000;

/** Options of {@link importFolder}. */
export interface ImportFolderOptions {
  /** Absolute path of the project root. */
  root: string;
  /** Absolute path of the config folder that is being written. */
  target: string;
  /** Names of the manifest's agents: the only ones there are. */
  agents: readonly string[];
  /** Loads tool files on trial. */
  tryTools: (files: readonly string[]) => Promise<readonly TriedTool[]>;
}

/** What was brought in. */
export interface ImportedFolder extends ImportedConfig {
  /** Ids of the tools; each wins over a hosted tool of that name. */
  tools: string[];
  failed: FailedTool[];
  /** Of all that OpenCode's process keeps once it has loaded it: another one needs another process. `""` = nothing. */
  hash: string;
}

/**
 * Brings a project's `harnesses/opencode/` into our config folder: commands and skills as copies, tools as links to the
 * originals (so that relative imports work), agents and opencode.json into the configuration.
 *
 * What is not taken is in `failed`, with the reason: tools that do not load, links that leave the repository, agents that
 * the manifest does not declare, settings that would change who may do what. beeuni.yaml wins.
 */
export async function importFolder(options: ImportFolderOptions): Promise<ImportedFolder> {
  const { root, target } = options;
  const found: ImportedFolder = { config: {}, agents: new Map(), tools: [], failed: [], hash: "" };
  const real = await Deno.realPath(root);
  const source = join(root, HARNESS_FOLDER);
  const fail = (path: string, error: string, name = path) =>
    void found.failed.push({ name, source: relative(root, join(source, path)), error });
  const files = await listFiles(source, real, fail);
  await copySkills(options, real, found);
  const agents = new Map<string, Record<string, unknown>>();
  const tools: string[] = [];
  for (const { path, file } of files) {
    const [folder = "", ...rest] = path.split("/");
    if (/^tools?$/.test(folder)) {
      if (rest.length === 1 && /\.[jt]s$/.test(path) && !/\.d\.ts$/.test(path)) tools.push(file);
    } else if (/^(?:commands?|skills?)$/.test(folder) && rest.length > 0) {
      const to = join(target, path);
      await Deno.mkdir(join(to, ".."), { recursive: true, mode: 0o700 });
      await Deno.copyFile(file, to);
    } else if (/^agents?$/.test(folder) && path.endsWith(".md")) {
      const name = rest.join("/").slice(0, -extname(path).length);
      try {
        agents.set(name, parseAgentFile(await Deno.readTextFile(file)));
      } catch {
        fail(path, "its header is no YAML.", name);
      }
    } else if (/^opencode\.jsonc?$/.test(path)) {
      const own = takeConfig(await Deno.readTextFile(file), found, (error) => fail(path, error));
      for (const [name, settings] of Object.entries(own)) {
        agents.set(name, { ...settings, ...agents.get(name) });
      }
    } else if (/^plugins?$/.test(folder)) {
      fail(path, "plugins are not taken: declare tools under `tools:` in beeuni.yaml.");
    }
  }
  const known = new Map<string, Record<string, unknown>>();
  for (const [name, settings] of agents) {
    const source = `agents/${name}.md`;
    if (!options.agents.includes(name)) {
      fail(source, `the agent ${name} is not declared: add it under \`agents:\` in beeuni.yaml.`, name);
      continue;
    }
    const { taken, left } = takenSettings(settings);
    known.set(name, taken);
    if (left.length > 0) {
      fail(source, `${quoted(left)} not taken: agents.${name} in beeuni.yaml decides.`, name);
    }
  }
  found.agents = known;
  await linkTools(tools.sort(), found, options, fail, source);
  if (found.tools.length > 0) {
    found.hash = await hashOf(
      files.filter(({ path }) => !/^(?:commands?|skills?|agents?)\/|^opencode\.json/.test(path)),
    );
  }
  return found;
}

/** The project's `skills/`, which both harnesses have; one of `harnesses/opencode/skills` of that name comes later. */
async function copySkills({ root, target }: ImportFolderOptions, real: string, { failed }: ImportedFolder) {
  const source = join(root, "skills");
  const fail = (path: string, error: string) =>
    void failed.push({ name: path, source: relative(root, join(source, path)), error });
  for (const { path, file } of await listFiles(source, real, fail)) {
    if (!path.includes("/")) continue;
    const to = join(target, "skills", path);
    await Deno.mkdir(join(to, ".."), { recursive: true, mode: 0o700 });
    await Deno.copyFile(file, to);
  }
}

async function linkTools(
  files: readonly string[],
  found: ImportedFolder,
  { target, tryTools }: ImportFolderOptions,
  fail: (path: string, error: string, name: string) => void,
  source: string,
): Promise<void> {
  if (files.length === 0) return;
  const tried = await tryTools(files);
  await Deno.mkdir(join(target, "tools"), { recursive: true, mode: 0o700 });
  for (const [at, file] of files.entries()) {
    const result = tried[at];
    const path = relative(source, file);
    const base = path.slice(path.lastIndexOf("/") + 1);
    const name = base.slice(0, -extname(base).length);
    if (result === undefined || "error" in result) {
      fail(path, result?.error ?? "it was not tried.", name);
      continue;
    }
    if (result.names.length === 0) continue;
    const taken = result.names.filter((one) => found.tools.includes(one));
    if (taken.length > 0) {
      fail(path, `another file has a tool ${taken.join(", ")} too.`, name);
      continue;
    }
    await Deno.symlink(file, join(target, "tools", base));
    found.tools.push(...result.names);
  }
}

/** Takes what may be taken of an opencode.json; returns what it says of agents. */
function takeConfig(
  text: string,
  found: ImportedFolder,
  fail: (error: string) => void,
): Record<string, Record<string, unknown>> {
  let given: unknown;
  try {
    given = parseJsonc(text);
  } catch (error) {
    fail(`it is no JSON: ${error instanceof Error ? error.message : error}`);
    return {};
  }
  if (!isRecord(given)) {
    fail("it must hold an object.");
    return {};
  }
  const left: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    if (key === "$schema" || key === "agent") continue;
    const fits = key === "instructions" ? Array.isArray(value) : isRecord(value);
    if (TAKEN_KEYS.includes(key) && fits) found.config[key] = value;
    else left.push(key);
  }
  if (left.length > 0) fail(`${quoted(left)} not taken: beeuni.yaml decides.`);
  const agents = isRecord(given.agent) ? given.agent : {};
  return Object.fromEntries(
    Object.entries(agents).filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1])),
  );
}

interface FoundFile {
  /** Below the harness folder, with `/`. */
  path: string;
  /** Absolute, as it lies in the project. */
  file: string;
}

/** Every file below, links followed as long as they stay in the repository; no `node_modules`. */
async function listFiles(
  source: string,
  real: string,
  fail: (path: string, error: string) => void,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  async function walk(path: string): Promise<void> {
    const file = join(source, path);
    let info: Deno.FileInfo;
    let place: string;
    try {
      place = await Deno.realPath(file);
      info = await Deno.stat(place);
    } catch (error) {
      if (path !== "" || !(error instanceof Deno.errors.NotFound)) fail(path, "it can't be read.");
      return;
    }
    if (!isInside(real, place)) return fail(path, "it is a link that leaves the repository.");
    if (info.isFile) {
      if (found.length >= MAX_FILES) throw new Error(`${HARNESS_FOLDER} has more than ${MAX_FILES} files`);
      found.push({ path, file });
    } else if (info.isDirectory && !seen.has(place)) {
      seen.add(place);
      const names: string[] = [];
      for await (const { name } of Deno.readDir(place)) if (name !== "node_modules") names.push(name);
      for (const name of names.sort()) await walk(path === "" ? name : `${path}/${name}`);
    }
  }
  await walk("");
  return found;
}

async function hashOf(files: readonly FoundFile[]): Promise<string> {
  const digests: string[] = [];
  for (const { path, file } of files) {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(file));
    digests.push(`${path} ${new Uint8Array(digest).toHex()}`);
  }
  const all = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(digests.join("\n")));
  return new Uint8Array(all).toHex().slice(0, 16);
}

function quoted(names: readonly string[]): string {
  return `${names.map((name) => `\`${name}\``).join(", ")} ${names.length === 1 ? "is" : "are"}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
