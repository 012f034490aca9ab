import { join } from "node:path";
import { opencode } from "./opencode.ts";
import { processTree } from "./processes.ts";
import { TextStream } from "./text_stream.ts";
import { eventually } from "./eventually.ts";

/** An OpenCode server with nothing of ours in it, in an empty folder. */
export class BareOpenCode implements AsyncDisposable {
  readonly #folder: string;
  readonly #child: Deno.ChildProcess;
  readonly url: string;

  private constructor(folder: string, child: Deno.ChildProcess, url: string) {
    this.#folder = folder;
    this.#child = child;
    this.url = url;
  }

  static async start(): Promise<BareOpenCode> {
    const folder = await Deno.makeTempDir({ prefix: "beeuni-bare-opencode-" });
    const names = ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE", "CLAUDE_CODE"];
    const child = new Deno.Command(await opencode(), {
      args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
      cwd: folder,
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: folder,
        TMPDIR: folder,
        XDG_CONFIG_HOME: join(folder, "config"),
        // Otherwise the first request waits a minute for an `npm install` where there is no network.
        npm_config_fetch_retries: "0",
        npm_config_registry: "http://127.0.0.1:1/",
        ...Object.fromEntries(names.map((name) => [`OPENCODE_DISABLE_${name}`, "1"])),
      },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const stdout = new TextStream(child.stdout);
    const url = await eventually(() => {
      const [, url] = /listening on (http:\S+)/.exec(stdout.text) ?? [];
      if (url === undefined) throw new Error(`OpenCode does not listen: ${stdout.text}`);
      return url;
    }, { within: 30_000 });
    return new BareOpenCode(folder, child, url);
  }

  /** Ids of the tools that it has. */
  async toolIds(): Promise<string[]> {
    const response = await fetch(`${this.url}/experimental/tool/ids`, {
      signal: AbortSignal.timeout(60_000),
    });
    return await response.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { pid } of processTree(this.#child.pid).reverse()) Deno.kill(pid, "SIGKILL");
    await this.#child.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}
