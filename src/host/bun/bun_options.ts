/** What the `Bun` of one worker is made for. */
export interface BunOptions {
  /** The tool's environment variables: the very object that `process.env` is. */
  env: Record<string, string | undefined>;
  /** Whether the tool may run any program. */
  run: boolean;
  /** The tool's folder for temporary files: stands for a home folder when the environment names none. */
  tmp: string;
  /** Name of the tool, for messages; without it a refusal has Deno's words, for the bootstrap to explain. */
  tool?: string;
}

/**
 * The error for a program that the tool may not run (specification 2.4); without a program, for all of them.
 */
export function runRefusal({ tool }: BunOptions, program?: string): Error {
  if (tool === undefined) {
    const what = program === undefined ? "" : ` to "${program}"`;
    return new Deno.errors.NotCapable(`Requires run access${what}, run again with the --allow-run flag`);
  }
  const setting = `tool_settings.${tool}.permissions.run`;
  return new Error(
    program === undefined
      ? `${tool} may not run programs: add what it needs under ${setting}`
      : `${tool} may not run "${program}": add it under ${setting}`,
  );
}
