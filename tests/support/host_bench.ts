import { findEngine } from "../../src/engine/engine.ts";
import { startHost } from "../../src/host/host.ts";
import type { HostOptions } from "../../src/host/options.ts";
import type { CallRequest, HostEvent, ToolHost } from "../../src/host/types.ts";
import { createLogger } from "../../src/log/logger.ts";
import { readManifest } from "../../src/manifest/read.ts";
import { Project } from "./project.ts";

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

/** A module whose `execute` has this body. */
export function tool(body: string, head = ""): string {
  return `${head}
export default {
  description: "A tool.",
  parameters: { type: "object", properties: {} },
  async execute(args, context) { ${body} },
};
`;
}

/** Tries to do something and answers what came of it: `ok` with a value, or the message. */
export const ATTEMPTS = tool(
  `
  const results = {};
  for (const [name, [how, ...rest]] of Object.entries(args)) {
    try { results[name] = "ok " + (await HOW[how](...rest)); } catch (error) { results[name] = error.message; }
  }
  return results;`,
  `
import fs from "node:fs";
import process from "node:process";
const HOW = {
  read: (path) => fs.readFileSync(path, "utf8").trim(),
  write: (path) => { fs.writeFileSync(path, "written"); return "written"; },
  list: (path) => fs.readdirSync(path).length,
  fetch: async (url) => (await fetch(url)).status,
  env: (name) => process.env[name],
  run: async (name) => (await new Deno.Command(name, { args: ["--version"] }).output()).code,
  hostname: () => Deno.hostname() !== "",
  tmp: () => { const path = process.env.TMPDIR + "/x"; fs.writeFileSync(path, "t"); return fs.readFileSync(path, "utf8"); },
  late: async (path) => (await import(path)).default,
};`,
);

/** A host on a project, and everything it told. */
export class Bench implements AsyncDisposable {
  readonly project: Project;
  readonly host: ToolHost;
  readonly events: HostEvent[] = [];
  log = "";

  constructor(project: Project, options: Partial<HostOptions> = {}) {
    this.project = project;
    this.host = startHost({
      manifest: readManifest({ project: project.root }),
      stateDir: project.state,
      engine: findEngine(),
      logger: createLogger({
        json: true,
        write: (bytes) => {
          this.log += new TextDecoder().decode(bytes);
          return Promise.resolve(bytes.length);
        },
      }),
      tempDir: project.tmp,
      containerEnv: containerEnv(project),
      ...options,
    });
    this.host.subscribe((event) => this.events.push(event));
  }

  /** What a call returned, parsed when it is JSON. */
  async call(tool: string, request: Partial<CallRequest> = {}): Promise<unknown> {
    const { output } = await this.host.call({ tool, args: {}, agent: "beeuni", ...request });
    try {
      return JSON.parse(output);
    } catch {
      return output;
    }
  }

  /** What became of each attempt. */
  async attempt(
    tool: string,
    attempts: Record<string, string[]>,
    agent = "beeuni",
  ): Promise<Record<string, string>> {
    return await this.call(tool, { args: attempts, agent }) as Record<string, string>;
  }

  get runners(): number {
    return this.host.stats().runners;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.stop();
    this.project[Symbol.dispose]();
  }
}

/** The environment of a container: what finds programs, and a temporary folder. */
export function containerEnv(project: Project): Record<string, string> {
  const { PATH = "", HOME = "" } = Deno.env.toObject();
  return { PATH, HOME, TMPDIR: project.tmp };
}

/** A host on a project of these files, loaded. */
export async function bench(
  files: Record<string, string>,
  options: Partial<HostOptions> = {},
): Promise<Bench> {
  const made = new Bench(new Project({ files }), options);
  await made.host.ready;
  return made;
}

/** A test of the host with real processes. */
export function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `host: ${name}`, ...LENIENT, fn });
}
