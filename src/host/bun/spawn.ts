import { type BunOptions, runRefusal } from "./bun_options.ts";
import { type SpawnOptions, spawnRequest } from "./spawn_options.ts";
import { spawnSyncRequest, type SyncSubprocess } from "./spawn_sync.ts";
import { Subprocess } from "./subprocess.ts";

/** `Bun.spawn` and `Bun.spawnSync`. */
export interface Spawners {
  spawn(command: string[], options?: SpawnOptions<Subprocess>): Subprocess;
  spawn(options: { cmd: string[] } & SpawnOptions<Subprocess>): Subprocess;
  spawnSync(command: string[], options?: SpawnOptions): SyncSubprocess;
  spawnSync(options: { cmd: string[] } & SpawnOptions): SyncSubprocess;
}

/**
 * Makes `Bun.spawn` and `Bun.spawnSync` for a worker. A program sees the runner's own variables (`PATH`, `HOME`, …),
 * with those of the tool over them, or with those of the option `env`.
 *
 * Without a right to run they throw the sentence that names the setting; with one, Deno decides about each program.
 */
export function spawners(options: BunOptions): Spawners {
  const request = <Process>(called: string, args: unknown[], stderr: "pipe" | "inherit") => {
    const [command, given] = args;
    const read = spawnRequest<Process>(called, command, given, { stdout: "pipe", stderr });
    if (!options.run) throw runRefusal(options, read.program);
    return read;
  };
  return {
    spawn: (...args: unknown[]) =>
      new Subprocess(request<Subprocess>("Bun.spawn", args, "inherit"), options.env),
    spawnSync: (...args: unknown[]) => spawnSyncRequest(request("Bun.spawnSync", args, "pipe"), options.env),
  };
}
