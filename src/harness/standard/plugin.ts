// Beeuni's plugin for OpenCode: it brings the tools of this project's beeuni.yaml. Written by Beeuni; changes are lost.
//
// One file without imports, so that it loads with no node_modules and no network. It may export functions alone: OpenCode
// drops a plugin that exports anything else, without a word.

/** Where the daemon is, and the key to it; replaced by the path of a JSON file when the plugin is written. */
const BRIDGE_FILE = "";

/** How long OpenCode waits for the list: a plugin that hangs blocks the folder for good. In milliseconds. */
const LIST_DEADLINE_MS = 10_000;

/** Variables that OpenCode has read by now and that what it starts must not inherit. */
const PRIVATE_VARIABLES = ["OPENCODE_SERVER_PASSWORD", "OPENCODE_SERVER_USERNAME", "OPENCODE_CONFIG_CONTENT"];

interface Bridge {
  /** Address of the daemon; absent = it is in `daemonFile`. */
  url?: string;
  /** A JSON file with the address, of a daemon that may be started anew. */
  daemonFile?: string;
  token: string;
  /** Tools that are left out: OpenCode's own ones of these names win. */
  hidden?: string[];
  /** OpenCode gets the tools only where it works below this folder; absent = everywhere. */
  root?: string;
  /** The file is the only copy of the token and stays: the server is somebody else's. */
  keep?: boolean;
  /** The daemon holds this process's stdin open; when it closes, the daemon is gone. */
  watchStdin?: boolean;
}

interface Tool {
  name: string;
  description: string;
  parameters: { properties?: Record<string, unknown> };
}

interface ToolContext {
  sessionID: string;
  agent: string;
  callID?: string;
  directory?: string;
  abort: AbortSignal;
  ask(request: {
    permission: string;
    patterns: string[];
    always: string[];
    metadata: Record<string, unknown>;
  }): Promise<void>;
}

interface Provider {
  options?: Record<string, unknown>;
}

/** What this file uses of Bun's `node:fs` and `process`. */
interface Files {
  readFileSync(path: string, encoding: "utf8"): string;
  rmSync(path: string, options: { force: boolean }): void;
  realpathSync(path: string): string;
}
interface Process {
  env: Record<string, string | undefined>;
  stdin: { on(event: string, listener: () => void): unknown; resume(): unknown };
  exit(code: number): never;
  getBuiltinModule(name: string): unknown;
}

/** Kept for the life of the process: the file is read once, and OpenCode may set up a folder many times. */
let known: Bridge | undefined;
let watching = false;
let guarded = false;

function runtime(): Process {
  return (globalThis as { process?: unknown }).process as Process;
}

function bridge(): Bridge {
  const files = runtime().getBuiltinModule("node:fs") as Files;
  try {
    const found = JSON.parse(files.readFileSync(BRIDGE_FILE, "utf8")) as Bridge;
    if (found.keep !== true) files.rmSync(BRIDGE_FILE, { force: true });
    known = found;
  } catch {
    // Read before, by this process.
  }
  if (known === undefined) throw new Error("Beeuni's plugin has no key: restart OpenCode with Beeuni.");
  return known;
}

function address({ url, daemonFile }: Bridge): string {
  if (url !== undefined) return url;
  const files = runtime().getBuiltinModule("node:fs") as Files;
  try {
    return (JSON.parse(files.readFileSync(daemonFile ?? "", "utf8")) as { url: string }).url;
  } catch {
    throw new Error("Beeuni's daemon does not run: start it with `beeuni daemon`.");
  }
}

async function request(path: string, init: { method: string; body?: string; signal: AbortSignal }) {
  const found = bridge();
  const options = {
    ...init,
    headers: { "content-type": "application/json", authorization: `Bearer ${found.token}` },
    // Bun gives up after five minutes of silence; a call may take longer, and has its own deadline in the daemon.
    timeout: false,
  };
  return await fetch(address(found) + path, options);
}

async function listTools(): Promise<Tool[]> {
  try {
    const response = await request("/beeuni/tools", {
      method: "GET",
      signal: AbortSignal.timeout(LIST_DEADLINE_MS),
    });
    const body = await response.json() as { tools?: Tool[] };
    const hidden = known?.hidden ?? [];
    return response.ok && Array.isArray(body.tools)
      ? body.tools.filter(({ name }) => !hidden.includes(name))
      : [];
  } catch {
    // A throw would drop the plugin; the daemon sees that its tools are missing and says so.
    return [];
  }
}

/** What a call is asked for, as the daemon's own rules have it: each query, address or file; `*` when there is none. */
function patternsOf(tool: string, args: Record<string, unknown>): string[] {
  const texts = (...values: unknown[]) => values.filter((value) => typeof value === "string") as string[];
  let found: string[] = [];
  if (tool === "web_search" || tool === "image_search") {
    found = texts(args.query).flatMap((query) => query.split("|||")).map((query) => query.trim());
  } else if (tool === "scrape_webpage") {
    found = texts(args.urls).flatMap(scrapedUrls).map((url) => URL.canParse(url) ? new URL(url).href : url);
  } else if (tool === "memory") {
    found = texts(args.path, args.old_path, args.new_path).filter((path) => path !== "").map(memoryPath);
  }
  found = found.filter((pattern) => pattern !== "");
  return found.length === 0 ? ["*"] : found;
}

/** The addresses in an argument of `scrape_webpage`, by the tool's own rule. */
function scrapedUrls(list: string): string[] {
  return list
    .split(/,\s+|,(?=https?:\/\/)|(?<!\s)\s+(?=https?:\/\/)|[\r\n]/i)
    .flatMap((part) => {
      const [authority = ""] = /^\s*(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i.exec(part) ?? [];
      const hosts = authority.split(",");
      return [...hosts.slice(0, -1), (hosts.at(-1) ?? "") + part.slice(authority.length)];
    })
    .map((part) => part.replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, ""))
    .filter(Boolean)
    .map((part) => {
      const scheme = /^[a-z][a-z\d+.-]*:/i.test(part) && !/^[^/?#]*:\d+(?:[/?#]|$)/.test(part);
      return scheme ? part : `https://${part.replace(/^\/\//, "")}`;
    });
}

/** A path of `memory` below the checkout, as the tool reads it. */
function memoryPath(path: string): string {
  const below = path.replace(/^(?:\.?\/)+/, "").replace(/^memories(?=\/|$)/, "memory");
  const parts: string[] = [];
  for (const part of below.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/") || ".";
}

async function call(
  name: string,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<{ output: string }> {
  const patterns = patternsOf(name, args);
  // OpenCode checks no permission of a plugin's tool; its rules for this one stand under the tool's name.
  await context.ask({
    permission: name === "memory" && args.command === "view" ? "memory.view" : name,
    patterns,
    always: patterns,
    metadata: { args },
  });
  let response: Response;
  let body: { output?: unknown; error?: unknown };
  try {
    response = await request(`/beeuni/tools/${name}`, {
      method: "POST",
      signal: context.abort,
      body: JSON.stringify({
        args,
        agent: context.agent,
        session: context.sessionID,
        call: context.callID,
        directory: context.directory,
      }),
    });
    body = await response.json() as typeof body;
  } catch (cause) {
    if (context.abort.aborted) throw cause;
    throw new Error(`${name} could not be called: Beeuni's daemon does not answer. Try again later.`, {
      cause,
    });
  }
  if (response.ok) return { output: String(body.output ?? "") };
  if (response.status === 404) throw new Error(`Tool ${name} not found`);
  throw new Error(
    typeof body.error === "string"
      ? body.error
      : `${name} failed: Beeuni's daemon answered ${response.status}.`,
  );
}

/** Whether OpenCode works in the project whose tools these are. */
function isInProject({ root }: Bridge, directory: string | undefined): boolean {
  if (root === undefined) return true;
  try {
    const real = (runtime().getBuiltinModule("node:fs") as Files).realpathSync(directory ?? "");
    return real === root || real.startsWith(`${root}/`);
  } catch {
    return false;
  }
}

/** Ends OpenCode with the daemon that started it: its stdin is a pipe that the daemon holds. */
function endWithTheDaemon(): void {
  if (watching) return;
  watching = true;
  const { stdin, exit } = runtime();
  stdin.on("end", () => exit(0));
  stdin.on("close", () => exit(0));
  stdin.resume();
}

interface Bun {
  plugin(plugin: {
    name: string;
    setup(build: {
      onResolve(
        which: { filter: RegExp },
        rule: (found: { path: string; importer: string }) => undefined,
      ): void;
    }): void;
  }): void;
}

/**
 * Lets OpenCode itself load code from its own files and our config folder alone. It has two readers of its settings, and
 * the second one knows no `OPENCODE_DISABLE_PROJECT_CONFIG`: without this it runs plugins of the checkout, which an agent
 * may have written (seen with 1.18.33). What those files import is not its business.
 */
function keepPluginsOut(): void {
  const { Bun } = globalThis as { Bun?: Bun };
  if (guarded || Bun === undefined) return;
  guarded = true;
  const folder = BRIDGE_FILE.slice(0, BRIDGE_FILE.lastIndexOf("/") + 1);
  Bun.plugin({
    name: "beeuni",
    setup: (build) =>
      build.onResolve({ filter: /^(?:\/|file:)/ }, ({ path, importer }) => {
        if (!importer.startsWith("/$bunfs/") || path.startsWith("/$bunfs/")) return undefined;
        const file = path.startsWith("file:") ? decodeURIComponent(new URL(path).pathname) : path;
        if (file.startsWith(folder) && !file.includes("/../")) return undefined;
        throw new Error(`Beeuni loads no plugin but its own: ${file}`);
      }),
  });
}

/** The plugin. OpenCode calls it each time it sets up a folder. */
export const Beeuni = async (input?: { directory?: string }) => {
  const env = runtime().env;
  let found: Bridge | undefined;
  try {
    found = bridge();
  } catch {
    // Without the key there are no tools; OpenCode goes on.
  }
  // In a server that somebody else starts they are not ours to take.
  if (found?.keep !== true) { for (const name of PRIVATE_VARIABLES) delete env[name]; }
  if (found !== undefined && found.keep !== true) keepPluginsOut();
  if (found?.watchStdin) endWithTheDaemon();
  const tools = found !== undefined && isInProject(found, input?.directory) ? await listTools() : [];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tool: Object.fromEntries(tools.map(({ name, description, parameters }) => [name, {
      description,
      args: parameters.properties ?? {},
      execute: (args: Record<string, unknown>, context: ToolContext) => call(name, args ?? {}, context),
    }])),
    // The tool's own schema, unchanged: from `args` OpenCode makes one in which everything is required. A throw here,
    // or another value of `parameters`, fails every prompt.
    "tool.definition": (input: { toolID?: string }, output: { jsonSchema?: unknown }): Promise<void> => {
      const tool = byName.get(input?.toolID ?? "");
      if (tool !== undefined && output) output.jsonSchema = tool.parameters;
      return Promise.resolve();
    },
    // The providers that lead to the daemon; the key to it stands in no file and no variable.
    config: (config: { provider?: Record<string, Provider> }): Promise<void> => {
      for (const [id, provider] of Object.entries(config?.provider ?? {})) {
        if (id.startsWith("beeuni-") && found !== undefined) {
          provider.options = { ...provider.options, apiKey: found.token };
        }
      }
      return Promise.resolve();
    },
  };
};
