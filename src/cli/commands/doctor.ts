import { BeeuniError } from "../../errors/error.ts";
import { findEngine } from "../../engine/engine.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import type { Manifest } from "../../manifest/model.ts";
import { readManifest } from "../../manifest/read.ts";
import type { CommandContext, CommonOptions } from "../command.ts";
import { type Check, failedCheck } from "../doctor/check.ts";
import { checkModel } from "../doctor/model.ts";
import { checkEngine, checkGit, checkOpenCode } from "../doctor/programs.ts";
import { checkSandbox } from "../doctor/sandbox.ts";
import { checkState } from "../doctor/state.ts";
import { hostSecrets } from "../host_secrets.ts";
import { interruption } from "../interruption.ts";
import { projectStateDirectory } from "../open_project.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/**
 * `beeuni doctor`: what works on this machine (specification 5.1). Exit code 1 when something failed that tools need.
 */
export async function doctor(
  { project, json }: CommonOptions,
  { output }: CommandContext,
): Promise<CommandResult> {
  using interrupted = interruption();
  using progress = output.progress("beeuni looks around");
  const checks = await Promise.all([
    checkEngineHere(),
    checkState(() => projectStateDirectory(rootOrHere(project))),
    checkGit(),
    checkOpenCode(),
    checkModelHere(project),
  ]);
  progress.update("a tool tries the sandbox");
  checks.push(...await sandboxChecks(interrupted.signal));
  const ok = checks.every(({ status }) => status !== "failed");
  const stdout = json
    ? jsonDocument({ ok, checks })
    : checks.map((check) => checkLine(check, output.color)).join("");
  return { stdout, exitCode: ok ? 0 : 1 };
}

async function checkEngineHere(): Promise<Check> {
  try {
    return await checkEngine(findEngine());
  } catch (error) {
    return failedCheck("engine", error);
  }
}

/** The model of the project here, as a daemon that is started here would see it. */
async function checkModelHere(project: string | undefined): Promise<Check> {
  const env = (name: string) => Deno.env.get(name);
  try {
    const root = rootOrHere(project);
    using secrets = hostSecrets(await projectStateDirectory(root));
    const manifest = manifestOf(root);
    return checkModel(manifest, { env, secret: (name) => secrets.stored.value(name) });
  } catch (error) {
    return { ...failedCheck("model", error), status: "warning" };
  }
}

function manifestOf(root: string): Manifest | undefined {
  try {
    return readManifest({ project: root });
  } catch (error) {
    // `beeuni validate` tells what is wrong with it.
    if (error instanceof BeeuniError) return undefined;
    throw error;
  }
}

async function sandboxChecks(signal: AbortSignal): Promise<Check[]> {
  try {
    return await checkSandbox(findEngine(), signal);
  } catch (error) {
    return [failedCheck("sandbox", error)];
  }
}

/** The project's root; the working directory where there is no project: the machine can be looked at anyway. */
function rootOrHere(project: string | undefined): string {
  try {
    return findManifest(project === undefined ? {} : { project });
  } catch (error) {
    if (error instanceof BeeuniError && error.code === "no_manifest" && project === undefined) {
      return Deno.cwd();
    }
    throw error;
  }
}

const MARKS = { ok: ["✓", 32], warning: ["!", 33], failed: ["✗", 31] } as const;

function checkLine({ name, status, detail }: Check, color: boolean): string {
  const [mark, code] = MARKS[status];
  return `${color ? `\x1b[${code}m${mark}\x1b[0m` : mark} ${name}: ${detail}\n`;
}
