import { beeuniCommand } from "../beeuni.ts";
import { testEnvironment } from "./environment.ts";
import type { Project } from "./project.ts";

/** Options of {@link beeuni}. */
export interface RunOptions {
  env?: Readonly<Record<string, string>>;
  /** Text for stdin; none otherwise. */
  stdin?: string;
  /** Working directory; default the project root. */
  cwd?: string;
}

/** How a command ended. */
export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `beeuni` on a project to its end. */
export async function beeuni(
  project: Project,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const child = beeuniCommand(args, {
    cwd: options.cwd ?? project.root,
    clearEnv: true,
    env: testEnvironment(project, options.env),
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (options.stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.stdin));
    await writer.close();
  }
  const output = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}
