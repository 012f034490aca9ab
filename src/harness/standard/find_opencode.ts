import { delimiter, isAbsolute, join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import { openCodeEnvironment } from "./opencode_environment.ts";

/** Names an OpenCode that is not on PATH. */
export const OPENCODE_VARIABLE = "BEEUNI_OPENCODE";

/** The version this harness was made for and tried with. */
const SUPPORTED = { major: 1, minor: 18 };

/** Longest wait for `opencode --version`, in milliseconds. */
const VERSION_MS = 30_000;

const HINT = "install OpenCode 1.18 with `npm install -g opencode-ai@1.18.33`, " +
  `or name its program in ${OPENCODE_VARIABLE}; --harness experimental needs none`;

/** An OpenCode that can be used. */
export interface FoundOpenCode {
  /** Absolute path of the program. */
  path: string;
  version: string;
  /** Whether it is of a later version than those this harness was tried with. */
  newer: boolean;
}

/** Versions of programs that were asked, by path, size and time: asking takes a second. */
const known = new Map<string, string>();

/**
 * Finds OpenCode by `BEEUNI_OPENCODE` or on PATH and asks for its version.
 *
 * @param env The daemon's environment.
 * @param home Absolute path of a folder that is OpenCode's home meanwhile.
 * @throws {BeeuniError} `harness_missing` when there is none, or it is too old or no OpenCode.
 */
export async function findOpenCode(
  env: (name: string) => string | undefined,
  home: string,
): Promise<FoundOpenCode> {
  const { path, info } = await locate(env);
  const key = `${path} ${info.size} ${info.mtime?.getTime()}`;
  const version = known.get(key) ?? await askVersion(path, openCodeEnvironment(env, home));
  known.set(key, version);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const order = major - SUPPORTED.major || minor - SUPPORTED.minor;
  if (order < 0) {
    throw missing(`the one at ${path} is ${version}, which is too old`);
  }
  return { path, version, newer: order > 0 };
}

async function locate(
  env: (name: string) => string | undefined,
): Promise<{ path: string; info: Deno.FileInfo }> {
  const named = env(OPENCODE_VARIABLE);
  if (named !== undefined && named !== "") {
    if (!isAbsolute(named)) throw missing(`${OPENCODE_VARIABLE} must be an absolute path, not ${named}`);
    const info = await program(named);
    if (info === undefined) throw missing(`${OPENCODE_VARIABLE} is ${named}, and no program is there`);
    return { path: named, info };
  }
  for (const folder of (env("PATH") ?? "").split(delimiter)) {
    // A relative folder on PATH would lead into the checkout.
    if (!isAbsolute(folder)) continue;
    const path = join(folder, "opencode");
    const info = await program(path);
    if (info !== undefined) return { path, info };
  }
  throw missing("there is no opencode on PATH");
}

async function program(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    const info = await Deno.stat(path);
    return info.isFile && ((info.mode ?? 0o111) & 0o111) !== 0 ? info : undefined;
  } catch {
    return undefined;
  }
}

async function askVersion(path: string, env: Record<string, string>): Promise<string> {
  let said: string;
  try {
    const { stdout } = await new Deno.Command(path, {
      args: ["--version"],
      clearEnv: true,
      env,
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(VERSION_MS),
    }).output();
    said = new TextDecoder().decode(stdout.subarray(0, 1000)).trim();
  } catch (cause) {
    throw missing(`${path} can't be started`, cause);
  }
  const version = /^v?(\d+\.\d+\.\d+\S*)$/.exec(said)?.[1];
  if (version === undefined) throw missing(`${path} is no OpenCode: it does not tell its version`);
  return version;
}

function missing(why: string, cause?: unknown): BeeuniError {
  return new BeeuniError("harness_missing", `the standard harness needs OpenCode 1.18: ${why}`, {
    hint: HINT,
    cause,
  });
}
