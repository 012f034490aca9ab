import type { Engine } from "../../engine/types.ts";
import { findOpenCode } from "../../harness/standard/find_opencode.ts";
import type { Check } from "./check.ts";

/** How long a program may take to tell its version, in milliseconds. */
const DEADLINE_MS = 10_000;

/** Whether the Deno CLI that runs the tools starts, and which one it is. */
export async function checkEngine(engine: Engine): Promise<Check> {
  const found = await versionOf(engine.deno, ["--version"]);
  return found.ok
    ? { name: "engine", status: "ok", detail: `${found.text} (${engine.built})` }
    : { name: "engine", status: "failed", detail: `${engine.deno}: ${found.text}` };
}

/** Whether Git is there; the project's history and change requests need it, tools do not. */
export async function checkGit(): Promise<Check> {
  const found = await versionOf("git", ["--version"]);
  return { name: "git", status: found.ok ? "ok" : "warning", detail: found.text };
}

/** Whether OpenCode, the standard harness, is there, and is one that it can use (specification 4.1). */
export async function checkOpenCode(): Promise<Check> {
  const name = "OpenCode";
  // Its home while it tells its version: it writes there.
  const home = await Deno.makeTempDir({ prefix: "beeuni-doctor-" });
  try {
    const { path, version, newer } = await findOpenCode((name) => Deno.env.get(name), home);
    return newer
      ? {
        name,
        status: "warning",
        detail: `${version} at ${path} is newer than 1.18, which is tried and tested`,
      }
      : { name, status: "ok", detail: `${version} at ${path}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, status: "warning", detail: `${reason}: sessions use the experimental harness` };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** The first line a program prints about itself, or why it does not. */
async function versionOf(program: string, args: string[]): Promise<{ ok: boolean; text: string }> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const command = new Deno.Command(program, {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal,
    });
    const { success, code, stdout } = await command.output();
    if (signal.aborted) return { ok: false, text: `it did not answer within ${DEADLINE_MS / 1000} s` };
    const [line = ""] = new TextDecoder().decode(stdout).split("\n");
    return success ? { ok: true, text: line.trim() } : { ok: false, text: `it ended with exit code ${code}` };
  } catch (error) {
    return { ok: false, text: error instanceof Deno.errors.NotFound ? "not found" : "it can't be started" };
  }
}
