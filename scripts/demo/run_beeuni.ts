import type { Program } from "../program.ts";

/** A command that ran to its end. */
export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `beeuni` in the project's folder. */
export async function runBeeuni(
  { program, first }: Program,
  cwd: string,
  args: string[],
  env: Record<string, string>,
): Promise<CommandRun> {
  const command = new Deno.Command(program, {
    args: [...first, ...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
  });
  const { code, stdout, stderr } = await command.output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}
