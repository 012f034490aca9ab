import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HarnessTool, HarnessToolContext } from "../../harness_tool.ts";

/** A project in a temporary folder, and calls of harness tools in it. Removed at the end of its block. */
export class CallBench implements AsyncDisposable {
  /** Folder around the project: what is in it but not in the project is outside. */
  readonly outside: string;
  readonly root: string;
  readonly spillFolder: string;

  private constructor(folder: string) {
    this.outside = folder;
    this.root = join(folder, "project");
    this.spillFolder = join(folder, "spill", "s1");
  }

  /** @param files Text or bytes by path relative to the project's root. */
  static async make(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<CallBench> {
    const bench = new CallBench(await realpath(await mkdtemp(join(tmpdir(), "beeuni-tools-"))));
    mkdirSync(bench.root);
    mkdirSync(dirname(bench.spillFolder), { mode: 0o700 });
    for (const [path, content] of Object.entries(files)) bench.put(path, content);
    return bench;
  }

  put(path: string, content: string | Uint8Array, mode?: number): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    if (mode !== undefined) chmodSync(full, mode);
    return full;
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  mode(path: string): number {
    return statSync(join(this.root, path)).mode & 0o7777;
  }

  /** Names in a folder of the project, sorted. */
  async names(path = "."): Promise<string[]> {
    return (await readdir(join(this.root, path))).sort();
  }

  context(more: Partial<HarnessToolContext> = {}): HarnessToolContext {
    return {
      root: this.root,
      directory: this.root,
      session: "s1",
      agent: "beeuni",
      call: "c1",
      spillFolder: this.spillFolder,
      signal: new AbortController().signal,
      ask: () => Promise.resolve(null),
      ...more,
    };
  }

  /** The output of a call. */
  async call(
    tool: HarnessTool,
    args: Record<string, unknown>,
    more: Partial<HarnessToolContext> = {},
  ): Promise<string> {
    return (await tool.execute(args, this.context(more))).output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.outside, { recursive: true, force: true });
  }
}
