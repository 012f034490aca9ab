import { join } from "node:path";
import { OPENCODE_VERSION, opencodeProgram } from "../opencode_program.ts";
import { descendants, residentMemory } from "./process_memory.ts";

/**
 * Resident memory of `opencode serve` at rest, all its processes.
 *
 * Takes `BEEUNI_OPENCODE`, else the npm package.
 */
export async function opencodeAtRest(): Promise<{ bytes: number; version: string }> {
  const program = await opencodeProgram();
  const home = await Deno.makeTempDir({ prefix: "beeuni-bench-opencode-" });
  const child = new Deno.Command(program, {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
    cwd: home,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_DATA_HOME: join(home, "data"),
      XDG_STATE_HOME: join(home, "state"),
      XDG_CACHE_HOME: join(home, "cache"),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    let said = "";
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    while (!said.includes("listening on")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`opencode serve ended: ${said}`);
      said += value;
    }
    reader.cancel().catch(() => {});
    await new Promise((done) => setTimeout(done, 5000));
    const bytes = [child.pid, ...descendants(child.pid)].reduce(
      (sum, pid) => sum + residentMemory(pid).now,
      0,
    );
    return { bytes, version: OPENCODE_VERSION };
  } finally {
    for (const pid of [...descendants(child.pid), child.pid]) {
      try {
        Deno.kill(pid, "SIGKILL");
      } catch {
        // it has ended
      }
    }
    await child.status;
    await Deno.remove(home, { recursive: true });
  }
}
