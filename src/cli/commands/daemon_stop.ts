import { setTimeout as delay } from "node:timers/promises";
import { requireDaemon } from "../../daemon/client.ts";
import { isDaemonRunning } from "../../daemon/daemon_lock.ts";
import { BeeuniError } from "../../errors/error.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { projectStateDirectory } from "../open_project.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Longer than a daemon takes: 5 s for running calls, 2 s for the stop ladder, and the answers. */
const WAIT_MS = 15_000;
const POLL_MS = 50;

/**
 * `beeuni daemon stop`: tells the project's daemon to stop and waits until it did.
 *
 * @throws {BeeuniError} `no_manifest`, `daemon_not_running`, `timed_out`.
 */
export async function daemonStop(
  { project, json }: CommonOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  const root = findManifest(project === undefined ? {} : { project });
  const stateDir = await projectStateDirectory(root);
  const { pid, url } = await requireDaemon(stateDir);
  using _progress = output.progress("the daemon lets running calls finish");
  terminate(pid);
  for (let waited = 0; await isDaemonRunning(stateDir); waited += POLL_MS) {
    if (waited >= WAIT_MS) {
      throw new BeeuniError("timed_out", `the daemon (process ${pid}) did not stop.`, {
        hint: `End it with \`kill -9 ${pid}\`.`,
      });
    }
    await delay(POLL_MS);
  }
  return { stdout: json ? jsonDocument({ stopped: { url, pid } }) : `stopped ${url}\n`, exitCode: 0 };
}

function terminate(pid: number): void {
  try {
    Deno.kill(pid, "SIGTERM");
  } catch (cause) {
    // It ended by itself meanwhile; what holds the lock decides.
    if (!(cause instanceof Deno.errors.NotFound)) {
      throw new BeeuniError("unwritable", `the daemon (process ${pid}) can't be told to stop.`, { cause });
    }
  }
}
