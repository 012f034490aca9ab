import type { Program } from "../program.ts";

/** A command that ran to its end. */
export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs `beeuni` in the project's folder.
 *
 * @param stdin What it is given to read; nothing by default.
 */
export async function runBeeuni(
  { program, first }: Program,
  cwd: string,
  args: string[],
  env: Record<string, string>,
  stdin?: string,
): Promise<CommandRun> {
  const command = new Deno.Command(program, {
    args: [...first, ...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
  const child = command.spawn();
  if (stdin !== undefined) await new Blob([stdin]).stream().pipeTo(child.stdin);
  const { code, stdout, stderr } = await child.output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}
