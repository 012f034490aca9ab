import { BunFile } from "./bun_file.ts";
import { builtin } from "./builtin.ts";
import { isBinary, toBytes } from "./bytes.ts";
import { childEnvironment, spawnError, type SpawnRequest } from "./spawn_options.ts";

/** Output of one program that is kept at most, in bytes, when the options set no limit. */
export const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

/** What `Bun.spawnSync` returns. */
export interface SyncSubprocess {
  /** The exit code; `null` when a signal ended the program. */
  exitCode: number | null;
  /** The signal that ended the program; absent when none did. */
  signalCode?: string;
  /** Undefined unless piped. */
  stdout: Buffer | undefined;
  stderr: Buffer | undefined;
  success: boolean;
  exitedDueToTimeout?: true;
  exitedDueToMaxBuffer?: true;
  /** Not known in this runtime. */
  resourceUsage: undefined;
  pid: number;
}

/**
 * Runs a program and blocks this worker (no other) until it ends.
 *
 * @param env The environment when the request has none.
 * @throws {Error} when it can't be started, or gave more than {@link MOST_OUTPUT_BYTES} without a limit of its own.
 */
export function spawnSyncRequest(
  request: SpawnRequest<unknown>,
  env: Record<string, string | undefined>,
): SyncSubprocess {
  const { program, args, stdout, stderr, maxBuffer, timeout } = request;
  request.signal?.throwIfAborted();
  const input = inputBytes(request.stdin);
  const result = builtin("node:child_process").spawnSync(program, args, {
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env: childEnvironment(request.env ?? env),
    input,
    stdio: ["pipe", stdout === "ignore" ? "ignore" : "pipe", stderr === "ignore" ? "ignore" : "pipe"],
    maxBuffer: maxBuffer ?? MOST_OUTPUT_BYTES,
    killSignal: (request.killSignal ?? "SIGTERM") as NodeJS.Signals,
    ...(timeout === undefined ? {} : { timeout }),
  });
  // node:child_process says nothing at all about a missing right; these are the words of Deno
  if (result.pid === undefined && result.error === undefined) {
    throw new Deno.errors.NotCapable(
      `Requires run access to "${program}", run again with the --allow-run flag`,
    );
  }
  const code: unknown = result.error === undefined ? undefined : Reflect.get(result.error, "code");
  if (result.error !== undefined && code !== "ETIMEDOUT" && code !== "ENOBUFS") {
    throw code === "ENOENT" ? spawnError(new Deno.errors.NotFound(missing(request)), request) : result.error;
  }
  if (code === "ENOBUFS" && maxBuffer === undefined) {
    throw new Error(
      `Bun.spawnSync: "${program}" gave more than ${MOST_OUTPUT_BYTES} bytes: set maxBuffer, or use Bun.spawn`,
    );
  }
  return {
    exitCode: result.signal === null ? result.status : null,
    ...(result.signal === null ? {} : { signalCode: result.signal }),
    stdout: deliver(result.stdout, stdout, "stdout"),
    stderr: deliver(result.stderr, stderr, "stderr"),
    success: result.status === 0,
    ...(code === "ETIMEDOUT" ? { exitedDueToTimeout: true } : {}),
    ...(code === "ENOBUFS" ? { exitedDueToMaxBuffer: true } : {}),
    resourceUsage: undefined,
    pid: result.pid,
  };
}

/** The words of `Deno.Command` for what is missing, the folder or the program. */
function missing({ cwd }: SpawnRequest<unknown>): string {
  try {
    return cwd === undefined || Deno.statSync(cwd).isDirectory ? "" : "No such cwd";
  } catch {
    return "No such cwd";
  }
}

function inputBytes(stdin: SpawnRequest<unknown>["stdin"]): Uint8Array {
  if (typeof stdin === "string") return new Uint8Array();
  if (isBinary(stdin)) return toBytes(stdin);
  if (stdin instanceof BunFile) return stdin.bytesSync();
  throw new Error(
    "Bun.spawnSync takes its input as bytes or as a Bun.file in this runtime: read it first (.bytes())",
  );
}

/** Gives, prints or writes what a program put out. */
function deliver(
  output: Uint8Array | null,
  to: SpawnRequest<unknown>["stdout"],
  name: "stdout" | "stderr",
): Buffer | undefined {
  if (output === null || to === "ignore") return undefined;
  if (to === "pipe") return Buffer.from(output);
  if (to === "inherit") {
    for (let written = 0; written < output.length;) written += Deno[name].writeSync(output.subarray(written));
  } else {
    Deno.writeFileSync(to.name, output);
  }
  return undefined;
}
