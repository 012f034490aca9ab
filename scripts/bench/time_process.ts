import { median } from "./percentile.ts";

/** A program to start and what it must print. */
export interface Timed {
  program: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Exit code it must end with; default 0. */
  code?: number;
}

/** Runs a program to its end; milliseconds of the whole process. */
export async function timeProcess({ program, args, cwd, env, code = 0 }: Timed): Promise<number> {
  const command = new Deno.Command(program, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const start = performance.now();
  const output = await command.output();
  const time = performance.now() - start;
  if (output.code !== code) {
    throw new Error(
      `${program} ${args.join(" ")}: exit ${output.code}: ${new TextDecoder().decode(output.stderr)}`,
    );
  }
  return time;
}

/**
 * Runs programs in turn, `rounds` times after one unmeasured round, so that a busy moment of the machine meets them
 * all.
 *
 * @returns The median of each, in milliseconds.
 */
export async function timeInTurn<Name extends string>(
  programs: Record<Name, Timed>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(programs) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const time = await timeProcess(programs[name]);
      if (round > 0) times.get(name)!.push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>;
}
